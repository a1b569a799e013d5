import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/reports/report.ts';
import { brokenBy } from '../services/named.ts';
import { type Patch, start } from '../services/service.ts';
import {
  type Ended,
  filesBelow,
  inFolder,
  lastLineOf,
  ROOT,
  reportIn,
  runNode,
  VITEST,
  type WrittenFile,
} from '../shell.ts';
import { runCommand } from './kept-command.ts';

/** Returns the members of a report that two runs of one service share. */
function comparable(report: Report) {
  const { title, because, requirements } = report;
  const outcomes = requirements.map(({ id, outcome, reason, needs }) => {
    return { id, outcome, reason, needs };
  });
  return { title, because, outcomes };
}

/** Returns the members of Allure results that two runs of one service share. */
const comparableAllure = (files: WrittenFile[]) =>
  files
    .filter(({ path }) => path.endsWith('-result.json'))
    .map(({ content }) => JSON.parse(content))
    .sort((a, b) => a.start - b.start)
    .map(({ name, fullName, historyId, status, labels, links, stage }) => {
      return { name, fullName, historyId, status, labels, links, stage };
    });

const KNOWN_FAILURES = [
  { slug: 'list.total-integer', reason: 'the next release will do' },
  { slug: 'http.json', reason: 'stale' },
];

interface Case {
  title: string;
  patches: Patch[];
  strict?: boolean;
  only?: string;
  isEmbedded?: boolean;
  knownFailures?: object[];
  code: number;
}

const CASES: Case[] = [
  {
    title: 'a wrong total and no Location, strict, with a known failure and a stale one',
    patches: [brokenBy('total is a string'), brokenBy('no Location')],
    strict: true,
    // With a selection, each report says that it is partial.
    only: 'list.* create.* http.json versioning.*',
    knownFailures: KNOWN_FAILURES,
    code: 1,
  },
  { title: 'the embedded reference', patches: [], isEmbedded: true, code: 0 },
  {
    title: 'a selected SHOULD',
    patches: [brokenBy('no Location')],
    only: 'create.*',
    code: 0,
  },
];

type RunSuite = (env: Record<string, string>, folder: string) => Promise<Ended>;

/** Judges the service of a case, and checks that no output holds the key. */
const judgeCase = (runSuite: RunSuite, serviceCase: Case) =>
  inFolder(async (folder) => {
    const { patches, strict, only = '', isEmbedded, knownFailures } = serviceCase;
    const service = await start(...patches);
    const env: Record<string, string> = {
      BASE_URL: isEmbedded ? 'embedded-reference' : service.baseUrl,
      API_KEY: service.apiKey,
      CONFORMANCE_NAME: 'Mine',
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
      CONFORMANCE_SETTLE_MS: '200',
      CONFORMANCE_ONLY: only,
    };
    if (strict) env.CONFORMANCE_STRICT = '1';
    if (knownFailures) {
      env.CONFORMANCE_KNOWN_FAILURES = join(folder, 'known.json');
      writeFileSync(env.CONFORMANCE_KNOWN_FAILURES, JSON.stringify(knownFailures));
    }
    const ended = await runSuite(env, folder).finally(service.close);
    const files = filesBelow(folder);
    for (const { path, content } of files) expect(content, path).not.toContain(service.apiKey);
    expect(`${ended.stdout}${ended.stderr}`).not.toContain(service.apiKey);
    const names = files
      .map(({ path }) => path.slice(folder.length))
      .filter((path) => !path.includes('allure-results'))
      .sort();
    const report = comparable(reportIn(folder) as Report);
    const verdict = `Verdict: ${report.title}. ${report.because}`;
    return { ...ended, verdict, report, allure: comparableAllure(files), names };
  });

/**
 * Removes the differences between two runs: the names of settings, the path of the known failures,
 * and numbers, because a slow machine fetches more lists.
 */
const normalized = (report: object) =>
  JSON.parse(JSON.stringify(report), (_, value) =>
    typeof value === 'string'
      ? value.replaceAll(/--all-requests|CONFORMANCE_ALL_REQUESTS|"?[^ "]*known\.json|\d+/g, '')
      : value,
  );

