import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { OutcomeName } from '../requirement/outcome.ts';
import type { JudgedSoFar } from '../run/conduct.ts';
import type { Progress } from '../thorough/budget.ts';
import { progressLines } from './progress.ts';

/** The progress of a run that has explored for twelve seconds. */
const progress: Progress = {
  activity: 'round 3',
  usedMs: 12_000,
  budgetMs: 60_000,
  users: 140,
  requests: 900,
};
const CLEARED = '\r\u001b[J';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns a progress line and the texts that it writes. */
function makeLine({
  isTTY,
  columns = 80,
  rows = 24,
}: {
  isTTY: boolean;
  columns?: number;
  rows?: number;
}) {
  const written: string[] = [];
  const write = (text: string) => {
    written.push(text);
    return true;
  };
  const paint = (_: string, text: string) => text;
  return { line: progressLines({ isTTY, columns, rows, write }, false, { paint }), written };
}

test('on a terminal one line is rewritten with the current time', () => {
  const { line, written } = makeLine({ isTTY: true });
  line.showExploration(progress);
  expect(written.join('')).toBe(
    `${CLEARED}  exploring: 12 of 60 s, 140 users, 900 requests; round 3`,
  );
  vi.advanceTimersByTime(5000);
  expect(written.slice(-2)).toEqual([
    CLEARED,
    '  exploring: 17 of 60 s, 140 users, 900 requests; round 3',
  ]);
  expect(written.join('')).not.toContain('\n');
  vi.advanceTimersByTime(100_000);
  expect(written.at(-1)).toContain(' 60 of 60 s');
  line.close();
  expect(written.at(-1)).toBe(CLEARED);
  const { length } = written;
  vi.advanceTimersByTime(5000);
  expect(written).toHaveLength(length);
});

test('on a narrow terminal the line is cut', () => {
  const { line, written } = makeLine({ isTTY: true, columns: 30 });
  line.showExploration(progress);
  line.close();
  expect(written.join('').replaceAll(CLEARED, '').length).toBeLessThan(30);
});

test('elsewhere a line is printed every ten seconds', () => {
  const { line, written } = makeLine({ isTTY: false });
  line.showExploration(progress);
  vi.advanceTimersByTime(25_000);
  line.close();
  expect(written).toEqual(
    [12, 22, 32].map(
      (second) => `  exploring: ${second} of 60 s, 140 users, 900 requests; round 3\n`,
    ),
  );
});

describe('a run that is not thorough', () => {
  const outcomes = new Map<string, OutcomeName>([
    ['versioning.base-address', 'not-verified'],
    ['create.answers', 'not-verified'],
    ['create.location', 'not-verified'],
    ['list.answers', 'not-verified'],
  ]);
  const soFar = (): JudgedSoFar => ({ requests: 1, outcomes });

  test('has a line for each chapter on a terminal after the first second, and marks those that are judged', () => {
    const { line, written } = makeLine({ isTTY: true });
    line.showRun(soFar);
    vi.advanceTimersByTime(900);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1600);
    expect(written.at(-1)?.split('\n')).toEqual([
      '… Versioning 0 of 1',
      '… List users 0 of 1',
      '… Create a user 0 of 2',
      '  judging: 1 request, 3 s',
    ]);
    outcomes.set('versioning.base-address', 'passed');
    outcomes.set('create.location', 'failed');
    outcomes.set('list.answers', 'failed');
    vi.advanceTimersByTime(500);
    // Three lines up, all lines are written again.
    expect(written.slice(-2)).toEqual([
      '\r\u001b[3A\u001b[J',
      '✓ Versioning 1 of 1\n✗ List users 1 of 1\n! Create a user 1 of 2\n  judging: 1 request, 3 s',
    ]);
    line.showExploration(progress);
    vi.advanceTimersByTime(1000);
    expect(written.at(-1)).toContain('exploring: 13 of 60 s');
    line.close();
    expect(written.at(-1)).toBe(CLEARED);
  });

  test('has only as many lines as the terminal', () => {
    const { line, written } = makeLine({ isTTY: true, rows: 3 });
    line.showRun(soFar);
    vi.advanceTimersByTime(1500);
    expect(written.at(-1)?.split('\n')).toEqual([
      expect.stringContaining('Create a user'),
      expect.stringContaining('judging: '),
    ]);
  });

  test('has no line elsewhere', () => {
    const { line, written } = makeLine({ isTTY: false });
    line.showRun(soFar);
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual([]);
  });
});
