import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { MEASURED, measured } from '../docs/measured.ts';
import { isFoundByRun, requestsUntilFound } from '../judging/deep.ts';
import type { Deep } from '../services/deep/deep.ts';
import { type DeepProof, deepServices } from '../services/deep/index.ts';

/** Five seeds, or the first DEEP_SEEDS of them. */
const SEEDS = [1, 2, 3, 4, 5].slice(0, Number(process.env.DEEP_SEEDS ?? 5));

const proof: DeepProof = {};

async function prove(deep: Deep): Promise<void> {
  const { slug, name, isRace } = deep;
  const byRun = await isFoundByRun(deep);
  const found: number[] = [];
  for (const seed of SEEDS) {
    const requests = await requestsUntilFound(deep, seed);
    if (requests !== undefined) found.push(requests);
  }
  const least = isRace && SEEDS.length === 5 ? 4 : SEEDS.length;
  expect(found.length, 'seeds that find it').toBeGreaterThanOrEqual(least);
  found.sort((a, b) => a - b);
  const requests = found[found.length >> 1] ?? 0;
  proof[`${slug}: ${name}`] = { found: found.length, of: SEEDS.length, requests, byRun };
}

const titled = deepServices.map((deep): [string, Deep] => [`${deep.slug}: ${deep.name}`, deep]);
const races = titled.filter(([, { isRace }]) => isRace);
const others = titled.filter(([, { isRace }]) => !isRace);

describe.concurrent('services whose fault needs depth', () => {
  test.for(others)('%s', ([, deep]) => prove(deep));
});

// One service at a time, so that only requests of one run overlap.
describe('services whose fault needs many requests at once', () => {
  test.for(races)('%s', ([, deep]) => prove(deep));
});

/** Writes the measurements, with earlier ones of services that were not judged now. */
afterAll(() => {
  const all: DeepProof = { ...measured(), ...proof };
  const inOrder = titled.flatMap(([title]) => {
    const row = all[title];
    return row ? [[title, row] as const] : [];
  });
  mkdirSync(dirname(MEASURED), { recursive: true });
  writeFileSync(MEASURED, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
});
