import { describe, expect, test } from 'vitest';
import { FAULTS, MOMENTS, random } from '../services/faults.ts';
import { oneOf } from '../services/sample.ts';
import { judgeLost } from './lost.ts';

/** Another seed loses other requests. `npm run test:hostile` tries them all. */
const SEED = Number(process.env.LOST_SEED ?? 2026);

/** Requests of a run, roughly. */
const REQUESTS = 200;

const draw = random(SEED);
const kinds = FAULTS.flatMap((fault) => MOMENTS.map((moment) => ({ fault, moment })));
const single = kinds.map((kind) => ({ ...kind, place: 2 + Math.floor(draw() * REQUESTS) }));

describe.concurrent(`what is lost on the way is not the service's fault, seed ${SEED}`, {
  timeout: 300_000,
}, () => {
  test.for(oneOf(5, single))(
    '$fault $moment request $place is carried out',
    async ({ fault, moment, place }) => {
      const run = await judgeLost(fault, moment, (request) => request === place);
      expect(run.failed).toEqual([]);
      expect(run.twice).toEqual([]);
      // One of them is made up for, but for an answer that was waited for in vain.
      if (fault !== 'silence') expect(run.verdict, run.open.join('\n')).toBe('conformant');
    },
  );

  test.for(
    oneOf(
      2,
      FAULTS.filter((fault) => fault !== 'silence'),
    ),
  )('%s in the place of every twentieth answer', async (fault) => {
    const lost = random(SEED);
    const run = await judgeLost(fault, 'after', () => lost() < 0.05);
    expect(run.failed).toEqual([]);
    expect(run.twice).toEqual([]);
  });
});
