import { describe, expect, test } from 'vitest';
import { listed } from '../../tests/listed.ts';
import { type MadeRow, madeReport } from '../../tests/made-report.ts';
import { LEFT_OUT } from './selection.ts';

let count = 0;

/** Makes a requirement with a slug of its own. */
const row = (
  level: 'MUST' | 'SHOULD',
  outcome: MadeRow['outcome'] = 'passed',
  changes: Partial<MadeRow> = {},
): MadeRow => {
  count += 1;
  return { slug: `a.${count}`, level, outcome, ...changes };
};

const named = (slug: string, outcome: MadeRow['outcome'], level: 'MUST' | 'SHOULD' = 'MUST') =>
  row(level, outcome, { slug });

const leftOut = (level: 'MUST' | 'SHOULD') => row(level, 'not-applicable', { reason: LEFT_OUT });

const SMALLER =
  'A fault that needs other requests does not show: CONFORMANCE_ALL_REQUESTS sends all.';

describe('the reason of a verdict', () => {
  test.each<[MadeRow[], string]>([
    [[named('a', 'failed'), named('b', 'failed')], '2 requirements failed: a, b.'],
    [[row('MUST')], 'Every MUST holds.'],
    [[row('MUST'), named('a', 'failed', 'SHOULD')], 'Every MUST holds. 1 SHOULD failed: a.'],
    [[], 'No requirement was judged.'],
    [[row('MUST'), named('a', 'known-failure')], 'Every other MUST holds. 1 known failure (a).'],
    [
      [row('MUST'), named('a', 'known-failure', 'SHOULD')],
      'Every MUST holds. 1 known failure (a).',
    ],
    [[named('a', 'known-failure')], 'Every other MUST holds. 1 known failure (a).'],
    [
      [
        row('MUST'),
        ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((slug) => named(slug, 'known-failure')),
      ],
      'Every other MUST holds. 7 known failures (a, b, c, d, e and 2 more).',
    ],
  ])('of %o: %s', (rows, because) => {
    expect(madeReport(rows).because).toBe(because);
  });

  test('of a strict run names both levels', () => {
    expect(madeReport([row('MUST')], { strict: true }).because).toBe(
      'Every MUST and SHOULD holds.',
    );
  });

  test.each<[MadeRow[], string]>([
    [
      [row('MUST'), leftOut('MUST')],
      '1 of 2 MUSTs and 0 of 0 SHOULDs were judged, and none failed.',
    ],
    [
      [row('SHOULD'), leftOut('MUST'), leftOut('SHOULD')],
      '0 of 1 MUST and 1 of 2 SHOULDs were judged, and none failed.',
    ],
    [
      [named('a', 'failed', 'SHOULD'), row('SHOULD'), leftOut('MUST')],
      '0 of 1 MUST and 2 of 2 SHOULDs were judged, and 1 SHOULD failed: a.',
    ],
    [
      [named('a', 'known-failure', 'SHOULD'), leftOut('MUST')],
      '0 of 1 MUST and 1 of 1 SHOULD were judged. 1 known failure (a).',
    ],
  ])('of a partial run says what was judged: %o: %s', (rows, because) => {
    expect(madeReport(rows)).toMatchObject({
      title: expect.stringMatching(/\(partial\)/),
      because: because.replace('.', `. ${SMALLER}`),
    });
    expect(madeReport(rows, { sentAll: true }).because).toBe(because);
  });

  test('of a read-only run says what was judged', () => {
    expect(
      madeReport([row('MUST'), row('MUST', 'not-applicable')], { readOnly: true }).because,
    ).toBe('1 of 2 MUSTs and 0 of 0 SHOULDs were judged, and none failed.');
  });

  test('says why requirements could not be verified, with the reason of most of them', () => {
    const open = (reason: string) => row('MUST', 'not-verified', { reason });
    const gone = 'connection refused; the last requests before: GET /v1/users';
    expect(madeReport([row('MUST'), open(gone), open(gone)]).because).toBe(
      `2 requirements could not be verified: ${gone}.`,
    );
    expect(madeReport([open('no user'), open(gone), open(gone)]).because).toBe(
      `3 requirements could not be verified; 2 of them: ${gone}.`,
    );
    const dependent = row('MUST', 'not-verified', { needs: 'a.root', reason: 'needs: a.root' });
    expect(madeReport([named('a.root', 'failed', 'SHOULD'), dependent]).because).toBe(
      '1 requirement could not be verified: it depends on a.root.',
    );
  });

  test('names known failures that are out of date, unless a requirement failed', () => {
    const knownFailures = [listed('c.d', { line: 3 })];
    expect(madeReport([named('a', 'failed')], { knownFailures }).because).toBe(
      '1 requirement failed: a.',
    );
    const outdated = 'Known failures are out of date, which fails the job: known.yml:3.';
    expect(madeReport([row('MUST')], { knownFailures }).because).toBe(
      `Every MUST holds. ${outdated}`,
    );
    const reason = 'no response';
    expect(madeReport([row('MUST', 'not-verified', { reason })], { knownFailures })).toMatchObject({
      verdict: 'inconclusive',
      because: `1 requirement could not be verified: no response. ${outdated}`,
    });
  });
});
