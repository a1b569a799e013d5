import { describe, expect, test } from 'vitest';
import { listed } from '../../tests/listed.ts';
import type { OutcomeName } from '../requirement/outcome.ts';
import { entriesToChange, type ListedFailure, lineToChange } from './accept.ts';
import { decide, exitCodeOf } from './verdict.ts';

/** Slugs of a requirement set; the advice suggests the closest one. */
const SLUGS = [
  'list.answers',
  'list.total-integer',
  'list.users',
  'create.answers',
  'create.location',
  'http.json',
];

describe('entries to change', () => {
  const linesFor = (entry: ListedFailure, name?: OutcomeName) => {
    const outcomeOf = (slug: string): OutcomeName =>
      name !== undefined && slug === entry.slug ? name : 'passed';
    const judged = SLUGS.map((slug) => ({ slug, outcome: outcomeOf(slug) }));
    return entriesToChange([entry], judged).map(lineToChange);
  };
  const past = { expired: true, expires: '2026-10-31' };

  test.each([
    [
      listed('list.total-integer', { line: 7 }),
      'passed',
      'known.yml:7: list.total-integer passes now: remove this entry',
    ],
    [
      listed('create.location', past),
      'passed',
      'known.yml:1: create.location passes now: remove this entry',
    ],
    [
      listed('create.location', { ...past, line: 5 }),
      'failed',
      'known.yml:5: the entry for create.location ended on 2026-10-31: fix it or give it a new date',
    ],
  ] as const)('have their line in the message: %o, %s', (entry, name, line) => {
    expect(linesFor(entry, name)).toEqual([line]);
  });

  test.each([
    ['list.totl-integer', 'did you mean list.total-integer?'],
    ['list.total', 'did you mean list.total-integer?'],
    ['total-integer', 'did you mean list.total-integer?'],
    ['Create.Location', 'did you mean create.location?'],
    ['create.loctaion', 'did you mean create.location?'],
    ['zzz.qqq', 'remove this entry, or take the name from a report'],
    ['x', 'remove this entry, or take the name from a report'],
  ])('%s names no requirement: %s', (slug, advice) => {
    expect(linesFor(listed(slug))).toEqual([
      `known.yml:1: ${slug} names no requirement: ${advice}`,
    ]);
  });

  test.each(['known-failure', 'not-applicable', 'not-verified'] as const)(
    'do not include one whose requirement is %s, as after a filter or with a dead target',
    (name) => {
      expect(linesFor(listed('create.location'), name)).toEqual([]);
    },
  );

  test('fail the job without changing the verdict on the service', () => {
    const knownFailures = [listed('a.b', { line: 3 }), listed('c.d', { line: 7 })];
    const judged = [{ slug: 'a.b', level: 'MUST' as const, outcome: 'passed' as const }];
    const { toChange, ...decided } = decide(judged, { strict: false, knownFailures });
    expect(decided).toEqual({ verdict: 'conformant' });
    expect(toChange).toMatchObject([{ why: 'stale' }, { why: 'unknown' }]);
    expect(exitCodeOf({ ...decided, knownFailures: { toChange } })).toBe(1);
    expect(exitCodeOf({ ...decided, knownFailures: { toChange: [] } })).toBe(0);
    expect(decide([], { strict: false, knownFailures })).toMatchObject({
      verdict: 'inconclusive',
      toChange: [],
    });
  });
});
