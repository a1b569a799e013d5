import { expect, test } from 'vitest';
import { schemaError } from '../../schemas/validate.ts';
import { type Made, type MadeRow, madeReport } from '../../tests/made-report.ts';
import type { ShownExchange } from '../http/exchange.ts';
import type { Coverage } from '../thorough/coverage.ts';
import { mergeReports } from './merged.ts';
import { runPage } from './page/run-page.ts';
import type { Report } from './report.ts';
import { markdown } from './summary.ts';
import { closing } from './terminal.ts';

const exchange = (id: number, path = `/v1/${id}`) =>
  ({
    id,
    request: { method: 'GET', path, headers: {} },
    failure: 'no response',
    at: 10,
    duration: 1,
    attempts: 1,
  }) as ShownExchange;

const coverage: Coverage = {
  seed: 1,
  bounds: { seconds: 60, requests: 3000, users: 300 },
  ended: 'the request limit was reached',
  rounds: 4,
  users: 200,
  widestPage: 190,
  mostAtOnce: 64,
  creationsAtOnce: 30,
  longestPauseMs: 10_500,
  kinds: { users: 10, lists: 2 },
  judged: { 'a.one': 5 },
};

/** Reports of runs with these outcomes of each requirement, one column a run. */
function runs(rows: Record<string, Partial<MadeRow>[]>, changes: Partial<Made>[] = []): Report[] {
  const count = Object.values(rows)[0]?.length ?? 0;
  return Array.from({ length: count }, (_, index) =>
    madeReport(
      Object.entries(rows).map(([slug, columns]) => ({ slug, ...columns[index] })),
      changes[index],
    ),
  );
}

const merged = (reports: Report[]) =>
  mergeReports(reports.map((report, index) => ({ from: `run-${index + 1}`, report })));
const passed = {};
const failed = { outcome: 'failed', reason: 'expected 1, got 2', expected: '1', got: '2' } as const;
const open = { outcome: 'not-verified', reason: 'no response' } as const;
const free = { outcome: 'not-applicable', reason: 'read-only' } as const;
const known = { outcome: 'known-failure', reason: 'TICKET-1' } as const;
const screen = { paint: (_: string, text: string) => text, width: Number.POSITIVE_INFINITY };

test.each([
  [[passed, failed, open, known], 'failed', 'non-conformant'],
  [[passed, known, open], 'known-failure', 'conformant'],
  [[passed, open, free], 'not-verified', 'inconclusive'],
  [[free, passed, free], 'passed', 'conformant'],
  [[free, free], 'not-applicable', 'conformant'],
])('the worst outcome counts: %o', (columns, outcome, verdict) => {
  const report = merged(runs({ 'a.one': columns, 'a.two': columns.map(() => passed) }));
  expect(report.requirements[0]).toMatchObject({ id: 'a.one', outcome });
  expect(report.verdict).toBe(verdict);
});

test('a failure is told with its exchanges, and in which runs it was seen', () => {
  const given = runs(
    { 'a.one': [passed, failed, failed] },
    [7, 8, 9].map((seed) => ({ coverage: { ...coverage, seed } })),
  );
  for (const one of given)
    for (const row of one.requirements) if (row.outcome === 'failed') row.exchanges = [exchange(1)];
  const report = merged(given);
  expect(report.requirements[0]).toMatchObject({
    outcome: 'failed',
    got: '2',
    seenIn: [1, 2],
    exchanges: [{ id: 1 }],
  });
  expect(closing(report, 'reports', screen)).toContain('seen in   2 of 3 runs: seeds 8, 9');
  expect(markdown(report)).toContain('seen in   2 of 3 runs: seeds 8, 9');
  expect(schemaError('report.schema.json', report, 'report')).toBeUndefined();
});

test('requests, users and durations add up, and each run keeps its seed', () => {
  const tally = {
    tag: 'abc',
    start: 0,
    requests: 100,
    usersCreated: 30,
    observations: { paging: ['none'] },
  };
  const report = merged(
    runs({ 'a.one': [passed, passed] }, [
      { tally, coverage },
      {
        tally: {
          ...tally,
          tag: 'def',
          requests: 50,
          observations: { paging: ['by page'], order: ['newest first'] },
        },
        coverage: { ...coverage, seed: 2 },
      },
    ]),
  );
  expect(report).toMatchObject({ requests: 150, users: { created: 60, tag: '' }, duration: 2468 });
  expect(report.observations).toEqual({ order: ['newest first'], paging: ['by page', 'none'] });
  expect(report.runs).toMatchObject([
    { from: 'run-1', seed: 1, tag: 'abc' },
    { from: 'run-2', seed: 2, tag: 'def' },
  ]);
});

test('a known failure that only some seeds find is not out of date; one that none finds is', () => {
  const knownFailures = [
    { slug: 'a.one', reason: 'TICKET-1', file: 'known.yml', line: 1, expired: false },
  ];
  const some = merged(runs({ 'a.one': [passed, known] }, [{ knownFailures }, { knownFailures }]));
  expect(some).toMatchObject({
    verdict: 'conformant',
    knownFailures: { listed: [{ slug: 'a.one' }], toChange: [] },
  });
  const none = merged(runs({ 'a.one': [passed, passed] }, [{ knownFailures }, { knownFailures }]));
  expect(none).toMatchObject({
    verdict: 'conformant',
    knownFailures: { toChange: [{ slug: 'a.one', why: 'stale', file: 'known.yml', line: 1 }] },
  });
});

test('a report that lists very many known failures is merged at once', () => {
  const entry = { reason: 'TICKET-1', file: 'known.yml', line: 1, expired: false };
  const [report] = runs({ 'a.one': [passed] }) as [Report];
  const listed = Array.from({ length: 20_000 }, (_, at) => ({ ...entry, slug: `a.${at}` }));
  const given = { ...report, knownFailures: { listed, toChange: [] } };
  expect(merged([given, given]).knownFailures.listed).toHaveLength(20_000);
});

test('a strict run makes it strict; only what no run judged makes it partial or read-only', () => {
  const should = { level: 'SHOULD', ...failed } as const;
  const strict = merged(
    runs({ 'a.one': [should, should] }, [{}, { strict: true, readOnly: true }]),
  );
  expect(strict).toMatchObject({
    verdict: 'non-conformant',
    scope: { strict: true, readOnly: false },
  });
  const left = { outcome: 'not-applicable', reason: 'left out by a filter' } as const;
  expect(merged(runs({ 'a.one': [left, passed], 'a.two': [passed, left] })).title).toBe(
    'conformant',
  );
  expect(merged(runs({ 'a.one': [left, left], 'a.two': [passed, left] })).title).toBe(
    'conformant (partial)',
  );
  expect(merged(runs({ 'a.one': [left, free] })).requirements[0]?.reason).toBe('read-only');
});

test('the page of a merged report shows its runs, and where a failure was seen', () => {
  const page = runPage(merged(runs({ 'a.one': [passed, failed] })));
  expect(page).toContain('<th scope="row">seen in</th><td><div>1 of 2 runs: run-2</div></td>');
  expect(page).toContain('<tr><th scope="row">run-2</th><td>✗ non-conformant, ');
});
