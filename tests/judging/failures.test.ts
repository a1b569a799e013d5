import { expect, test } from 'vitest';
import { annotations } from '../../src/reports/github.ts';
import { junit } from '../../src/reports/junit.ts';
import { runPage } from '../../src/reports/page/run-page.ts';
import { plainScreen } from '../../src/reports/screen.ts';
import { failures } from '../../src/reports/selection.ts';
import { markdown } from '../../src/reports/summary.ts';
import { closingText } from '../../src/reports/terminal.ts';
import type { Outcome } from '../../src/requirement/outcome.ts';
import { testEnds } from '../../src/vitest/test-ends.ts';
import { reportOf } from '../made-report.ts';
import { judgeAll, judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { brokenBy } from '../services/named.ts';
import { existingUsers } from '../services/patches.ts';
import type { Patch } from '../services/service.ts';

/** Faults that do not hide one another. */
const FAULTS = [
  'the list is open',
  'creating is open',
  'a beginning of the key is good',
  'what begins with the key is good',
  'the key has no case',
  '403 without credentials',
  'a 401 without WWW-Authenticate',
  'the scheme must be written Bearer',
  'data is null when there are none',
  'no email, no matter',
  'no name, no matter',
  'an array is taken as a batch',
  'an empty body is a user',
  'truncated JSON is completed',
  'a creation is 200',
  'an invalid body is 302',
  'all users',
  'an unknown identifier yields the last user',
  'an odd identifier is 500',
];

async function judged(names: string[]): Promise<Outcome[]> {
  const service = await startHere(...names.map(brokenBy));
  const { outcomes } = await judgeKept(service, { settleMs: 0 }).finally(service.close);
  return outcomes;
}

const manyFaults = judged(FAULTS);
const slugsIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, slug]) => slug);

test('the findings without which most others could not be judged come first, a MUST before a SHOULD', async () => {
  const report = reportOf(await manyFaults);
  const { failing, warnings } = failures(report);
  expect(failing.length).toBeGreaterThan(10);
  expect(warnings.length).toBeGreaterThan(5);
  const behind = failing.map(
    ({ id }) => report.requirements.filter(({ needs }) => needs === id).length,
  );
  expect(behind[0]).toBeGreaterThan(1);
  expect(behind).toEqual([...behind].sort((a, b) => b - a));
  const strict = failures(reportOf(await manyFaults, { strict: true }));
  expect(strict.warnings).toEqual([]);
  expect(strict.failing.map(({ id }) => id)).toEqual([...failing, ...warnings].map(({ id }) => id));
});

test('nine failures are annotated, and the number of the others', async () => {
  const report = reportOf(await manyFaults);
  const { failing, warnings } = failures(report);
  const lines = annotations(report);
  const errors = lines.filter((line) => line.startsWith('::error '));
  expect(errors).toHaveLength(10);
  expect(slugsIn(errors.join('\n'), /title=MUST ([a-z0-9.-]+)/g)).toEqual(
    failing.slice(0, 9).map(({ id }) => id),
  );
  expect(errors.at(-1)).toBe(
    `::error title=Conformance::and ${failing.length - 9} more: see the summary`,
  );
  expect(lines.filter((line) => line.startsWith('::warning title=SHOULD '))).toHaveLength(
    warnings.length,
  );
});

test('a gate that closes without a finding is annotated with the reason', () => {
  const base = { lookedAt: [], exchanges: [], outcome: 'not-verified' as const };
  const silent = reportOf([{ ...base, slug: 'list.answers', reason: 'connection refused' }]);
  expect(annotations(silent)).toEqual([
    '::error title=Conformance%3A inconclusive::1 requirement could not be verified: connection refused.',
  ]);
});

test('the summary begins with a table of all findings, and folds what is long', async () => {
  const report = reportOf(await manyFaults);
  const { failing, warnings } = failures(report);
  const text = markdown(report);
  const [table = ''] = text.split('\n## ');
  expect(slugsIn(table, /^\| (?:MUST|SHOULD) \| ([a-z0-9.-]+\.[a-z0-9.-]+) \|/gm)).toEqual(
    [...failing, ...warnings].map(({ id }) => id),
  );
  expect(text).not.toContain('left out');
  const unfolded = text.replace(/<details>[\s\S]*?<\/details>/g, '');
  expect(unfolded).not.toContain('```');
  expect(unfolded).not.toContain('needs:');
});

test('the summary stays below a limit: the least telling findings are in its table alone', async () => {
  const report = reportOf(await manyFaults);
  const all = Object.values(failures(report)).flat();
  const whole = markdown(report);
  const text = markdown(report, {}, 20_000);
  expect(Buffer.byteLength(whole)).toBeGreaterThan(20_000);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
  const folded = /^<details><summary>(?:MUST|SHOULD) (\S+)<\/summary>/gm;
  expect(slugsIn(whole, folded)).toEqual(all.map(({ id }) => id));
  const left = slugsIn(text, folded);
  expect(left.length).toBeGreaterThan(5);
  expect(left.slice(0, 5)).toEqual(all.slice(0, 5).map(({ id }) => id));
  for (const { id } of all) expect(text).toContain(`| ${id} |`);
  expect(text.match(/<details>/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);

  const verdictAlone = markdown(report, {}, 1000);
  expect(verdictAlone).toMatch(/^# Conformance of .*: non-conformant\n/);
  expect(Buffer.byteLength(verdictAlone)).toBeLessThanOrEqual(1000);
  expect(markdown(report, {}, 10)).toBe('');
});

test('the wrong part at the end of a long list is shown once, in every report', async () => {
  const manyUsers: Patch = ({ users }) => {
    users.push(...existingUsers(500));
  };
  const service = await startHere(manyUsers, brokenBy('total is a string'));
  const only = ['list.total-integer'];
  const { outcomes } = await judgeAll(service, {}, { only }).finally(service.close);
  const report = reportOf(outcomes);
  const wrong = /^ *response .*… .*"total":"50\d"\} \(\d+ bytes\)$/gm;
  const texts = {
    terminal: closingText(report, 'reports', plainScreen(Number.POSITIVE_INFINITY)),
    summary: markdown(report).replaceAll(/\n {14}/g, ' '),
    junit: junit(report).replaceAll('&quot;', '"'),
    vitest: testEnds(report).get('list.total-integer')?.text ?? '',
  };
  for (const [name, text] of Object.entries(texts)) {
    expect(text.match(/^ *request /gm), name).toHaveLength(1);
    expect(text.match(wrong), name).toHaveLength(1);
  }
  expect(runPage(report)).toMatch(/&quot;total&quot;:<mark>&quot;50\d&quot;<\/mark>\} \(/);
});

test('a retrieval of another user is no lag: the run does not wait', async () => {
  const service = await startHere(brokenBy('always the first user'));
  const only = ['retrieve.exact-user'];
  const run = await judgeAll(service, { settleMs: 3_600_000 }, { only }).finally(service.close);
  // A run that waits is ended by its deadline, and reasons name it.
  expect(run.slugs('failed')).toEqual(only);
  expect(run.notPassed().join('\n')).not.toContain('deadline');
});
