import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Patch } from '../services/service.ts';
import { lagging } from '../services/variants/variant.ts';
import { pagesOfFive } from '../services/writers.ts';
import { type Judged, judgeConcurrently, RUNS, writing } from './environment.ts';

/** The seed of the environments. */
const SEED = Number(process.env.STABLE_SEED ?? 2026);

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
const slow =
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

test(`runs at once, writers, lag, resets, 429 and slow responses: no conforming service fails, seed ${SEED}`, async () => {
  const seen: Record<string, number> = {};
  for (const environment of fc.sample(environments, { seed: SEED, numRuns: RUNS })) {
    const judged: Judged[] = await judgeConcurrently(
      environment.runs,
      environment.pages ? pagesOfFive : nothing,
      environment.writers > 0 ? writing(environment.writers) : nothing,
      environment.lag > 0 ? lagging(environment.lag) : nothing,
      environment.slow > 0 ? slow(environment.slow) : nothing,
      environment.limited > 0 ? instead(environment.limited, 429, {}) : nothing,
      environment.resets > 0 ? losing(environment.resets) : nothing,
    );
    for (const { verdict } of judged) seen[verdict] = (seen[verdict] ?? 0) + 1;
    const wrong = judged.filter(({ verdict }) => verdict === 'non-conformant');
    expect(wrong.map(({ reasons }) => reasons).join('\n\n'), JSON.stringify(environment)).toBe('');
  }
  console.log(seen);
});
