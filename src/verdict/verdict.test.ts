import { describe, expect, test } from 'vitest';
import { listed } from '../../tests/listed.ts';
import { decide, effectOf, type JudgedRequirement } from './verdict.ts';

const lenient = { strict: false, knownFailures: [] };
const strict = { strict: true, knownFailures: [] };
const requirement = (
  level: JudgedRequirement['level'],
  outcome: JudgedRequirement['outcome'],
): JudgedRequirement => ({
  slug: 'a.b',
  level,
  outcome,
});

describe('the effect of one outcome', () => {
  test.each([
    [requirement('MUST', 'passed'), 'none', 'none'],
    [requirement('MUST', 'failed'), 'fails', 'fails'],
    [requirement('MUST', 'not-verified'), 'leaves open', 'leaves open'],
    [requirement('MUST', 'not-applicable'), 'none', 'none'],
    [requirement('MUST', 'known-failure'), 'none', 'none'],
    [requirement('SHOULD', 'failed'), 'warns', 'fails'],
    [requirement('SHOULD', 'not-verified'), 'none', 'leaves open'],
    [requirement('SHOULD', 'passed'), 'none', 'none'],
  ])('%o: %s, and in strict mode %s', (judged, effect, strictly) => {
    expect(effectOf(judged, false)).toBe(effect);
    expect(effectOf(judged, true)).toBe(strictly);
  });

  test('of a requirement that depends on a known failure leaves nothing open', () => {
    expect(effectOf({ ...requirement('MUST', 'not-verified'), excused: true }, true)).toBe('none');
  });
});

describe('the verdict', () => {
  test.each([
    [[requirement('MUST', 'passed')], 'conformant', 'conformant'],
    [
      [requirement('MUST', 'passed'), requirement('SHOULD', 'failed')],
      'conformant',
      'non-conformant',
    ],
    [
      [requirement('MUST', 'passed'), requirement('SHOULD', 'not-verified')],
      'conformant',
      'inconclusive',
    ],
    [
      [requirement('MUST', 'passed'), requirement('MUST', 'not-applicable')],
      'conformant',
      'conformant',
    ],
    [
      [requirement('MUST', 'failed'), requirement('MUST', 'not-verified')],
      'non-conformant',
      'non-conformant',
    ],
    [
      [requirement('MUST', 'passed'), requirement('MUST', 'not-verified')],
      'inconclusive',
      'inconclusive',
    ],
    [[requirement('MUST', 'known-failure')], 'conformant', 'conformant'],
    [[requirement('SHOULD', 'failed')], 'conformant', 'non-conformant'],
    [[requirement('MUST', 'not-applicable')], 'inconclusive', 'inconclusive'],
    [[], 'inconclusive', 'inconclusive'],
  ] as [JudgedRequirement[], string, string][])(
    'of %o is %s, and in strict mode %s',
    (judged, verdict, strictly) => {
      expect(decide(judged, lenient).verdict).toBe(verdict);
      expect(decide(judged, strict).verdict).toBe(strictly);
    },
  );

  test.each([
    [[requirement('MUST', 'failed'), requirement('MUST', 'failed')], {}, '2 requirements failed.'],
    [[requirement('MUST', 'not-verified')], {}, '1 requirement could not be verified.'],
    [[requirement('MUST', 'passed'), requirement('SHOULD', 'failed')], {}, 'Every MUST holds.'],
    [[requirement('MUST', 'passed')], { partial: true }, 'Every MUST that was judged holds.'],
    [[requirement('MUST', 'passed')], { strict: true }, 'Every MUST and SHOULD holds.'],
    [
      [requirement('SHOULD', 'passed'), requirement('SHOULD', 'failed')],
      { partial: true },
      'No MUST was judged; 1 of 2 SHOULDs failed.',
    ],
    [
      [requirement('SHOULD', 'passed')],
      { partial: true },
      'No MUST was judged; every SHOULD that was judged holds.',
    ],
    [[], {}, 'No requirement was judged.'],
    [
      [requirement('MUST', 'passed'), requirement('MUST', 'known-failure')],
      {},
      'Every other MUST holds. 1 known failure (a.b).',
    ],
    [
      [requirement('MUST', 'passed'), requirement('SHOULD', 'known-failure')],
      {},
      'Every MUST holds. 1 known failure (a.b).',
    ],
    [[requirement('MUST', 'known-failure')], {}, 'Every other MUST holds. 1 known failure (a.b).'],
    [
      [requirement('SHOULD', 'known-failure')],
      { partial: true },
      'No MUST was judged. 1 known failure (a.b).',
    ],
    [
      [
        requirement('MUST', 'passed'),
        ...['a.b', 'c.d', 'e.f', 'g.h'].map((slug) => ({
          ...requirement('MUST', 'known-failure'),
          slug,
        })),
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

  test('names an entry to change, unless a requirement failed', () => {
    const terms = { strict: false, knownFailures: [listed('c.d', { line: 3 })] };
    const open = requirement('MUST', 'not-verified');
    expect(decide([requirement('MUST', 'failed')], terms).because).toBe('1 requirement failed.');
    expect(decide([open], terms)).toMatchObject({
      verdict: 'inconclusive',
      because:
        '1 requirement could not be verified. Known failures are out of date, which fails the job: known.yml:3.',
    });
  });

  test('follows from the effect of its only open or failed requirement', () => {
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
            [requirement('MUST', 'passed'), { ...requirement(level, outcome), slug: 'c.d' }],
            terms,
          );
          const effect = effectOf(requirement(level, outcome), terms.strict);
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
