import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Progress } from '../thorough/explore.ts';
import { progressLine } from './progress.ts';

/** The progress of a run that has explored for twelve seconds. */
const progress: Progress = {
  activity: 'round 3',
  usedMs: 12_000,
  budgetMs: 60_000,
  users: 140,
  requests: 900,
};
const CLEARED = '\r\u001b[K';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns a progress line and the texts that it writes. */
function makeLine({ isTTY, columns = 80 }: { isTTY: boolean; columns?: number }) {
  const written: string[] = [];
  const write = (text: string) => {
    written.push(text);
    return true;
  };
  return { line: progressLine({ isTTY, columns, write }), written };
}

test('on a terminal one line is rewritten with the current time', () => {
  const { line, written } = makeLine({ isTTY: true });
  line.showExploration(progress);
  expect(written).toEqual([`${CLEARED}  exploring: 12 of 60 s, 140 users, 900 requests; round 3`]);
  vi.advanceTimersByTime(5000);
  expect(written.at(-1)).toBe(
    `${CLEARED}  exploring: 17 of 60 s, 140 users, 900 requests; round 3`,
  );
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
  expect(written[0]?.replace(CLEARED, '').length).toBeLessThan(30);
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
  const counts = { judged: 12, wanted: 78, requests: 1 };

  test('has a line on a terminal after the first second', () => {
    const { line, written } = makeLine({ isTTY: true });
    line.showCounts(() => counts);
    vi.advanceTimersByTime(900);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1600);
    expect(written.at(-1)).toBe(`${CLEARED}  judging: 12 of 78 requirements, 1 request, 3 s`);
    line.showExploration(progress);
    vi.advanceTimersByTime(1000);
    expect(written.at(-1)).toContain('exploring: 13 of 60 s');
    line.close();
    expect(written.at(-1)).toBe(CLEARED);
  });

  test('has no line elsewhere', () => {
    const { line, written } = makeLine({ isTTY: false });
    line.showCounts(() => counts);
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual([]);
  });
});
