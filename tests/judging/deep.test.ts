import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { History } from '../../src/history/history.ts';
import { judge } from '../../src/requirement/judge.ts';
import { MEASURED, measured } from '../docs/measured.ts';
import { judgedTwice, judgeKept, judgeThoroughly } from '../run.ts';
import type { Deep } from '../services/deep/deep.ts';
import { type DeepProof, deepServices } from '../services/deep/index.ts';
import { startHere } from '../services/here.ts';
import { isThorough, oneOf } from '../services/sample.ts';

/**
 * `npm run test:thorough`: every service, with five seeds or DEEP_SEEDS of them. Otherwise a few,
 * with one.
 */
const SEEDS = isThorough ? [1, 2, 3, 4, 5].slice(0, Number(process.env.DEEP_SEEDS ?? 5)) : [2026];

/** In `npm test` one of so many services is judged. */
const ONE_OF = 48;

/**
 * As many rounds as a run of all requirements has. The rounds end it, not the time, on a busy
 * machine as well.
 */
const BOUNDS = { maxRounds: 20, maxRequests: 25_000, maxUsers: 1500, budgetMs: 800_000 };

const proof: DeepProof = {};

/** Whether a requirement already failed. */
const isFound =
  (slug: string) =>
  (history: History): boolean => {
    const wanted = requirements.filter((one) => one.slug === slug);
    const judged = judge(wanted, history, { all: requirements, redact: (text) => text });
    return judged.some(({ outcome }) => outcome.outcome === 'failed');
  };

/**
 * Explores a service until its fault is found. Returns the number of the request that shows it;
 * undefined if none does.
 */
async function requestsUntilFound(deep: Deep, seed: number): Promise<number | undefined> {
  const { slug, beside, patch } = deep;
  const pauses = { count: 0 };
  const service = await startHere((one) => patch(one, pauses));
  const onProgress = ({ what }: { what: string }) => {
    if (what === 'a pause') pauses.count += 1;
  };
  const exploring = { ...BOUNDS, pauseMs: 1, isEnough: isFound(slug), onProgress };
  const only = [slug, ...beside];
  const run = await judgeThoroughly(
    service,
    seed,
    exploring,
    { deadlineMs: 300_000 },
    { only },
  ).finally(service.close);
  const [first, again] = judgedTwice(run);
  expect(again, 'judged again').toEqual(first);
  const found = run.outcomes.find((one) => one.slug === slug && one.outcome === 'failed');
  return found && Math.min(...found.exchanges.map(({ id }) => id), run.tally.requests);
}

/** Whether the default run finds the fault as well. */
async function isFoundByRun({ patch, slug }: Deep): Promise<boolean> {
  const service = await startHere((one) => patch(one, { count: 0 }));
  const run = await judgeKept(service).finally(service.close);
  return run.slugs('failed').includes(slug);
}

async function prove(deep: Deep): Promise<void> {
  const { slug, name, isRace } = deep;
  const byRun = isThorough && (await isFoundByRun(deep));
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

const options = { timeout: 3_600_000 };
const races = deepServices.filter(({ isRace }) => isRace);
const others = deepServices.filter(({ isRace }) => !isRace);

describe.concurrent('services whose fault needs depth', () => {
  test.for(oneOf(ONE_OF, others))('$slug: $name', options, prove);
});

// One at a time: what overlaps must be the service's own requests.
describe('services whose fault needs many requests at once', () => {
  test.for(oneOf(ONE_OF, races))('$slug: $name', options, prove);
});

test('each has a name of its own, and requirements that exist', () => {
  const names = deepServices.map(({ slug, name }) => `${slug}: ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) < index)).toEqual([]);
  const slugs = requirements.map(({ slug }) => slug);
  const used = deepServices.flatMap(({ slug, beside }) => [slug, ...beside]);
  expect(used.filter((slug) => !slugs.includes(slug))).toEqual([]);
});

/**
 * Keeps what was measured, beside what was measured before of services that were not judged now.
 */
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
