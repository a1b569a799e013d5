import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allureResults } from '../../src/reports/allure.ts';
import { badge } from '../../src/reports/badge.ts';
import { changesSince } from '../../src/reports/changes.ts';
import { compareReports, comparisonMarkdown } from '../../src/reports/comparison.ts';
import { annotations, outputs } from '../../src/reports/github.ts';
import { harFile } from '../../src/reports/har.ts';
import { runPage } from '../../src/reports/page/run-page.ts';
import { readReport } from '../../src/reports/read-report.ts';
import type { Report } from '../../src/reports/report.ts';
import { type TracedExchange, trace } from '../../src/reports/run-result.ts';
import { markdown } from '../../src/reports/summary.ts';
import { changesSummary, closingText } from '../../src/reports/terminal.ts';
import { sanitizedJson } from '../../src/reports/text.ts';
import { listed } from '../listed.ts';
import { madeReport, reportOf } from '../made-report.ts';
import { harmIn, NASTY } from '../nasty.ts';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import type { Patch } from '../services/service.ts';
import { inFolder } from '../shell.ts';

/** A report with nasty text, and its exchanges. */
interface NastyRun {
  report: Report;
  traced: TracedExchange[];
}

/** Judges a service that sends nasty text. */
async function judged(patch: Patch): Promise<NastyRun> {
  const service = await startHere(patch);
  const { outcomes, record } = await judgeKept(service).finally(service.close);
  return { report: reportOf(outcomes), traced: trace(record, outcomes) };
}

const inHeader = NASTY.replace(/[^\x20-\x7e]/gu, '');

/** Reads a report with nasty text, as anybody can write it. */
function readNastyReport(): Promise<NastyRun> {
  const rows = [
    {
      slug: 'a.fails',
      chapter: NASTY,
      sentence: NASTY,
      outcome: 'failed' as const,
      reason: NASTY,
      got: NASTY,
    },
  ];
  const target = {
    name: NASTY.slice(0, 300),
    baseUrl: 'http://127.0.0.1/v1',
    embeddedReference: false,
  };
  const report = {
    ...madeReport(rows, { target }),
    because: NASTY,
    observations: { [NASTY]: [NASTY] },
    coverage: {
      seed: 1,
      bounds: { seconds: 1, requests: 1, users: 1 },
      ended: NASTY,
      rounds: 1,
      users: 1,
      widestPage: 1,
      mostAtOnce: 1,
      longestPauseMs: 1,
      kinds: { [NASTY]: 1 },
    },
  };
  const requirement = {
    slug: 'a.fails',
    level: 'MUST',
    chapter: 'A',
    sentence: 'It holds.',
    source: { text: 'us' },
  } as const;
  return inFolder(async (folder) => {
    writeFileSync(join(folder, 'conformance.json'), JSON.stringify(report));
    return { report: readReport(folder, [requirement]), traced: [] };
  });
}

