import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { madeReport } from '../made-report.ts';
import { brokenBy } from '../services/named.ts';
import { judgeByCommand } from './judge-by-command.ts';

const anyToken = brokenBy('any token is good');
const WRONG_KEY = 'authentication.wrong-key';
const NASTY = 'old.<script>alert(1)</script>\u001b[2J';

/** An earlier run, in which a request with a wrong key failed, or did not. */
const before = (wrongKey: 'failed' | 'passed') =>
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
    writeFileSync(join(folder, `${wrongKey}.json`), JSON.stringify(before(wrongKey)));
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const judge = (baseline: string, ...args: string[]) =>
  judgeByCommand(anyToken, {}, [
    ...['--only', WRONG_KEY, 'create.answers', '--settle', '200'],
    ...['--baseline', join(folder, `${baseline}.json`), ...args],
  ]);

test.concurrent('what failed before does not fail a run that fails on regressions alone, and is said first', async () => {
  const { code, stdout, report, files } = await judge('failed', '--fail-on', 'regression');
  expect(code).toBe(0);
  expect(report?.title).toBe('conformant (partial), with 1 known failure');
  const first = stdout.indexOf(
    'Since 2026-01-02 03:04 UTC (non-conformant): 1 fixed, 1 still failing, 1 no longer',
  );
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(stdout.indexOf('Verdict:'));
  expect(report?.changes).toMatchObject({
    failing: [],
    fixed: ['create.answers'],
    still: [WRONG_KEY],
  });
  const written = (name: string) => files.find(({ path }) => path.endsWith(name))?.content ?? '';
  for (const text of [stdout, written('summary.md'), written('report.html')]) {
    expect(text).toContain('still failing');
    expect(text).not.toContain('\u001b[2J');
  }
  expect(written('report.html')).toContain('old.&lt;script&gt;');
  expect(written('report.html')).not.toContain('<script>alert');
});

test.concurrent('what held before fails the run, and is named first', async () => {
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

test.concurrent('settings that look for regressions in nothing are refused', async () => {
  const { code, stderr } = await judgeByCommand(anyToken, {}, ['--fail-on', 'regression']).catch(
    (error) => error,
  );
  expect(code).toBe(2);
  expect(stderr).toContain('--fail-on has no effect without --baseline.');
});
