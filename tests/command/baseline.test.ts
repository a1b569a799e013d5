import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { madeReport } from '../made-report.ts';
import { brokenBy } from '../services/named.ts';
import { contentOf } from '../shell.ts';
import { judgeByCommand } from './judge-by-command.ts';

const anyToken = brokenBy('any token is good');
const WRONG_KEY = 'authentication.wrong-key';
const NASTY = 'old.<script>alert(1)</script>\u001b[2J';

/** Makes the report of an earlier run. Its slug beyond the requirements attacks readers. */
const earlierReport = (wrongKey: 'failed' | 'passed') =>
  madeReport([
    { slug: WRONG_KEY, outcome: wrongKey, reason: wrongKey === 'failed' ? 'x' : '' },
    { slug: 'create.answers', outcome: 'failed', reason: 'x' },
    { slug: 'list.answers' },
    { slug: NASTY, outcome: 'failed', reason: 'x' },
  ]);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conformance-baseline-'));
  for (const wrongKey of ['failed', 'passed'] as const) {
    const report = JSON.stringify(earlierReport(wrongKey));
    writeFileSync(join(folder, `${wrongKey}.json`), report);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Judges with a baseline in which the requirement on wrong keys failed or passed. */
function judge(wrongKey: 'failed' | 'passed', ...args: string[]) {
  const few = ['--only', WRONG_KEY, 'create.answers', '--settle', '200'];
  const baseline = ['--baseline', join(folder, `${wrongKey}.json`)];
  return judgeByCommand(anyToken, {}, [...few, ...baseline, ...args]);
}

test.concurrent('with --fail-on regression an old failure does not fail the run', async () => {
  const { code, stdout, report, files } = await judge('failed', '--fail-on', 'regression');
  expect(code).toBe(0);
  expect(report?.title).toBe('conformant (partial), with 1 known failure');
  const changes = stdout.indexOf(
    'Since 2026-01-02 03:04 UTC (non-conformant): 1 fixed, 1 still failing, 1 no longer',
  );
  expect(changes).toBeGreaterThan(0);
  expect(changes).toBeLessThan(stdout.indexOf('Verdict:'));
  expect(report?.changes).toMatchObject({
    failing: [],
    fixed: ['create.answers'],
    still: [WRONG_KEY],
  });
  const page = contentOf(files, 'report.html');
  for (const text of [stdout, contentOf(files, 'summary.md'), page]) {
    expect(text).toContain('still failing');
    expect(text).not.toContain('\u001b[2J');
  }
  expect(page).toContain('old.&lt;script&gt;');
  expect(page).not.toContain('<script>alert');
});

test.concurrent('a regression fails the run, and is named first', async () => {
  const { code, stdout } = await judge('passed', '--fail-on', 'regression');
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /1 new failure, 1 fixed.*\n {2}new failure\n {4}authentication\.wrong-key\n/,
  );
});

test.concurrent('a baseline alone changes no verdict', async () => {
  const { code, report } = await judge('failed');
  expect({ code, title: report?.title }).toEqual({ code: 1, title: 'non-conformant (partial)' });
});

test.concurrent('--fail-on regression needs a baseline', async () => {
  const { code, stderr } = await judgeByCommand(anyToken, {}, ['--fail-on', 'regression']);
  expect(code).toBe(2);
  expect(stderr).toContain('--fail-on has no effect without --baseline.');
});
