import { expect, test } from 'vitest';
import { madeClock } from '../../tests/made-clock.ts';
import { inWorld } from '../../tests/made-world.ts';

test('a stale read is repeated until it shows the expected value', async () => {
  await inWorld(
    [],
    async (world) => {
      let reads = 0;
      const read = async () => {
        reads += 1;
        return reads;
      };
      expect(await world.until(read, (value) => value === 3)).toBe(3);
    },
    madeClock(),
  );
});

test('a read that stays stale is repeated for the settle time, and once after it', async () => {
  const clock = madeClock();
  await inWorld(
    [],
    async (world) => {
      const since = world.client.now();
      const last = await world.until(
        async () => world.client.now() - since,
        () => false,
      );
      expect(last).toBeGreaterThanOrEqual(world.settings.settleMs);
      expect(last).toBeLessThan(2 * world.settings.settleMs);
    },
    clock,
  );
});

test('a read long after the settle time is sent once', async () => {
  const clock = madeClock();
  await inWorld(
    [],
    async (world) => {
      const since = world.client.now();
      clock.advance(10 * world.settings.settleMs);
      await world.until(
        async () => undefined,
        () => false,
        since,
      );
      expect(clock.pauses).toEqual([]);
    },
    clock,
  );
});
