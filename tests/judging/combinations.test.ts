import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeKept } from '../run.ts';
import { start } from '../services/service.ts';
import { COMBINATIONS, variants } from '../services/variants/index.ts';
import type { Variant } from '../services/variants/variant.ts';

/** Another seed tries other combinations; the same one repeats them. */
const SEED = Number(process.env.COMBINATIONS_SEED ?? COMBINATIONS.seed);

/** Freedoms that are one matter, of which a service has one: where the identifier is, and what shows it. */
const IDENTITY = ['identifier', 'record', 'states', 'create-answer', 'retrieve-answer'];
const matterOf = ({ freedom }: Variant) => (IDENTITY.includes(freedom) ? 'identity' : freedom);

/** A service that pages and shows the identifier in the list alone may leave it unfound, which is not verified. */
const hidesIdentifiers = (combined: Variant[]) =>
  combined.some(({ name }) => /\bpages?\b/.test(name)) &&
  combined.some(({ name }) => name.startsWith('only in the list') || name === 'the name');

/** What needs settings of its own is judged alone. */
const usual = variants.filter(({ settings }) => settings === undefined);

const combinations = fc
  .uniqueArray(fc.constantFrom(...usual), { minLength: 2, maxLength: 3, selector: matterOf })
  .filter((combined) => !hidesIdentifiers(combined));

describe.concurrent(`combined freedoms, seed ${SEED}`, () => {
  const named = fc
    .sample(combinations, { numRuns: COMBINATIONS.runs, seed: SEED })
    .map((combined) => ({ combined, name: combined.map(({ freedom, name }) => `${freedom}: ${name}`).join(' + ') }));

  test.for(named)('$name', async ({ combined, name }) => {
    const service = await start(...combined.map(({ patch }) => patch));
    const run = await judgeKept(service).finally(service.close);
    expect([...run.told('failed', 'MUST'), ...run.told('not-verified')], name).toEqual([]);
  });
});
