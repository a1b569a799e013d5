import { expect, test } from 'vitest';
import { madeClock } from '../../tests/made-clock.ts';
import { makeDeadline } from './deadline.ts';
import { watchPresence } from './presence.ts';

const AWAY_MS = 10_000;

/** Watches a target that is available at some times. */
function watch(isAvailable: (now: number) => boolean, isOver = () => false) {
  const clock = madeClock();
  const run = { deadline: makeDeadline(60_000, clock), now: clock.now, isOver };
  const presence = watchPresence(run, async () => isAvailable(clock.now()), AWAY_MS);
  return { clock, presence };
}

test('a target that responds at once was never away', async () => {
  const { presence } = watch(() => true);
  expect(await presence.check(undefined)).toBe('there');
  expect(presence.outages).toEqual([]);
});

test('a target that responds after some seconds was away until then', async () => {
  const { presence } = watch((now) => now >= 4000);
  expect(await presence.check(undefined)).toBe('back');
  const [outage] = presence.outages;
  expect(outage?.since).toBe(0);
  expect(outage?.until).toBeGreaterThanOrEqual(4000);
});

test('a target that does not respond for long is gone', async () => {
  const { clock, presence } = watch(() => false);
  expect(await presence.check(undefined)).toBe('gone');
  expect(clock.now()).toBeGreaterThanOrEqual(AWAY_MS);
});

test('a target whose process has ended is gone at once', async () => {
  const { clock, presence } = watch(
    () => false,
    () => true,
  );
  expect(await presence.check(undefined)).toBe('gone');
  expect(clock.now()).toBe(0);
});

test('a target that has responded to other requests is there', async () => {
  const { clock, presence } = watch(() => false);
  clock.advance(5000);
  presence.noteResponse();
  expect(await presence.check(1000)).toBe('there');
});
