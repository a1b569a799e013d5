import { expect, test } from 'vitest';
import { makeExchange } from '../../tests/made-history.ts';
import { type MadeRow, madeReport } from '../../tests/made-report.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { testEnds } from './test-ends.ts';

const root: MadeRow = {
  slug: 'a.root',
  outcome: 'failed',
  sentence: 'It returns 2xx.',
  reason: 'expected a 2xx status, got 500',
  expected: 'a 2xx status',
  got: '500',
};
const dependent: MadeRow = {
  slug: 'a.waiting',
  outcome: 'not-verified',
  reason: 'needs: a.root',
  needs: 'a.root',
};
const unreachable: MadeRow = {
  slug: 'a.gone',
  outcome: 'not-verified',
  reason: 'connection refused',
};
const unreachableToo: MadeRow = { ...unreachable, slug: 'a.gone-too' };

const everyTest = () => true;

/** Returns the slugs of the tests that fail, with their messages. */
function failuresOf(
  rows: MadeRow[],
  isRunnable: (slug: string) => boolean = everyTest,
): [slug: string, message: string][] {
  const ends = testEnds(madeReport(rows), isRunnable);
  return [...ends].flatMap(([slug, { state, message }]) =>
    state === 'fails' ? [[slug, message]] : [],
  );
}

test('one fault is one failed test; a test that depends on it is skipped and names it', () => {
  const rows = [dependent, root, unreachable];
  expect(failuresOf(rows).map(([slug]) => slug)).toEqual(['a.root']);
  const ends = testEnds(madeReport(rows), everyTest);
  expect(ends.get('a.waiting')).toMatchObject({
    state: 'skips',
    reason: 'not verified: needs: a.root',
  });
});

test('an inconclusive run is one failed test, with all reasons', () => {
  const deadline: MadeRow = { ...unreachable, slug: 'a.late', reason: 'no user could be created' };
  expect(failuresOf([{ slug: 'a.fine' }, unreachable, unreachableToo, deadline])).toEqual([
    [
      'a.gone',
      'Inconclusive: 3 requirements could not be verified.\n' +
        'connection refused: a.gone, a.gone-too\nno user could be created: a.late',
    ],
  ]);
});

test('a failed SHOULD fails no test, but a MUST that could not be verified because of it does', () => {
  const rows: MadeRow[] = [{ ...root, level: 'SHOULD' }, dependent];
  expect(failuresOf(rows)).toEqual([['a.waiting', expect.stringContaining('needs: a.root')]]);
  expect(testEnds(madeReport(rows), everyTest).get('a.root')).toMatchObject({
    state: 'warns',
    reason: 'SHOULD not met: It returns 2xx. expected a 2xx status, got 500',
  });
});

test('a run without a judged requirement is a failed test', () => {
  const rows: MadeRow[] = [{ slug: 'a.none', outcome: 'not-applicable', reason: 'read-only' }];
  expect(failuresOf(rows)).toEqual([['a.none', 'Inconclusive: No requirement was judged.']]);
});

test('a test that runs alone fails if its requirement could not be verified', () => {
  const only = (wanted: string) => (slug: string) => slug === wanted;
  expect(failuresOf([root, dependent, unreachable], only('a.waiting'))).toEqual([
    ['a.waiting', 'Not verified: needs: a.root'],
  ]);
  expect(failuresOf([root, dependent, { slug: 'a.fine' }], only('a.fine'))).toEqual([]);
});

test('a failed test shows the request and the response that failed', () => {
  const headers: [string, string][] = [
    ['content-type', 'text/plain'],
    ['date', 'Sat, 28 Nov 2026 16:06:18 GMT'],
  ];
  const exchanges = [
    makeExchange({ status: 500, body: 'x'.repeat(5000), response: { headers } }),
    makeExchange({ status: 200 }),
  ] as ShownExchange[];
  const [[, message = ''] = []] = failuresOf([{ ...root, exchanges }]);
  expect(message).toMatch(
    new RegExp(
      [
        '^MUST not met: It returns 2xx.',
        'expected a 2xx status, got 500',
        'source: a document',
        '',
        'GET /v1/users',
        'authorization: Bearer <API_KEY>',
        '',
        '500 Internal Server Error',
        'content-type: text/plain',
        '',
        'x{1200}',
        '… \\(5000 bytes\\)',
        '',
        `repeat: curl .*"\\$API_KEY" 'http://127.0.0.1:3000/v1/users'$`,
      ].join('\n'),
    ),
  );
});

test('a fault of the suite fails a test if no other fails', () => {
  const ends = (rows: MadeRow[]) => testEnds(madeReport(rows), everyTest, 'x is not defined');
  expect(ends([unreachable]).get('a.gone')).toMatchObject({
    state: 'fails',
    message: 'The suite itself failed: x is not defined',
  });
  expect(ends([unreachable, root]).get('a.gone')?.state).toBe('skips');
});