/** Sources of nasty text, by name. */
const sources: Record<string, () => Promise<NastyRun> | NastyRun> = {
  'names and emails in the list': () =>
    judged((service) => {
      service.list = () => ({
        status: 200,
        body: { data: [{ id: NASTY, email: NASTY, name: NASTY }], total: NASTY },
      });
    }),
  'a create response and its identifier': () =>
    judged((service) => {
      const { created } = service;
      service.created = (user) => {
        const reply = created(user);
        return {
          ...reply,
          status: 200,
          body: { id: NASTY, [NASTY]: NASTY, email: NASTY, name: NASTY },
        };
      };
    }),
  'a retrieve response': () =>
    judged((service) => {
      service.retrieve = () => ({
        status: 200,
        body: { email: NASTY, name: NASTY, [NASTY]: NASTY },
      });
    }),
  'a rejection': () =>
    judged((service) => {
      const { handle } = service;
      service.handle = async (request) => {
        const reply = await handle(request);
        return reply.status < 300 ? reply : { status: 200, body: NASTY };
      };
    }),
  'headers and Location': () =>
    judged((service) => {
      const { handle } = service;
      service.handle = async (request) => {
        const reply = await handle(request);
        const headers = {
          ...reply.headers,
          location: `/v1/users/${inHeader}`,
          'x-nasty': inHeader,
          'content-type': inHeader,
        };
        return { ...reply, headers };
      };
    }),
  'the file of known failures': () => {
    const knownFailures = [
      listed('a.passes', { file: `${NASTY}.yml` }),
      listed(NASTY, { reason: NASTY }),
      listed('a.fails', { reason: NASTY, link: 'https://t.example/##[add-mask]x' }),
    ];
    const rows = [
      { slug: 'a.passes' },
      {
        slug: 'a.fails',
        outcome: 'known-failure' as const,
        reason: NASTY,
        link: 'https://t.example/##[add-mask]x',
      },
    ];
    return { report: madeReport(rows, { knownFailures }), traced: [] };
  },
  'names and addresses': () => {
    const target = {
      name: NASTY,
      baseUrl: `http://127.0.0.1/##[add-mask]${NASTY}/v1`,
      embeddedReference: false,
    };
    return { report: madeReport([{ slug: 'a.fails', outcome: 'failed' }], { target }), traced: [] };
  },
  'a report that is read': readNastyReport,
};

const screen = { paint: (_: string, text: string) => text, width: Number.POSITIVE_INFINITY };
const comparisonOf = (report: Report) =>
  compareReports([report, madeReport([{ slug: 'a.fails' }])]);

/** Outputs that are made of a run, by name. */
const outputsOf: Record<string, (run: NastyRun) => string | Promise<string>> = {
  'the terminal': ({ report }) => closingText(report, `reports${NASTY}`, screen),
  'the terminal of --verbose': ({ report }) =>
    closingText(report, `reports${NASTY}`, { ...screen, width: 80 }, 'all'),
  'the terminal of --watch': ({ report }) => {
    const before = {
      ...report,
      requirements: report.requirements.map((row) => ({ ...row, outcome: 'passed' as const })),
    };
    return changesSummary(
      'Since the last run',
      changesSince(before, report),
      { ...screen, width: 80 },
      'chapters',
    );
  },
  'the summary': ({ report }) => markdown(report),
  annotations: ({ report }) => annotations(report).join('\n'),
  "the step's outputs": ({ report }) => outputs(report, `reports${NASTY}`),
  'conformance.json': ({ report }) => sanitizedJson(report),
  'the badge': ({ report }) => sanitizedJson(badge(report)),
  'the HTTP archive': ({ report, traced }) => [...harFile(traced, report)].join(''),
  "Allure's results": ({ report }) => {
    const { results, files } = allureResults(report);
    const texts = [...results.values()].map((result) => JSON.stringify(result));
    return [...files.values(), ...texts].join('\n');
  },
  'the page in HTML': ({ report }) => runPage(report),
  'the comparison': ({ report }) => comparisonMarkdown(comparisonOf(report)),
};

describe.concurrent.each(Object.entries(sources))('nasty text in %s', (_, makeRun) => {
  let begun: Promise<NastyRun> | undefined;
  const getRun = () => {
    begun ??= Promise.resolve(makeRun());
    return begun;
  };

  test('is harmless in every output, and nothing but text in HTML', async () => {
    const run = await getRun();
    const shown = await Promise.all(
      Object.entries(outputsOf).map(async ([name, make]) => [name, await make(run)] as const),
    );
    expect(shown.flatMap(([name, text]) => harmIn(text).map((harm) => `${name}: ${harm}`))).toEqual(
      [],
    );
    // Without the text, nothing would be tested.
    expect(shown.filter(([, text]) => text.includes('nasty')).length).toBeGreaterThan(0);
    for (const [name, text] of shown.filter(([output]) => output.endsWith('HTML'))) {
      expect(text, name).not.toContain('<script>alert');
      expect(text, name).not.toContain('<img');
    }
  });

  test('is the same value in JSON', async () => {
    const { report } = await getRun();
    expect(JSON.parse(sanitizedJson(report))).toEqual(JSON.parse(JSON.stringify(report)));
  });
});
