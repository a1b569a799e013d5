import { describe, expect, test } from 'vitest';
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
