import { expect, test } from 'vitest';
import { madeClock } from '../../tests/made-clock.ts';
import { Ended, makeDeadline, startTurnTimer } from './deadline.ts';

test('a deadline ends the run when its time has come', () => {
  const clock = madeClock();
  const deadline = makeDeadline(1000, clock);
  deadline.check();
  clock.advance(1000);
  expect(() => deadline.check()).toThrow('the deadline of the run has passed');
  expect(deadline.signal.aborted).toBe(true);
});

test('a process that is too busy for its timers looks at the clock', () => {
  const clock = { ...madeClock(), after: () => () => {} };
  const deadline = makeDeadline(1000, clock);
  clock.advance(1000);
  expect(deadline.signal.aborted).toBe(false);
  expect(() => deadline.check()).toThrow('the deadline of the run has passed');
});

test('the first reason counts, and ends a pause', async () => {
  const deadline = makeDeadline(60_000);
  const pause = deadline.pause(50_000);
  deadline.end('the run was interrupted');
  deadline.end('something else');
  await expect(pause).rejects.toThrow(Ended);
  expect(() => deadline.check()).toThrow('the run was interrupted');
  deadline.clear();
});

test('a pause of zero or less returns at once', async () => {
  const deadline = makeDeadline(60_000);
  await deadline.pause(0);
  await deadline.pause(-5);
  deadline.clear();
});

/** Keeps the process busy, as the work of a run does. */
function keepBusy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('a timer that is due in a busy process first lets it read responses', async () => {
  const events: string[] = [];
  const timeout = new Promise<void>((resolve) => {
    startTurnTimer(20, 10, () => {
      events.push('timeout');
      resolve();
    });
  });
  setTimeout(() => setImmediate(() => events.push('response')), 1);
  keepBusy(60);
  await timeout;
  expect(events).toEqual(['response', 'timeout']);
});

test('a stopped timer never calls back, not even after a restart', async () => {
  const events: string[] = [];
  const stopped = startTurnTimer(4, 2, () => events.push('stopped'));
  const running = startTurnTimer(4, 2, () => events.push('running'));
  stopped.stop();
  stopped.restart();
  while (events.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  running.stop();
  expect(events).toEqual(['running']);
});
