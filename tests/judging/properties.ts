import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { Outcome } from '../../src/requirement/outcome.ts';
import type { Requirement } from '../../src/requirement/requirement.ts';
import * as example from '../docs/example-requirement.ts';
import { judgeAll, judgedTwice, judgeKept } from '../run.ts';
import { brokenServices } from '../services/broken/index.ts';
import { startHere } from '../services/here.ts';
import { type Patch, start } from '../services/service.ts';
import { variants } from '../services/variants/index.ts';

/** The seed of the drawn services and requirements. */
const SEED = Number(process.env.PROPERTIES_SEED ?? 2026);

/** Services whose fault depends on the number of earlier requests, or on the tag of a run. */
const DEPENDS_ON_RUN =
  /^(names in Latin-1$|the quota is twelve users|the total is a string until somebody creates a user with |a filter of words |three equal letters )/;

/** A broken service or a variant. */
interface Kind {
  name: string;
  patch: Patch;
  settings?: object;
}

/** All services without a sporadic fault. */
const kinds: Kind[] = [
  ...brokenServices.filter(({ mayAlso }) => mayAlso === undefined),
  ...variants,
].filter(({ name }) => !DEPENDS_ON_RUN.test(name));
const kind = fc.constantFrom(...kinds);
const anyOrder = <T>(all: T[]) => fc.shuffledSubarray(all, { minLength: all.length });
const slugs = requirements.map(({ slug }) => slug);

/** Judges a fresh service of a kind. */
async function judgeFresh({ patch, settings }: Kind, all: Requirement[], only?: string[]) {
  const service = await startHere(patch);
  const options = { requirements: all, ...(only && { only }) };
  return judgeKept(service, settings, options).finally(service.close);
}

/** Returns the outcomes of some requirements, sorted. */
const linesOf = (outcomes: readonly Pick<Outcome, 'slug' | 'outcome'>[], among: string[]) =>
  outcomes
    .filter(({ slug }) => among.includes(slug))
    .map(({ slug, outcome }) => `${slug}: ${outcome}`)
    .sort();

/** Tests each property of runs with `numRuns` drawn services. */
export function testProperties(numRuns: number): void {
  const drawn = <T>(drawing: fc.Arbitrary<T>) => fc.sample(drawing, { seed: SEED, numRuns });

  describe.concurrent(`any requirements in any order have the outcomes of the full run, seed ${SEED}`, () => {
    const draws = drawn(
      fc.record({
        service: kind,
        only: fc.shuffledSubarray(slugs, { minLength: 1 }),
        order: anyOrder(requirements),
      }),
    ).map((draw) => ({ ...draw, name: draw.service.name, count: draw.only.length }));

    test.for(draws)('$count of $name', async ({ service: drawnService, only, order }) => {
      const full = await judgeFresh(drawnService, requirements);
      const part = await judgeFresh(drawnService, order, only);
      expect(linesOf(part.outcomes, slugs), part.notPassed().join('\n')).toEqual(
        linesOf(full.outcomes, only),
      );
    });
  });

  describe.concurrent(`further requirements change no outcome, and judging twice says the same, seed ${SEED}`, () => {
    const draws = drawn(
      fc.record({ service: kind, order: fc.integer({ min: 0, max: requirements.length }) }),
    ).map((draw) => ({ ...draw, name: draw.service.name }));

    test.for(draws)('$name', async ({ service: drawnService, order }) => {
      const further = example.requirements;
      const all = [...requirements.slice(0, order), ...further, ...requirements.slice(order)];
      const before = await judgeFresh(drawnService, requirements);
      const after = await judgeFresh(drawnService, all);
      const failing = after.notPassed().join('\n');
      expect(linesOf(after.outcomes, slugs), failing).toEqual(linesOf(before.outcomes, slugs));
      const [first, again] = judgedTwice(after, all);
      expect(again).toEqual(first);
    });
  });

  describe.concurrent(`whether a network lies between changes no outcome, seed ${SEED}`, () => {
    test.for(drawn(fc.record({ service: kind })))(
      '$service.name',
      async ({ service: drawnService }) => {
        const here = await judgeFresh(drawnService, requirements);
        const service = await start(drawnService.patch);
        const there = await judgeAll(service, drawnService.settings).finally(service.close);
        expect(linesOf(there.outcomes, slugs), there.notPassed().join('\n')).toEqual(
          linesOf(here.outcomes, slugs),
        );
      },
    );
  });
}
