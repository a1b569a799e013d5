import { expect, test } from 'vitest';
import { madeClock } from '../../tests/made-clock.ts';
import { deadlineIn, Ended, timerInTurns } from './deadline.ts';

test('a deadline ends the run when its time has come', () => {
  const clock = madeClock();
  const deadline = deadlineIn(1000, clock);
  deadline.check();
  clock.advance(1000);
  expect(() => deadline.check()).toThrow('the deadline of the run has passed');
  expect(deadline.signal.aborted).toBe(true);
});

test('a process that is too busy for its timers looks at the clock', () => {
  const clock = { ...madeClock(), after: () => () => {} };
  const deadline = deadlineIn(1000, clock);
  clock.advance(1000);
  expect(deadline.signal.aborted).toBe(false);
  expect(() => deadline.check()).toThrow('the deadline of the run has passed');
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

/** Keeps the process busy, as the work of a run does. */
function holdUp(milliseconds: number): void {
  for (const until = performance.now() + milliseconds; performance.now() < until; );
}

test('a process that was held up for longer than the time still looks at what has come meanwhile', async () => {
  const seen: string[] = [];
  const over = new Promise<void>((resolve) => {
    timerInTurns(20, 10, () => {
      seen.push('over');
      resolve();
    });
  });
  setTimeout(() => setImmediate(() => seen.push('came')), 1);
  holdUp(60);
  await over;
  expect(seen).toEqual(['came', 'over']);
});

test('what is stopped is never over', async () => {
  const seen: string[] = [];
  const [one, another] = ['stopped', 'over'].map((what) =>
    timerInTurns(4, 2, () => seen.push(what)),
  );
  one?.stop();
  one?.restart();
  while (seen.length === 0) await new Promise((later) => setTimeout(later, 1));
  another?.stop();
  expect(seen).toEqual(['over']);
});
