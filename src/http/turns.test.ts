import { expect, test } from 'vitest';
import { timerInTurns } from './turns.ts';

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
  const [one, another] = ['stopped', 'over'].map((what) => timerInTurns(4, 2, () => seen.push(what)));
  one?.stop();
  one?.restart();
  while (seen.length === 0) await new Promise((later) => setTimeout(later, 1));
  another?.stop();
  expect(seen).toEqual(['over']);
});
