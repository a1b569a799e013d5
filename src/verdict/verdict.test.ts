import { describe, expect, test } from 'vitest';
import { listed } from '../../tests/listed.ts';
import { decide, effectOf, type JudgedRequirement } from './verdict.ts';

const lenient = { strict: false, knownFailures: [] };
const strict = { strict: true, knownFailures: [] };
const one = (
  level: JudgedRequirement['level'],
  outcome: JudgedRequirement['outcome'],
): JudgedRequirement => ({
  slug: 'a.b',
  level,
  outcome,
});

describe('what one outcome does to the run', () => {
  test.each([
    [one('MUST', 'passed'), 'none', 'none'],
    [one('MUST', 'failed'), 'fails', 'fails'],
    [one('MUST', 'not-verified'), 'leaves open', 'leaves open'],
    [one('MUST', 'not-applicable'), 'none', 'none'],
    [one('MUST', 'known-failure'), 'none', 'none'],
    [one('SHOULD', 'failed'), 'warns', 'fails'],
    [one('SHOULD', 'not-verified'), 'none', 'leaves open'],
    [one('SHOULD', 'passed'), 'none', 'none'],
  ])('%o: %s, and in strict mode %s', (judged, effect, strictly) => {
    expect(effectOf(judged, false)).toBe(effect);
    expect(effectOf(judged, true)).toBe(strictly);
  });

  test('what a known failure keeps from being judged leaves nothing open', () => {
    expect(effectOf({ ...one('MUST', 'not-verified'), excused: true }, true)).toBe('none');
  });
});

describe('the verdict', () => {
  test.each([
    [[one('MUST', 'passed')], 'conformant', 'conformant'],
    [[one('MUST', 'passed'), one('SHOULD', 'failed')], 'conformant', 'non-conformant'],
    [[one('MUST', 'passed'), one('SHOULD', 'not-verified')], 'conformant', 'inconclusive'],
    [[one('MUST', 'passed'), one('MUST', 'not-applicable')], 'conformant', 'conformant'],
    [[one('MUST', 'failed'), one('MUST', 'not-verified')], 'non-conformant', 'non-conformant'],
    [[one('MUST', 'passed'), one('MUST', 'not-verified')], 'inconclusive', 'inconclusive'],
    [[one('MUST', 'known-failure')], 'conformant', 'conformant'],
    [[one('SHOULD', 'failed')], 'conformant', 'non-conformant'],
    [[one('MUST', 'not-applicable')], 'inconclusive', 'inconclusive'],
    [[], 'inconclusive', 'inconclusive'],
  ] as [JudgedRequirement[], string, string][])(
    'of %o is %s, and in strict mode %s',
    (judged, verdict, strictly) => {
      expect(decide(judged, lenient).verdict).toBe(verdict);
      expect(decide(judged, strict).verdict).toBe(strictly);
    },
  );

  test.each([
    [[one('MUST', 'failed'), one('MUST', 'failed')], {}, '2 requirements failed.'],
    [[one('MUST', 'not-verified')], {}, '1 requirement could not be verified.'],
    [[one('MUST', 'passed'), one('SHOULD', 'failed')], {}, 'Every MUST holds.'],
    [[one('MUST', 'passed')], { partial: true }, 'Every MUST that was judged holds.'],
    [[one('MUST', 'passed')], { strict: true }, 'Every MUST and SHOULD holds.'],
    [
      [one('SHOULD', 'passed'), one('SHOULD', 'failed')],
      { partial: true },
      'No MUST was judged; 1 of 2 SHOULDs failed.',
    ],
    [
      [one('SHOULD', 'passed')],
      { partial: true },
      'No MUST was judged; every SHOULD that was judged holds.',
    ],
    [[], {}, 'No requirement was judged.'],
    [
      [one('MUST', 'passed'), one('MUST', 'known-failure')],
      {},
      'Every other MUST holds. 1 known failure (a.b).',
    ],
    [
      [one('MUST', 'passed'), one('SHOULD', 'known-failure')],
      {},
      'Every MUST holds. 1 known failure (a.b).',
    ],
    [[one('MUST', 'known-failure')], {}, 'Every other MUST holds. 1 known failure (a.b).'],
    [
      [one('SHOULD', 'known-failure')],
      { partial: true },
      'No MUST was judged. 1 known failure (a.b).',
    ],
    [
      [
        one('MUST', 'passed'),
        ...['a.b', 'c.d', 'e.f', 'g.h'].map((slug) => ({ ...one('MUST', 'known-failure'), slug })),
      ],
      {},
      'Every other MUST holds. 4 known failures (a.b, c.d, e.f, 1 more).',
    ],
  ] as [JudgedRequirement[], object, string][])(
    'of %o with %o has a reason: %s',
    (judged, terms, because) => {
      expect(decide(judged, { ...lenient, ...terms }).because).toBe(because);
    },
  );

  test('an entry to change is named unless a requirement failed', () => {
    const terms = { strict: false, knownFailures: [listed('c.d', { line: 3 })] };
    const open = one('MUST', 'not-verified');
    expect(decide([one('MUST', 'failed')], terms).because).toBe('1 requirement failed.');
    expect(decide([open], terms)).toMatchObject({
      verdict: 'inconclusive',
      because:
        '1 requirement could not be verified. Known failures are out of date, which fails the job: known.yml:3.',
    });
  });

  test('is what the effect of its one open or failed requirement says', () => {
    const outcomes = [
      'passed',
      'failed',
      'not-applicable',
      'not-verified',
      'known-failure',
    ] as const;
    for (const level of ['MUST', 'SHOULD'] as const) {
      for (const outcome of outcomes) {
        for (const terms of [lenient, strict]) {
          const { verdict } = decide(
            [one('MUST', 'passed'), { ...one(level, outcome), slug: 'c.d' }],
            terms,
          );
          const effect = effectOf(one(level, outcome), terms.strict);
          const expected = {
            fails: 'non-conformant',
            'leaves open': 'inconclusive',
            warns: 'conformant',
            none: 'conformant',
          };
          expect(verdict).toBe(expected[effect]);
        }
      }
    }
  });
});
