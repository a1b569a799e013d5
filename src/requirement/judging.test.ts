import { describe, expect, test } from 'vitest';
import { exchange } from '../../tests/made-evidence.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Evidence, Missing, wholeRun, type Yields } from '../plan/evidence.ts';
import { each, type Finding, missing, notApplicable, notVerified, of, that } from './finding.ts';
import { judge, withRoots } from './outcome.ts';
import type { Level, Requirement, Wants } from './requirement.ts';

const asIs = (text: string) => text;

/** Evidence that is there already. */
const there = <T>(value: T): Evidence<T> => ({ cases: [], whole: false, from: () => value });

/** Evidence that is not there. */
const absent = (why: Missing): Evidence<never> => ({
  ...{ cases: [], whole: false },
  from: () => {
    throw why;
  },
});

const yields = (changes: Partial<Yields> = {}) => ({ stopped: undefined, ...changes }) as Yields;

function requirement(
  check: (given: Record<string, unknown>) => Finding | Finding[],
  { slug = 'a.b', level = 'MUST' as Level, evidence = {} as Wants } = {},
): Requirement {
  const info = { slug, level, chapter: 'A', source: { text: 'a document' }, sentence: 'It holds.' };
  return { ...info, evidence, check: check as Requirement['check'] };
}

const judged = (one: Requirement, given = yields()) => judge(one, given, asIs);

describe('judging one requirement', () => {
  test('gives the check its evidence by name, and notes which exchanges that holds', () => {
    const [first, second] = [exchange(), exchange()];
    const evidence = { look: there({ exchange: first }), reads: there(new Map([['x', { exchange: second }]])) };
    let given: unknown;
    const { outcome } = judged(
      requirement(
        (all) => {
          given = all;
          return that(true, '', '');
        },
        { evidence },
      ),
    );
    expect(given).toEqual({ look: { exchange: first }, reads: new Map([['x', { exchange: second }]]) });
    expect(outcome).toMatchObject({ outcome: 'passed', lookedAt: [first.id, second.id] });
  });

  test('says the same when asked twice', () => {
    const one = requirement(() => that(false, 'a', 'b', exchange()), { evidence: { x: there(1) } });
    expect(judged(one).outcome.outcome).toBe('failed');
    expect(judged(one).outcome.reason).toBe(judged(one).outcome.reason);
  });

  test('is not made where the evidence is not there, for the reason that it gives', () => {
    const shown = exchange();
    const because = (why: Missing) => {
      const check = () => {
        throw new Error('the check was called');
      };
      return judged(requirement(check, { evidence: { x: absent(why) } }));
    };
    expect(because(new Missing('no response', [shown])).outcome).toMatchObject({
      outcome: 'not-verified',
      reason: 'no response',
      exchanges: [shown],
    });
    expect(because(new Missing('read-only', [], { excluded: true })).outcome.outcome).toBe('not-applicable');
    expect(because(new Missing('no response'))).not.toHaveProperty('fault');
  });

  test('makes a fault of the suite’s of a check that crashes, redacted, and never a pass', () => {
    const breaksDown = requirement(() => {
      throw new TypeError('undefined is not a secret');
    });
    const { fault, outcome } = judge(breaksDown, yields(), (text) => text.replaceAll('secret', '***'));
    expect(outcome.outcome).toBe('not-verified');
    expect(fault).toBe('the check a.b crashed: undefined is not a ***');
  });

  test('of the whole run is not verified by a part of it; what failed stays failed', () => {
    const stopped = { why: new Missing('the deadline has passed'), byService: false, record: [] };
    const evidence = { run: wholeRun };
    const passes = requirement(() => that(true, '', ''), { evidence });
    const fails = requirement(() => that(false, 'a', 'b'), { evidence });
    expect(judged(passes).outcome.outcome).toBe('passed');
    expect(judged(passes, yields({ stopped })).outcome).toMatchObject({
      outcome: 'not-verified',
      reason: 'the deadline has passed',
    });
    expect(judged(fails, yields({ stopped })).outcome.outcome).toBe('failed');
    expect(
      judged(
        requirement(() => that(true, '', '')),
        yields({ stopped }),
      ).outcome.outcome,
    ).toBe('passed');
  });
});

describe('each of several cases', () => {
  test('is judged where there is evidence of it, and else told why not', () => {
    const found = each([1, new Missing('no response'), 3], (one) => that(one === 1, 'one', `${one}`));
    expect(found.map(({ outcome }) => outcome)).toEqual(['passed', 'not-verified', 'failed']);
  });

  test('may turn out to lack a part of the evidence', () => {
    const found = each([1], () => {
      throw new Missing('nobody to ask for', [], { excluded: true });
    });
    expect(found).toEqual([missing(new Missing('nobody to ask for', [], { excluded: true }))]);
    expect(() => each([1], () => JSON.parse('{'))).toThrow(SyntaxError);
  });

  test('has its name in what came', () => {
    const { outcome } = judged(requirement(() => each([1, 2], (one) => of(`case ${one}`, that(false, 'a', 'b')))));
    expect(outcome).toMatchObject({ expected: 'a', got: 'b (case 1); b (case 2)' });
  });
});

describe('the root of what could not be verified', () => {
  const failing = (slug: string, shown: Exchange, level: Level = 'MUST') =>
    judged(requirement(() => that(false, 'a', 'b', shown), { slug, level }));
  const open = (slug: string, ...shown: Exchange[]) =>
    judged(requirement(() => notVerified('it could not be told', ...shown), { slug }));

  test('is the requirement that failed by the same exchange', () => {
    const [shown, other] = [exchange(), exchange()];
    const [, needs, alone] = withRoots([failing('a.root', shown), open('a.open', shown), open('a.alone', other)]);
    expect(needs).toMatchObject({ needs: 'a.root', reason: 'needs: a.root', outcome: 'not-verified' });
    expect(alone).toMatchObject({ reason: 'it could not be told' });
    expect(alone).not.toHaveProperty('needs');
  });

  test('is a MUST rather than a SHOULD', () => {
    const shown = exchange();
    const all = [failing('a.should', shown, 'SHOULD'), failing('a.must', shown), open('a.open', shown)];
    expect(withRoots(all)[2]?.needs).toBe('a.must');
    expect(withRoots(all.slice(0, 1).concat(all.slice(2)))[1]?.needs).toBe('a.should');
  });

  test('is found by any exchange that shows why, and never by what merely passed', () => {
    const [first, second] = [exchange(), exchange()];
    const passing = judged(requirement(() => that(true, '', ''), { slug: 'a.passed' }));
    expect(withRoots([passing, failing('a.root', second), open('a.open', first, second)])[2]?.needs).toBe('a.root');
    expect(withRoots([passing, open('a.open', first)])[1]).not.toHaveProperty('needs');
  });

  test('does not touch what failed, passed or is not applicable', () => {
    const shown = exchange();
    const all = [failing('a.one', shown), failing('a.two', shown), judged(requirement(() => notApplicable('free')))];
    expect(withRoots(all)).toEqual(all.map(({ outcome }) => outcome));
  });
});
