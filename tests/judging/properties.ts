import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { Outcome } from '../../src/requirement/outcome.ts';
import type { Requirement } from '../../src/requirement/requirement.ts';
import * as example from '../docs/example-case.ts';
import { judgeAll, judgedTwice, judgeKept } from '../run.ts';
import { brokenServices } from '../services/broken/index.ts';
import { startHere } from '../services/here.ts';
import { type Patch, start } from '../services/service.ts';
import { variants } from '../services/variants/index.ts';

/** Another seed tries other services and requirements; the same one repeats them. */
const SEED = Number(process.env.PROPERTIES_SEED ?? 2026);

/**
 * Services whose fault depends on how much was sent before, or on the tag of a run. Those with a
 * fault that comes now and then are also left out.
 */
const NO_TWO_ALIKE =
  /^(names in Latin-1$|the quota is twelve users|the total is a string until somebody creates a user with |a filter of words |three equal letters )/;

interface Kind {
  name: string;
  patch: Patch;
  settings?: object;
}

const kinds: Kind[] = [
  ...brokenServices.filter(({ mayAlso }) => mayAlso === undefined),
  ...variants,
].filter(({ name }) => !NO_TWO_ALIKE.test(name));
const kind = fc.constantFrom(...kinds);
const anyOrder = <T>(all: T[]) => fc.shuffledSubarray(all, { minLength: all.length });
const slugs = requirements.map(({ slug }) => slug);

/** Judges a fresh service of a kind. */
async function judgeFresh({ patch, settings }: Kind, all: Requirement[], only?: string[]) {
  const service = await startHere(patch);
  const options = { requirements: all, ...(only && { only }) };
  return judgeKept(service, settings, options).finally(service.close);
}

/** The outcomes of some requirements, sorted. */
const namesOf = (outcomes: readonly Pick<Outcome, 'slug' | 'outcome'>[], among: string[]) =>
  outcomes
    .filter(({ slug }) => among.includes(slug))
    .map(({ slug, outcome }) => `${slug}: ${outcome}`)
    .sort();

/** Tests each property of runs with so many drawn services. */
export function testProperties(numRuns: number): void {
  const drawn = <T>(drawing: fc.Arbitrary<T>) => fc.sample(drawing, { seed: SEED, numRuns });

  describe.concurrent(`any requirements in any order have the outcomes of the full run, seed ${SEED}`, () => {
    const draws = drawn(
      fc.record({
        one: kind,
        only: fc.shuffledSubarray(slugs, { minLength: 1 }),
        order: anyOrder(requirements),
      }),
    ).map((draw) => ({ ...draw, name: draw.one.name, count: draw.only.length }));

    test.for(draws)('$count of $name', async ({ one, only, order }) => {
      const [full, part] = [
        await judgeFresh(one, requirements),
        await judgeFresh(one, order, only),
      ];
      expect(namesOf(part.outcomes, slugs), part.notPassed().join('\n')).toEqual(
        namesOf(full.outcomes, only),
      );
    });
  });

  describe.concurrent(`further requirements change no outcome, and judging twice says the same, seed ${SEED}`, () => {
    const draws = drawn(
      fc.record({ one: kind, order: fc.integer({ min: 0, max: requirements.length }) }),
    ).map((draw) => ({
      ...draw,
      name: draw.one.name,
    }));

    test.for(draws)('$name', async ({ one, order }) => {
      const further = example.requirements;
      const all = [...requirements.slice(0, order), ...further, ...requirements.slice(order)];
      const before = await judgeFresh(one, requirements);
      const after = await judgeFresh(one, all);
      const failing = after.notPassed().join('\n');
      expect(namesOf(after.outcomes, slugs), failing).toEqual(namesOf(before.outcomes, slugs));
      const [first, again] = judgedTwice(after, all);
      expect(again).toEqual(first);
    });
  });

  describe.concurrent(`whether a network lies between changes no outcome, seed ${SEED}`, () => {
    test.for(drawn(fc.record({ one: kind })))('$one.name', async ({ one }) => {
      const here = await judgeFresh(one, requirements);
      const service = await start(one.patch);
      const there = await judgeAll(service, one.settings).finally(service.close);
      expect(namesOf(there.outcomes, slugs), there.notPassed().join('\n')).toEqual(
        namesOf(here.outcomes, slugs),
      );
    });
  });
}
