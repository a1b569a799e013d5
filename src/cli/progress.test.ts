import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Progress } from '../thorough/explore.ts';
import { progressLine } from './progress.ts';

/** A run that has explored for twelve seconds. */
const told: Progress = {
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

/** A line that was told the progress, and what it has written. */
function shown(
  isTTY: boolean,
  columns = 80,
  begin = (line: ReturnType<typeof progressLine>) => line.take(told),
) {
  const written: string[] = [];
  const write = (text: string) => written.push(text);
  const line = progressLine({ isTTY, columns, write } as unknown as NodeJS.WriteStream);
  begin(line);
  return { line, written };
}

test('on a terminal one line is rewritten, and its time goes on', () => {
  const { line, written } = shown(true);
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

test('on a narrow terminal the line stays one', () => {
  const { line, written } = shown(true, 30);
  line.close();
  expect(written[0]?.replace(CLEARED, '').length).toBeLessThan(30);
});

test('elsewhere there is a line every ten seconds', () => {
  const { line, written } = shown(false);
  vi.advanceTimersByTime(25_000);
  line.close();
  expect(written).toEqual(
    [12, 22, 32].map(
      (second) => `  exploring: ${second} of 60 s, 140 users, 900 requests; round 3\n`,
    ),
  );
});

describe('a run that tells nothing by itself', () => {
  const counts = { judged: 12, wanted: 78, requests: 1 };

  test('has a line on a terminal from the first second on', () => {
    const { line, written } = shown(true, 80, (one) => one.follow(() => counts));
    vi.advanceTimersByTime(900);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1600);
    expect(written.at(-1)).toBe(`${CLEARED}  judging: 12 of 78 requirements, 1 request, 3 s`);
    line.take(told);
    vi.advanceTimersByTime(1000);
    expect(written.at(-1)).toContain('exploring: 13 of 60 s');
    line.close();
    expect(written.at(-1)).toBe(CLEARED);
  });

  test('has none elsewhere', () => {
    const { written } = shown(false, 80, (line) => line.follow(() => counts));
    vi.advanceTimersByTime(60_000);
    expect(written).toEqual([]);
  });
});
