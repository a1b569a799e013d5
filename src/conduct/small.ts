import type { Run } from '../plan/run.ts';
import { type Judged, judge } from '../requirement/judge.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { carryOutDrawn, type Drawn, drawnOf } from './drawn.ts';

/** What came of trying a failure again. */
export interface Again {
  /** The failure as small as it could be made. */
  judged: Judged;
  /** How it was tried again: one case alone, or all those of its kind at once. */
  how: 'alone' | 'together';
  /** How often it was seen then, and how often it was tried. */
  seen: number;
  tried: number;
}

/** How often a failure is tried again. */
const TRIES = 3;
/** How many smaller cases are tried in the place of the one that failed. */
const SMALLER = 16;

/**
 * Makes a failure of drawn cases small: looks for one that fails alone, then for a smaller one in its place. What never shows
 * alone is tried again with all cases that were drawn with it: a race, or a matter of what came before. Undefined where it
 * is a matter of the whole run. `isOver` says when there is no time left.
 */
export async function makeSmall(
  run: Run,
  { topic, cases }: Drawn,
  requirement: Requirement,
  isOver: () => boolean,
): Promise<Again | 'not seen' | undefined> {
  const judgedWith = async (some: unknown[]): Promise<Judged | undefined> => {
    const copies = some.map((one) => ({ ...(one as object) }));
    const [drawn] = drawnOf(topic, copies, [requirement]);
    if (drawn === undefined) return undefined;
    await carryOutDrawn(run, [drawn], isOver);
    return failedOf(run, drawn);
  };
  // What fails without any case is a matter of the whole run.
  const parts = topic.judgedBy[requirement.slug]?.([]);
  if (
    judge({ ...requirement, evidence: { ...requirement.evidence, ...parts } }, run, run.client.redact).outcome
      .outcome === 'failed'
  ) {
    return undefined;
  }
  const culprit = cases.find((one) => drawnOf(topic, [one], [requirement]).some((drawn) => failedOf(run, drawn)));
  const alone = culprit === undefined ? undefined : await again(() => judgedWith([culprit]), isOver);
  if (culprit === undefined || alone === undefined || alone.judged === undefined) {
    const together = cases.length > 1 ? await again(() => judgedWith(cases), isOver) : undefined;
    return together?.judged ? { ...together, judged: together.judged, how: 'together' } : 'not seen';
  }
  let judged: Judged = alone.judged;
  let smallest: unknown = culprit;
  let left = alone.seen === alone.tried ? SMALLER : 0;
  for (let found = true; found; ) {
    found = false;
    for (const smaller of topic.smaller?.(smallest as never) ?? []) {
      if (left === 0 || isOver()) break;
      left -= 1;
      const failed = await judgedWith([smaller]);
      if (failed === undefined) continue;
      [judged, smallest, found] = [failed, smaller, true];
      break;
    }
  }
  return { judged, how: 'alone', seen: alone.seen, tried: alone.tried };
}

/** Tries a few times; gives up after the first where it did not fail. */
async function again(attempt: () => Promise<Judged | undefined>, isOver: () => boolean) {
  let judged: Judged | undefined;
  let [seen, tried] = [0, 0];
  while (tried < TRIES && !isOver()) {
    const failed = await attempt();
    tried += 1;
    if (failed) seen += 1;
    judged ??= failed;
  }
  return { judged, seen, tried };
}

/** The failure that drawn cases show; undefined where they show none. */
function failedOf(run: Run, { requirements: [requirement] }: Drawn): Judged | undefined {
  const judged = requirement && judge(requirement, run, run.client.redact);
  return judged?.outcome.outcome === 'failed' ? judged : undefined;
}
