import { afterEach, expect, test, vi } from 'vitest';
import { deadlineIn, Ended } from './deadline.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a deadline ends the run when its time has come, also where the process is too busy for its timers', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  const deadline = deadlineIn(1000);
  deadline.check();
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1000);
  expect(() => deadline.check()).toThrow('the deadline of the run has passed');
  expect(deadline.signal.aborted).toBe(true);
  vi.restoreAllMocks();
  deadline.clear();
});

test('the first reason counts, and ends a pause', async () => {
  const deadline = deadlineIn(60_000);
  const pause = deadline.pause(50_000);
  deadline.end('the run was interrupted');
  deadline.end('something else');
  await expect(pause).rejects.toThrow(Ended);
  expect(() => deadline.check()).toThrow('the run was interrupted');
  deadline.clear();
});

test('a pause of no time is none', async () => {
  const deadline = deadlineIn(60_000);
  await deadline.pause(0);
  await deadline.pause(-5);
  deadline.clear();
});
