import { describe, expect, test } from 'vitest';
import { exchange } from '../../tests/made-evidence.ts';
import { type Finding, notApplicable, notVerified, of, that } from './finding.ts';
import { outcomeOf } from './outcome.ts';

const passed = that(true, 'a', 'b', exchange());
const failed = that(false, 'a', 'b', exchange());
const open = notVerified('no response', exchange());
const freed = notApplicable('it is free');
const outcome = (...findings: Finding[]) => outcomeOf('a.b', findings, (text) => text);

describe('the outcome of findings', () => {
  test.each([
    [[passed], 'passed'],
    [[passed, freed], 'passed'],
    [[freed, freed], 'not-applicable'],
    [[passed, open], 'not-verified'],
    [[freed, open], 'not-verified'],
    [[passed, open, failed, freed], 'failed'],
    [[], 'not-verified'],
  ])('%#: the worst counts (%o)', (findings, name) => {
    expect(outcome(...findings).outcome).toBe(name);
    expect(outcome(...[...findings].reverse()).outcome).toBe(name);
  });

  test('of none is no pass, and says so', () => {
    expect(outcome().reason).toBe('no request of the run shows whether it holds');
  });

  test('that passed has no reason and shows nothing', () => {
    expect(outcome(passed, freed)).toMatchObject({ reason: '', exchanges: [] });
  });

  test('tells what was expected once, and what came of each case', () => {
    const findings = ['x', 'y'].flatMap((one) => of(one, that(false, 'a refusal', '200')));
    expect(outcome(...findings)).toMatchObject({
      expected: 'a refusal',
      got: '200 (x); 200 (y)',
      reason: 'expected a refusal, got 200 (x); 200 (y)',
    });
  });

  test('shows the exchanges of the first cases that failed, each once', () => {
    const shown = exchange();
    const same = [that(false, 'a', 'b', shown), that(false, 'c', 'd', shown)];
    expect(outcome(...same).exchanges).toEqual([shown]);
    const many = Array.from({ length: 50 }, () => that(false, 'a', 'b', exchange()));
    expect(outcome(...many).exchanges).toHaveLength(3);
  });

  test('is redacted in every text', () => {
    const redact = (text: string) => text.replaceAll('secret', '***');
    const made = outcomeOf('a.b', [that(false, 'no secret', 'a secret')], redact);
    expect(JSON.stringify(made)).not.toContain('secret');
    expect(outcomeOf('a.b', [notVerified('a secret')], redact).reason).toBe('a ***');
  });
});
