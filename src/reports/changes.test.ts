import { expect, test } from 'vitest';
import { madeReport } from '../../tests/made-report.ts';
import type { OutcomeName } from '../requirement/outcome.ts';
import { changeRows, changesSince, changesText } from './changes.ts';

const report = (outcomes: Record<string, OutcomeName>) =>
  madeReport(Object.entries(outcomes).map(([slug, outcome]) => ({ slug, outcome })));

test('new, fixed, remaining, unverified and unchecked requirements are separate', () => {
  const before = report({
    'a.new': 'passed',
    'a.fixed': 'failed',
    'a.still': 'failed',
    'a.known': 'known-failure',
    'a.open': 'passed',
    'a.gone': 'passed',
    'a.held': 'passed',
    'a.left': 'failed',
  });
  const after = report({
    'a.new': 'failed',
    'a.fixed': 'passed',
    'a.still': 'failed',
    'a.known': 'failed',
    'a.added': 'failed',
    'a.open': 'not-verified',
    'a.held': 'passed',
    'a.left': 'not-applicable',
  });
  const changes = changesSince(before, after);
  expect(changeRows(changes).map(({ name, slugs }) => [name, ...slugs])).toEqual([
    ['new failure', 'a.new', 'a.added'],
    ['fixed', 'a.fixed'],
    ['still failing', 'a.still', 'a.known'],
    ['no longer verified', 'a.open'],
    ['no longer checked', 'a.gone'],
  ]);
  expect(changesText(changes)).toBe(
    '2 new failures, 1 fixed, 2 still failing, 1 no longer verified, 1 no longer checked',
  );
  expect(changesText(changesSince(after, after))).toBe('4 still failing');
  expect(changesText(changesSince(report({}), report({})))).toBe('nothing has changed');
});
