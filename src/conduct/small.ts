import type { Run } from '../plan/run.ts';
import type { Judged } from '../requirement/judge.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { type Drawn, judgeBy, sendDrawn } from './drawn.ts';

/** How a failure of a thorough run can be seen again: plain data, which stands in the report. */
export interface Reproduction {
  /** How often it was seen when it was tried again, and how often it was tried. */
  seen: number;
  tried: number;
  /** The topic of the cases that show it, and their parameters: of one case alone, or of all that must be sent at once. */
  topic: string;
  cases: unknown[];
}

/** What came of trying a failure again; `judged` is undefined where it was not seen again. */
type Tries = Pick<Reproduction, 'seen' | 'tried'> & { judged: Judged | undefined };

/** Cases that stand in a report at most. */
const MOST_CASES = 300;
/** How often a failure is tried again. */
const TRIES = 3;
/** How many smaller cases are tried in the place of the one that failed. */
const SMALLER = 16;

/**
 * Makes a failure of drawn cases small: looks for one that fails alone, then for a smaller one in its place. What never shows
 * alone is tried again with all cases that were drawn with it: a race, or a matter of what came before. Undefined where it
 * is a matter of the whole run. `isOver` says when there is no time left.
 */
export async function makeSmall(run: Run, { topic, cases }: Drawn, requirement: Requirement, isOver: () => boolean) {
  const judgedWith = async (params: unknown[]): Promise<Judged | undefined> => {
    const [judged] = await sendDrawn(run, { topic, params }, [requirement], isOver);
    return judged && failed(judged);
  };
  const shownBy = (params: unknown[], { judged, seen, tried }: Tries) => {
    const reproduction: Reproduction = { seen, tried, topic: topic.what, cases: params.slice(0, MOST_CASES) };
    return { judged, reproduction };
  };
  // What fails without any case is a matter of the whole run.
  if (failed(judgeBy(run, { topic, cases: [] }, requirement))) return undefined;
  const culprit = cases.find((one) => failed(judgeBy(run, { topic, cases: [one] }, requirement)));
  const alone = culprit && (await again(() => judgedWith([culprit.params]), isOver));
  if (culprit === undefined || alone?.judged === undefined) {
    const params = cases.map((one) => one.params);
    return shownBy(params, await again(() => judgedWith(params), isOver));
  }
  let { judged } = alone;
  let smallest = culprit.params;
  const smallerThan = (params: unknown) => (topic.params.smaller?.(params) ?? [])[Symbol.iterator]();
  let open = smallerThan(smallest);
  for (let left = alone.seen === alone.tried ? SMALLER : 0; left > 0 && !isOver(); left -= 1) {
    const { value: smaller, done } = open.next();
    if (done) break;
    const failing = await judgedWith([smaller]);
    if (failing) [judged, smallest, open] = [failing, smaller, smallerThan(smaller)];
  }
  return shownBy([smallest], { ...alone, judged });
}

/** Tries a few times. */
async function again(attempt: () => Promise<Judged | undefined>, isOver: () => boolean): Promise<Tries> {
  const tries: (Judged | undefined)[] = [];
  while (tries.length < TRIES && !isOver()) tries.push(await attempt());
  const seen = tries.filter((one) => one !== undefined);
  return { judged: seen[0], seen: seen.length, tried: tries.length };
}

const failed = (judged: Judged) => (judged.outcome.outcome === 'failed' ? judged : undefined);