// Each case starts two processes, and one of them loads Vitest.
test.concurrent.for(CASES)(
  'the command and `vitest run` end alike: $title',
  async (serviceCase) => {
    const [byCommand, byVitest] = await Promise.all([
      judgeCase((env, folder) => runCommand([], env, folder), serviceCase),
      judgeCase((env) => runNode([VITEST, 'run'], env, ROOT), serviceCase),
    ]);
    expect(normalized(byVitest.report)).toEqual(normalized(byCommand.report));
    expect(byVitest.stdout).toContain(byVitest.verdict);
    expect(byVitest.allure).toEqual(byCommand.allure);
    expect(byVitest.names).toEqual(byCommand.names);
    expect([byCommand.code, byVitest.code]).toEqual([serviceCase.code, serviceCase.code]);
  },
);

test.concurrent('one fault fails one test, which shows the request and the response', async () => {
  const service = await start(brokenBy('total is a string'));
  await inFolder(async (folder) => {
    const file = join(folder, 'results.json');
    const env = {
      BASE_URL: service.baseUrl,
      API_KEY: service.apiKey,
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
      CONFORMANCE_SETTLE_MS: '200',
      CONFORMANCE_ONLY: 'list.* create.*',
    };
    const args = [VITEST, 'run', '--reporter=default', '--reporter=json', '--outputFile', file];
    const { code, stdout, stderr } = await runNode(args, env, ROOT).finally(service.close);
    expect(code).toBe(1);
    const { numFailedTests, testResults } = JSON.parse(readFileSync(file, 'utf8'));
    const tests: { title: string; status: string; failureMessages: string[] }[] =
      testResults[0].assertionResults;
    expect(numFailedTests).toBe(1);
    const [failed] = tests.filter(({ status }) => status === 'failed');
    expect(failed?.title).toBe('list.total-integer');
    const [message = ''] = failed?.failureMessages ?? [];
    expect(message).toMatch(
      /^MUST not met: The `total` of the list is an integer of 0 or more\.\n/,
    );
    expect(message).toMatch(
      /\nrequest {3}GET \/v1\/users {2}authorization: Bearer <API_KEY>\nresponse {2}200 .*"total":"\d+"}/,
    );
    expect(message).toMatch(
      /\nrepeat {4}curl .*\n(.*\n)*explain {3}.* explain list\.total-integer$/,
    );
    expect(stderr).not.toContain(' ❯ ');
    expect(stdout).toContain('list.total-exact');
    expect(stdout).toContain('[not verified: needs: list.total-integer]');
  });
});

test.concurrent('an inconclusive run fails one test, which gives the reason', async () => {
  await inFolder(async (folder) => {
    const env = {
      BASE_URL: 'http://127.0.0.1:1/v1',
      API_KEY: 'a-key-4711',
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
    };
    const { code, stdout, stderr } = await runNode([VITEST, 'run'], env, ROOT);
    expect(code).toBe(1);
    expect(stdout).toMatch(/ Tests +1 failed \| /);
    expect(stderr.match(/^\w*Error: .*/gm)).toEqual([
      expect.stringMatching(/^Error: Inconclusive: Connection refused: is the service running, /),
    ]);
  });
});

test.concurrent('a misspelt slug ends Vitest with one sentence before the first test', async () => {
  await inFolder(async (folder) => {
    const env = {
      BASE_URL: 'embedded-reference',
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
      CONFORMANCE_ONLY: 'list.total',
    };
    const { code, stderr } = await runNode([VITEST, 'run'], env, ROOT);
    // Vite prints a warning first if the machine is busy.
    expect(lastLineOf(stderr)).toBe(
      'No requirement matches "list.total": did you mean list.total-integer?',
    );
    expect(stderr).not.toContain(' ❯ ');
    expect(code).toBe(2);
  });
});

test.concurrent('Vite must not print its configuration, because it holds the key', async () => {
  await inFolder(async (folder) => {
    const env = {
      BASE_URL: 'embedded-reference',
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
      DEBUG: 'vite:*',
    };
    const { code, stderr } = await runNode([VITEST, 'run'], env, ROOT);
    expect(stderr).toContain(
      'DEBUG makes Vite print its configuration, and the key with it: unset it.\n',
    );
    expect(code).toBe(2);
  });
});
