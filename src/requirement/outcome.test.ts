import { describe, expect, test } from 'vitest';
import { makeExchange } from '../../tests/made-history.ts';
import { makeShowText } from '../http/secrets.ts';
import { type Finding, failed, named, notApplicable, notVerified, passed } from './finding.ts';
import { type Judged, outcomeOf, withRoots } from './outcome.ts';
import type { Level } from './requirement.ts';

const showText = makeShowText((text) => text.replaceAll('secret', '***'));

const outcome = (...findings: Finding[]) => outcomeOf('a.b', findings, showText);

describe('the outcome of findings', () => {
  const pass = passed(makeExchange());
  const failure = failed('a', 'b', makeExchange());
  const open = notVerified('no response', makeExchange());
  const choice = notApplicable('it is free');

  test.each([
    ['passed', [pass]],
    ['passed', [pass, choice]],
    ['not-applicable', [choice, choice]],
    ['not-verified', [pass, open]],
    ['not-verified', [choice, open]],
    ['failed', [pass, open, failure, choice]],
    ['not-verified', []],
  ] as const)('is %s, in any order', (name, findings) => {
    expect(outcome(...findings).outcome).toBe(name);
    expect(outcome(...findings.toReversed()).outcome).toBe(name);
  });

  test('is not verified without findings', () => {
    expect(outcome().outcome).toBe('not-verified');
    expect(outcome().reason).toBe('no request of the run shows whether it holds');
  });

  test('has no reason and no exchanges if it passed', () => {
    expect(outcome(pass, choice)).toMatchObject({ reason: '', exchanges: [] });
  });

  test('has the expected value once, and the received value of each case', () => {
    const cases = ['x', 'y'].flatMap((name) => named(name, failed('a rejection', '200')));
    expect(outcome(...cases)).toMatchObject({
      expected: 'a rejection',
      got: '200 (x); 200 (y)',
      reason: 'expected a rejection, got 200 (x); 200 (y)',
    });
  });

  test('shows the exchanges of the first failures, each once', () => {
    const exchange = makeExchange();
    const same = [failed('a', 'b', exchange), failed('a', 'c', exchange)];
    expect(outcome(...same).exchanges).toEqual([exchange]);
    const many = Array.from({ length: 50 }, () => failed('a', 'b', makeExchange()));
    expect(outcome(...many).exchanges).toHaveLength(3);
  });

  test('ends with the exchange whose request is the shortest', () => {
    const short = makeExchange();
    const long = Array.from({ length: 9 }, () => {
      const { request } = makeExchange();
      return makeExchange({ request: { ...request, path: `${request.path}?${'x'.repeat(99)}` } });
    });
    const all = [...long, short].map((exchange) => failed('a', 'b', exchange));
    expect(outcome(...all).exchanges.at(-1)).toBe(short);
  });

  test('has no secret in its texts', () => {
    expect(JSON.stringify(outcome(failed('no secret', 'a secret')))).not.toContain('secret');
    expect(outcome(notVerified('a secret')).reason).toBe('a ***');
  });
});

describe('the root of a requirement that is not verified', () => {
  const judged = (slug: string, level: Level, ...findings: Finding[]): Judged => ({
    slug,
    level,
    findings,
    outcome: outcomeOf(slug, findings, showText),
  });

  const rootsOf = (all: Judged[]) => withRoots(all, showText);

  test('is the requirement that failed by one of the same exchanges', () => {
    const shared = makeExchange();
    const outcomes = rootsOf([
      judged('a.open', 'MUST', notVerified('no user', shared)),
      judged('a.failed', 'MUST', failed('a', 'b', shared)),
    ]);
    expect(outcomes[0]).toMatchObject({ needs: 'a.failed', reason: 'needs: a.failed' });
  });

  test('is a MUST rather than a SHOULD', () => {
    const shared = makeExchange();
    const outcomes = rootsOf([
      judged('a.should', 'SHOULD', failed('a', 'b', shared)),
      judged('a.must', 'MUST', failed('a', 'b', shared)),
      judged('a.open', 'MUST', notVerified('no user', shared)),
    ]);
    expect(outcomes[2]?.needs).toBe('a.must');
  });

  test('is unknown if no failure has one of the exchanges', () => {
    const open = judged('a.open', 'MUST', notVerified('no response', makeExchange()));
    const other = judged('a.failed', 'MUST', failed('a', 'b', makeExchange()));
    expect(rootsOf([open, other])[0]).toMatchObject({ reason: 'no response' });
    expect(rootsOf([open, other])[0]).not.toHaveProperty('needs');
  });
});
