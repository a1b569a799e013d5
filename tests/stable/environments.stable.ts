import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Patch } from '../services/service.ts';
import { lagging } from '../services/variants/variant.ts';
import { pagesOfFive } from '../services/writers.ts';
import { judgeConcurrently, RUNS, SEED, writing } from './environment.ts';

/** Resets connections with this probability, before or after a request is carried out. */
const losing =
  (probability: number): Patch =>
  (service) => {
    const { handle, write } = service;
    const lost = new WeakSet<object>();
    service.handle = (request) => {
      const chance = Math.random() / probability;
      if (chance < 1) lost.add(request);
      return chance < 0.5 ? { status: 500 } : handle(request);
    };
    service.write = (response, reply, request) => {
      if (lost.has(request)) response.destroy();
      else write(response, reply, request);
    };
  };

/** Sends another response with this probability. */
const instead =
  (probability: number, status: number, headers: Record<string, string>): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = (request) =>
      Math.random() < probability ? { status, headers } : handle(request);
  };

/** Delays each response by a random time. */
const delayed =
  (mostMs: number): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      await new Promise((later) => setTimeout(later, mostMs * Math.random()));
      return handle(request);
    };
  };

const nothing: Patch = () => {};
const environments = fc.record({
  runs: fc.constantFrom(1, 2, 5, 20),
  pages: fc.boolean(),
  writers: fc.constantFrom(0, 5, 20, 100),
  lag: fc.constantFrom(0, 30, 100),
  resets: fc.constantFrom(0, 0.005, 0.05),
  limited: fc.constantFrom(0, 0.02, 0.1),
  slow: fc.constantFrom(0, 20, 60),
});

const drawn = fc.sample(environments, { seed: SEED, numRuns: RUNS });

describe.concurrent(`no conforming service fails in an environment, seed ${SEED}`, () => {
  test.for(drawn.map((environment) => [JSON.stringify(environment), environment] as const))(
    '%s',
    async ([, { runs, pages, writers, lag, slow, limited, resets }]) => {
      const judged = await judgeConcurrently(
        runs,
        pages ? pagesOfFive : nothing,
        writers > 0 ? writing(writers) : nothing,
        lag > 0 ? lagging(lag) : nothing,
        slow > 0 ? delayed(slow) : nothing,
        limited > 0 ? instead(limited, 429, {}) : nothing,
        resets > 0 ? losing(resets) : nothing,
      );
      const wrong = judged.filter(({ verdict }) => verdict === 'non-conformant');
      expect(wrong.map(({ reasons }) => reasons)).toEqual([]);
    },
  );
});
