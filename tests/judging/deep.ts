import { expect } from 'vitest';
import { requirements } from '../../specs/index.ts';
import type { History } from '../../src/history/history.ts';
import { makeShowText } from '../../src/http/secrets.ts';
import { judge } from '../../src/requirement/judge.ts';
import { judgedTwice, judgeKept, judgeThoroughly, NEVER_MS } from '../run.ts';
import type { Deep } from '../services/deep/deep.ts';
import { startHere } from '../services/here.ts';

/** Bounds that allow as many rounds as a run of all requirements. The time never ends a run. */
const BOUNDS = { maxRounds: 20, maxRequests: 25_000, maxUsers: 1500, budgetMs: NEVER_MS };

/** Returns a function that tells whether a requirement has failed already. */
const hasFailed =
  (slug: string) =>
  (history: History): boolean => {
    const wanted = requirements.filter((requirement) => requirement.slug === slug);
    const judged = judge(wanted, history, {
      all: requirements,
      showText: makeShowText((text) => text),
    });
    return judged.some(({ outcome }) => outcome.outcome === 'failed');
  };

/**
 * Explores a service until its fault is found. Returns the number of the request that shows it;
 * undefined if none does.
 */
export async function requestsUntilFound(deep: Deep, seed: number): Promise<number | undefined> {
  const { slug, beside, patch } = deep;
  const pauses = { count: 0 };
  const service = await startHere((patched) => patch(patched, pauses));
  const onProgress = ({ activity }: { activity: string }) => {
    if (activity === 'a pause') pauses.count += 1;
  };
  const exploring = { ...BOUNDS, pauseMs: 1, isEnough: hasFailed(slug), onProgress };
  const only = [slug, ...beside];
  const run = await judgeThoroughly(service, seed, exploring, {}, { only }).finally(service.close);
  const [first, again] = judgedTwice(run);
  expect(again, 'judged again').toEqual(first);
  const outcome = run.outcomes.find((candidate) => candidate.slug === slug);
  if (outcome?.outcome !== 'failed') return undefined;
  return Math.min(...outcome.exchanges.map(({ id }) => id), run.tally.requests);
}

/** Whether the default run finds the fault as well. */
export async function isFoundByRun({ patch, slug }: Deep): Promise<boolean> {
  const service = await startHere((patched) => patch(patched, { count: 0 }));
  const run = await judgeKept(service).finally(service.close);
  return run.slugs('failed').includes(slug);
}
