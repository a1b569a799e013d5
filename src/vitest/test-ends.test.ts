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

/** Returns the slugs of the tests that fail, with their messages. */
function failuresOf(
  rows: MadeRow[],
  options: Parameters<typeof testEnds>[1] = {},
): [slug: string, message: string][] {
  const ends = testEnds(madeReport(rows), options);
  return [...ends].flatMap(([slug, { state, text }]) => (state === 'fails' ? [[slug, text]] : []));
}

test('one fault is one failed test; a test that depends on it is skipped and names it', () => {
  const rows = [dependent, root, unreachable];
  expect(failuresOf(rows).map(([slug]) => slug)).toEqual(['a.root']);
  const ends = testEnds(madeReport(rows));
  expect(ends.get('a.waiting')).toMatchObject({
    state: 'is open',
    message: 'not verified: needs: a.root',
  });
});

test('an inconclusive run is one failed test, with all reasons', () => {
  const deadline: MadeRow = { ...unreachable, slug: 'a.late', reason: 'no user could be created' };
  expect(failuresOf([{ slug: 'a.fine' }, unreachable, unreachableToo, deadline])).toEqual([
    [
      'a.gone',
      'Inconclusive: 3 requirements could not be verified; 2 of them: connection refused.\n' +
        'connection refused: a.gone, a.gone-too\nno user could be created: a.late',
    ],
  ]);
});

test('a failed SHOULD fails no test, but a MUST that could not be verified because of it does', () => {
  const rows: MadeRow[] = [{ ...root, level: 'SHOULD' }, dependent];
  expect(failuresOf(rows)).toEqual([['a.waiting', expect.stringContaining('needs: a.root')]]);
  expect(testEnds(madeReport(rows)).get('a.root')).toMatchObject({
    state: 'warns',
    message: 'SHOULD not met: It returns 2xx. Expected a 2xx status, got 500.',
  });
});

test('a run without a judged requirement is a failed test', () => {
  const rows: MadeRow[] = [{ slug: 'a.none', outcome: 'not-applicable', reason: 'read-only' }];
  expect(failuresOf(rows)).toEqual([['a.none', 'Inconclusive: No requirement was judged.']]);
});

test('a test that runs alone fails if its requirement could not be verified', () => {
  const only = (wanted: string) => ({ isRunnable: (slug: string) => slug === wanted });
  expect(failuresOf([root, dependent, unreachable], only('a.waiting'))).toEqual([
    ['a.waiting', 'Not verified: needs: a.root'],
  ]);
  expect(failuresOf([root, dependent, { slug: 'a.fine' }], only('a.fine'))).toEqual([]);
});

test('a failed test has the rows of the terminal, with a curl line and explain', () => {
  const exchanges = [makeExchange({ status: 500, body: 'x'.repeat(5000) })] as ShownExchange[];
  const [[, message = ''] = []] = failuresOf([{ ...root, exchanges }]);
  expect(message.split('\n')).toEqual([
    'MUST not met: It returns 2xx.',
    'expected  a 2xx status',
    'got       500',
    'request   GET /v1/users  authorization: Bearer <API_KEY>',
    `response  500 ${'x'.repeat(200)}… (5000 bytes)`,
    expect.stringMatching(/^repeat {4}curl .*"\$API_KEY" 'http:\/\/127\.0\.0\.1:3000\/v1\/users'$/),
    'source    a document',
    expect.stringMatching(/^explain {3}.* explain a\.root$/),
  ]);
});

test('where the service ends with the tests, a failed test has the command that runs it again', () => {
  const exchanges = [makeExchange({ status: 500 })] as ShownExchange[];
  const [[, message = ''] = []] = failuresOf([{ ...root, exchanges }], {
    testFile: 'tests/my api.test.ts',
  });
  expect(message).not.toContain('curl');
  expect(message).toContain(
    [
      'repeat    the service ends with the tests; this runs them again for this requirement:',
      "again     npx vitest run 'tests/my api.test.ts' -t 'a.root$'",
    ].join('\n'),
  );
});

test('an inconclusive run shows the request that nothing came of', () => {
  const reason = 'the service returns 401: is it the right key?';
  const exchanges = [makeExchange({ status: 401, body: 'no' })] as ShownExchange[];
  const report = madeReport([{ ...unreachable, reason, exchanges }], { obstacle: reason });
  expect(testEnds(report).get('a.gone')?.text.split('\n')).toEqual([
    'Inconclusive: The service returns 401: is it the right key?',
    'request   GET /v1/users  authorization: Bearer <API_KEY>',
    'response  401 no',
  ]);
});

test('a fault of the suite fails a test if no other fails', () => {
  const ends = (rows: MadeRow[]) => testEnds(madeReport(rows), { fault: 'x is not defined' });
  expect(ends([unreachable]).get('a.gone')).toMatchObject({
    state: 'fails',
    message: 'The suite itself failed: x is not defined',
  });
  expect(ends([unreachable, root]).get('a.gone')?.state).toBe('is open');
});
