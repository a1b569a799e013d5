import { describe, expect, test } from 'vitest';
import { FAULTS, MOMENTS, random } from '../services/faults.ts';
import { judgeLost } from './lost.ts';

/** The seed of the lost requests. `npm run test:hostile` loses each request once. */
const SEED = Number(process.env.LOST_SEED ?? 2026);

/** The approximate number of requests of a run. */
const REQUESTS = 700;

const draw = random(SEED);
const single = FAULTS.flatMap((fault) =>
  MOMENTS.map((moment) => ({ fault, moment, place: 2 + Math.floor(draw() * REQUESTS) })),
);

/** Faults after which the suite does not wait long: silence or 503 twenty times takes minutes. */
const QUICK = FAULTS.filter((fault) => fault !== 'silence' && fault !== 503);

describe.concurrent(`a request or response lost on the way is not the service's fault, seed ${SEED}`, () => {
  test.for(single)(
    '$fault $moment request $place is carried out',
    async ({ fault, moment, place }) => {
      const run = await judgeLost(fault, moment, (request) => request === place);
      expect(run.failed).toEqual([]);
      expect(run.twice).toEqual([]);
      // A GET is repeated. A creation may have been carried out, so its case stays unverified.
      expect(run.open.length, run.open.join('\n')).toBeLessThan(4);
    },
  );

  test.for(QUICK)('%s in the place of every twentieth response', async (fault) => {
    const lost = random(SEED);
    const run = await judgeLost(fault, 'after', () => lost() < 0.05);
    expect(run.failed).toEqual([]);
    expect(run.twice).toEqual([]);
  });
});
