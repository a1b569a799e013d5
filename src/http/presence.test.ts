import { expect, test } from 'vitest';
import { madeClock } from '../../tests/made-clock.ts';
import { deadlineIn } from './deadline.ts';
import { watchPresence } from './presence.ts';

const AWAY_MS = 10_000;

/** Watches a target that answers from some moment on, and from the second request on at least. */
function watching(isThere: (now: number) => boolean, isOver = () => false) {
  const clock = madeClock();
  const run = { deadline: deadlineIn(60_000, clock), now: clock.now, isOver };
  const presence = watchPresence(run, async () => isThere(clock.now()), AWAY_MS);
  return { clock, presence };
}

test('a target that answers at once was never away', async () => {
  const { presence } = watching(() => true);
  expect(await presence.whereIs(undefined)).toBe('there');
  expect(presence.outages).toEqual([]);
});

test('a target that answers again after some seconds was away for so long', async () => {
  const { presence } = watching((now) => now >= 4000);
  expect(await presence.whereIs(undefined)).toBe('back');
  const [outage] = presence.outages;
  expect(outage?.since).toBe(0);
  expect(outage?.until).toBeGreaterThanOrEqual(4000);
});

test('a target that does not answer for long is gone', async () => {
  const { clock, presence } = watching(() => false);
  expect(await presence.whereIs(undefined)).toBe('gone');
  expect(clock.now()).toBeGreaterThanOrEqual(AWAY_MS);
});

test('a process that has ended is not waited for', async () => {
  const { clock, presence } = watching(
    () => false,
    () => true,
  );
  expect(await presence.whereIs(undefined)).toBe('gone');
  expect(clock.now()).toBe(0);
});

test('a target that answers others is there, however long it keeps silent on one request', async () => {
  const { clock, presence } = watching(() => false);
  clock.advance(5000);
  presence.noteAnswer();
  expect(await presence.whereIs(1000)).toBe('there');
});
