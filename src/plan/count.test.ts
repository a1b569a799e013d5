import { describe, expect, test } from 'vitest';
import { ACTIONS, type Effect, nowAndThen, simulate, type Writers, writing } from '../../tests/simulated-counts.ts';
import { falls, wobbles } from './count.ts';
import type { Look } from './look.ts';

/** How often each is simulated, each time with others who write at other times. */
const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);

const one = () => 1;
const writers: Record<string, Writers> = {
  'one user every 3 ms': writing(() => 3, one),
  'one user every 15 ms': writing(() => 15, one),
  'one user every 70 ms': writing(() => 70, one),
  'a user every 5 ms or so': writing(nowAndThen(5), one),
  'a user every 20 ms or so': writing(nowAndThen(20), one),
  'a user every 100 ms or so': writing(nowAndThen(100), one),
  'a user every 400 ms or so': writing(nowAndThen(400), one),
  'five every 70 ms': writing(
    () => 70,
    () => 5,
  ),
  'three every 100 ms or so': writing(nowAndThen(100), () => 3),
  'twenty every 200 ms or so': writing(nowAndThen(200), () => 20),
  'ten every 600 ms or so': writing(nowAndThen(600), () => 10),
  'a few or very many': writing(nowAndThen(120), (random) => Math.ceil(1 / (random() + 0.01))),
};

const counted: Effect = (action, times) => (action === 'creations' ? times : 0);
const services: Record<string, Effect> = {
  'a right service': counted,
  'a service that counts creations twice': (action, times) => 2 * counted(action, times),
  'a service that counts nothing': () => 0,
  'a service that counts refused creations': (action, times) =>
    counted(action, times) + (action === 'rejected creations' ? 12 * times : 0),
  'a service that counts one kind of refused creation': (action, times) =>
    counted(action, times) + (action === 'rejected creations' ? times : 0),
  'a service that counts reads': (action, times) => counted(action, times) + (action === 'reads' ? times : 0),
};

/** By how many users each time of an action counts too many. */
const faultOf = (effect: Effect, action: (typeof ACTIONS)[number]) => effect(action, 1) - counted(action, 1);

describe.each(Object.entries(services))('of %s', (_, effect) => {
  test('all is decided, and rightly, where nobody else writes', () => {
    for (const seed of SEEDS) {
      const found = simulate(seed, () => () => 0, effect);
      for (const action of ACTIONS) expect(found.get(action), action).toBe(faultOf(effect, action));
    }
  });

  test.each(Object.entries(writers))('nothing wrong is said where others write %s', (_, written) => {
    const wrong = SEEDS.flatMap((seed) =>
      [...simulate(seed, written, effect)].filter(([action, found]) => {
        const isFault = faultOf(effect, action as (typeof ACTIONS)[number]) !== 0;
        return found !== undefined && (found !== 0) !== isFault;
      }),
    );
    expect(wrong).toEqual([]);
  });
});

test.each(Object.entries(writers))(
  'nothing is said against a right service that others use less when it is busy: %s',
  (_, written) => {
    for (const slowed of [0.5, 1]) {
      const wrong = SEEDS.flatMap((seed) =>
        [...simulate(seed, written, counted, slowed).values()].filter((found) => found),
      );
      expect(wrong).toEqual([]);
    }
  },
);

test('where others write now and then a right service is cleared, and a broken one is caught', () => {
  const written = writers['a user every 100 ms or so'] as Writers;
  const decidedIn = (effect: Effect, action: (typeof ACTIONS)[number]) =>
    SEEDS.filter((seed) => simulate(seed, written, effect).get(action) !== undefined).length;
  expect(decidedIn(counted, 'creations')).toBeGreaterThan(SEEDS.length / 2);
  expect(decidedIn(services['a service that counts nothing'] as Effect, 'creations')).toBeGreaterThan(SEEDS.length / 2);
  expect(decidedIn(services['a service that counts reads'] as Effect, 'reads')).toBeGreaterThan(SEEDS.length / 2);
});

/** Lists of these totals, each asked for when the one before was there. */
const looks = (...totals: number[]) =>
  totals.map((total, at) => ({ total, digest: 'a', exchange: { at, duration: 1 } })) as Look[];

test.each([
  [[5, 5, 5, 5], false],
  [[5, 6, 7, 8], false],
  [[5, 6, 5, 5], false],
  [[5, 6, 5, 6], false],
  [[5, 6, 5, 6, 5], true],
  [[5, 5, 6, 6, 5, 7, 5], true],
  [[], false],
])('a total of %j at rest wobbles: %s', (totals, wobbling) => {
  expect(wobbles(looks(...totals))).toBe(wobbling);
  expect(wobbles([...looks(...totals), { total: 5, digest: 'b' } as Look])).toBe(false);
});

test('a total that is smaller than before falls, unless the lists were in flight at the same time', () => {
  expect(falls(looks(1, 2, 2))).toBe(false);
  expect(falls(looks(3, 2, 4))).toBe(true);
  const [one, other] = looks(3, 2) as [Look, Look];
  expect(falls([one, { ...other, exchange: { ...other.exchange, at: 0, duration: 5 } }])).toBe(false);
});
