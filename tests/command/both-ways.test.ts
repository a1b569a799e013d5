import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../../src/reports/report.ts';
import { brokenBy } from '../services/named.ts';
import { type Patch, start } from '../services/service.ts';
import { COMMAND, type Ended, filesBelow, inFolder, reportIn, runNode, VITEST } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const ROOT = join(COMMAND, '../..');

/** What a run ended with, requirement by requirement. */
const endings = (report: Report) => ({
  verdict: report.title,
  because: report.because,
  outcomes: report.requirements.map(({ id, outcome, reason, needs }) => ({
    id,
    outcome,
    reason,
    needs,
  })),
});

/** The same of the results for Allure. */
const inAllure = (folder: string) =>
  filesBelow(join(folder, 'reports'))
    .filter(({ path }) => path.endsWith('-result.json'))
    .map(({ content }) => JSON.parse(content))
    .sort((a, b) => a.start - b.start)
    .map(({ name, fullName, historyId, status, labels, links, stage }) => {
      return { name, fullName, historyId, status, labels, links, stage };
    });

const KNOWN = [
  { slug: 'list.total-integer', reason: 'the next release will do' },
  { slug: 'http.json', reason: 'stale' },
];

interface Case {
  title: string;
  patches: Patch[];
  strict?: boolean;
  only?: string;
  isEmbedded?: boolean;
  known?: object[];
  code: number;
}

const CASES: Case[] = [
  {
    title: 'a wrong total and no Location, strict, with known failures of which one is stale',
    patches: [brokenBy('total is a string'), brokenBy('no Location')],
    strict: true,
    // A part of them: each report says so.
    only: 'list.* create.* http.json versioning.*',
    known: KNOWN,
    code: 1,
  },
  { title: 'the embedded reference', patches: [], isEmbedded: true, code: 0 },
  {
    title: 'a SHOULD that is selected',
    patches: [brokenBy('no Location')],
    only: 'create.*',
    code: 0,
  },
];

// Each starts two processes, of which one loads Vitest.
test.concurrent.for(CASES)(
  'the command and `vitest run` end alike: $title',
  async ({ patches, strict, only = '', isEmbedded, known, code }) => {
    const run = (made: (env: Record<string, string>, folder: string) => Promise<Ended>) =>
      inFolder(async (folder) => {
        const service = await start(...patches);
        const env: Record<string, string> = {
          BASE_URL: isEmbedded ? 'embedded-reference' : service.baseUrl,
          API_KEY: service.apiKey,
          CONFORMANCE_NAME: 'Mine',
          CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
          CONFORMANCE_SETTLE_MS: '200',
          CONFORMANCE_ONLY: only,
          ...(strict && { CONFORMANCE_STRICT: '1' }),
        };
        if (known) {
          env.CONFORMANCE_KNOWN_FAILURES = join(folder, 'known.json');
          writeFileSync(env.CONFORMANCE_KNOWN_FAILURES, JSON.stringify(known));
        }
        const ended = await made(env, folder).finally(service.close);
        const files = filesBelow(folder);
        for (const { path, content } of files) expect(content, path).not.toContain(service.apiKey);
        expect(`${ended.stdout}${ended.stderr}`).not.toContain(service.apiKey);
        const names = files
          .map(({ path }) => path.slice(folder.length))
          .filter((path) => !path.includes('allure-results'));
        return {
          ...ended,
          ended: endings(reportIn(folder) as Report),
          allure: inAllure(folder),
          names: names.sort(),
        };
      });
    const [byCommand, byVitest] = await Promise.all([
      run((env, folder) => runCommand([], env, folder)),
      run((env) => runNode([VITEST, 'run'], env, ROOT)),
    ]);
    const place = /"?[^ "]*known\.json/g;
    expect(JSON.parse(JSON.stringify(byVitest.ended).replace(place, ''))).toEqual(
      JSON.parse(JSON.stringify(byCommand.ended).replace(place, '')),
    );
    expect(byVitest.stdout).toContain(
      `Verdict: ${byVitest.ended.verdict}. ${byVitest.ended.because}`,
    );
    expect(byVitest.allure).toEqual(byCommand.allure);
    expect(byVitest.names).toEqual(byCommand.names);
    expect([byCommand.code, byVitest.code]).toEqual([code, code]);
  },
);

test.concurrent('one fault is one red test, with the request and the response in its message', async () => {
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
      /\nGET \/v1\/users\naccept: application\/json\nauthorization: Bearer <API_KEY>\n(\(on .*\)\n)?\n200 OK\n/,
    );
    expect(message).toMatch(/"total": "\d+"\n}\n\nrepeat: curl /);
    expect(stderr).not.toContain(' ❯ ');
    expect(stdout).toContain('list.total-exact');
    expect(stdout).toContain('[not verified: needs: list.total-integer]');
  });
});

test.concurrent('an inconclusive run is one red test, which says why', async () => {
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

test.concurrent('a misspelt slug ends Vitest before the first test, in one sentence', async () => {
  await inFolder(async (folder) => {
    const env = {
      BASE_URL: 'embedded-reference',
      CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
      CONFORMANCE_ONLY: 'list.total',
    };
    const { code, stderr } = await runNode([VITEST, 'run'], env, ROOT);
    // Vite prints a warning first if the machine is busy.
    const lastLine = stderr.trimEnd().split('\n').at(-1);
    expect(lastLine).toBe('No requirement matches "list.total": did you mean list.total-integer?');
    expect(stderr).not.toContain(' ❯ ');
    expect(code).toBe(2);
  });
});

test.concurrent('Vite may not print its configuration, in which the key is', async () => {
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
