import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { topics as allTopics } from '../../specs/thorough/index.ts';
import { judges } from '../../src/conduct/drawn.ts';
import { MEASURED, measured } from '../docs/measured.ts';
import { judgedTwice, judgeKept, judgeThoroughly } from '../run.ts';
import type { Deep } from '../services/deep/deep.ts';
import { type DeepProof, deepServices } from '../services/deep/index.ts';
import { startHere } from '../services/here.ts';
import { isThorough, oneOf } from '../services/sample.ts';

/** `npm run test:thorough`: every service, by five seeds, or by DEEP_SEEDS of them. Else some of them, by one. */
const SEEDS = isThorough ? [1, 2, 3, 4, 5].slice(0, Number(process.env.DEEP_SEEDS ?? 5)) : [2026];
/**
 * As many rounds as there are at least in a run of all topics, and what it may use. The rounds end it, not the time, on a
 * machine under load as well.
 */
const ROUNDS = 20;
const BOUNDS = { maxRequests: 25_000, maxUsers: 1500, budgetMs: 800_000 };

const races = deepServices.filter(({ isRace }) => isRace);
const others = deepServices.filter(({ isRace }) => !isRace);
const proof: DeepProof = {};

/**
 * Explores what can find it; ends as soon as it is found. Resolves to the request that shows it, undefined where none
 * does.
 */
async function requestsUntilFound({ slug, patch, topics, isMany }: Deep, seed: number): Promise<number | undefined> {
  const pauses = { count: 0 };
  const service = await startHere((one) => patch(one, pauses));
  const abort = new AbortController();
  const chosen = allTopics.filter(({ what }) => topics.includes(what));
  const bounds = { topics: chosen, pauseMs: 1, ...(!isMany && { ...BOUNDS, rounds: ROUNDS }) };
  const judging = requirements.filter((one) => chosen.some((topic) => judges(one, topic)));
  const only = [slug, ...judging.map((one) => one.slug)];
  const onProgress = ({ what }: { what: string }) => {
    if (what === 'a pause that is not counted') pauses.count += 1;
    if (what.startsWith(`${slug} failed`)) abort.abort();
  };
  const options = { only, signal: abort.signal };
  const run = await judgeThoroughly(service, seed, { ...bounds, onProgress }, { deadlineMs: 300_000 }, options).finally(
    service.close,
  );
  const [first, again] = judgedTwice(run);
  expect(again, 'judged again').toEqual(first);
  const found = run.outcomes.find((one) => one.slug === slug && one.outcome === 'failed');
  return found && Math.min(...found.exchanges.map(({ id }) => id), run.tally.requests);
}

/** Whether the default run finds it as well: some by chance, because each run takes other words. */
async function isFoundByRun(patch: Deep['patch']): Promise<boolean> {
  const service = await startHere((own) => patch(own, { count: 0 }));
  const run = await judgeKept(service).finally(service.close);
  return run.slugs('failed').length > 0;
}

async function prove(one: Deep): Promise<void> {
  const { slug, name, patch, isRace } = one;
  const byRun = isThorough && (await isFoundByRun(patch));
  const all: number[] = [];
  for (const seed of SEEDS) all.push((await requestsUntilFound(one, seed)) ?? Number.NaN);
  const found = all.filter((count) => !Number.isNaN(count)).sort((a, b) => a - b);
  const least = SEEDS.length - (isRace && SEEDS.length === 5 ? 1 : 0);
  expect(found.length, 'seeds that find it').toBeGreaterThanOrEqual(least);
  proof[`${slug}: ${name}`] = { found: found.length, of: SEEDS.length, requests: found[found.length >> 1] ?? 0, byRun };
}

const options = { timeout: 3_600_000 };

describe.concurrent('services whose fault needs depth', () => {
  test.for(oneOf(144, others))('$slug: $name', options, prove);
});

// One at a time: what overlaps is for the service alone.
describe('services whose fault needs many requests at once', () => {
  test.for(oneOf(144, races))('$slug: $name', options, prove);
});

test('each has a name of its own, and topics that there are', () => {
  const names = deepServices.map(({ slug, name }) => `${slug}: ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  const known = allTopics.map(({ what }) => what);
  expect(deepServices.flatMap(({ topics }) => topics).filter((what) => !known.includes(what))).toEqual([]);
});

/** Keeps what was measured, with what was measured before of services that were not found now. */
afterAll(() => {
  if (!isThorough) return;
  const all: DeepProof = { ...measured(), ...proof };
  const inOrder = deepServices.flatMap(({ slug, name }) => {
    const row = all[`${slug}: ${name}`];
    return row ? [[`${slug}: ${name}`, row] as const] : [];
  });
  mkdirSync(dirname(MEASURED), { recursive: true });
  writeFileSync(MEASURED, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
});
