import { Ended } from '../http/deadline.ts';
import type { Run } from '../plan/run.ts';
import type { Judged } from '../requirement/judge.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { EXPLORED_AT_ONCE, EXPLORED_OTHERS } from '../settings/limits.ts';
import { carryOutDrawn, casesOf, type Drawn, type DrawnCase, draw, drawnOf, judgeBy, Row, toldBy } from './drawn.ts';
import type { Reproduction } from './reproduction.ts';
import { makeSmall } from './small.ts';
import type { Topic } from './topic.ts';

/** What a thorough run may use. */
export interface Bounds {
  /** From it everything is drawn. */
  seed: number;
  /** Milliseconds. */
  budgetMs: number;
  requests: number;
  users: number;
  /** Milliseconds for which nothing is sent, once. */
  pauseMs: number;
}

export interface Exploration extends Bounds {
  topics: readonly Topic[];
  /** Ends as soon as this requirement has failed. */
  until?: string;
  /** Rounds at most; absent: as many as the bounds allow. */
  rounds?: number;
  /** Called at the beginning of each part of it. */
  onProgress?: (progress: Progress) => void;
}

/** How far an exploration is. */
export interface Progress {
  /** Of the budget, milliseconds. */
  usedMs: number;
  budgetMs: number;
  users: number;
  requests: number;
  what: string;
}

/** Different cases by what they are counted for: each counts once, however often it is sent. */
export class Cases {
  readonly #cases = new Map<string, Set<string>>();

  add(name: string, { key }: DrawnCase): void {
    const cases = this.#cases.get(name) ?? new Set();
    this.#cases.set(name, cases.add(key));
  }

  /** How many there are of each. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#cases].map(([name, cases]) => [name, cases.size]));
  }
}

/** What an exploration found. */
export interface Explored {
  /** What failed, judged by the drawn cases alone, made as small as could be; and how it can be reproduced. */
  failed: Judged[];
  reproductions: Record<string, Reproduction>;
  /** The different cases of each kind that were tried, and those by which each requirement was judged. */
  kinds: Cases;
  judged: Cases;
  rounds: number;
  /** Why it ended, a clause. */
  ended: string;
}

/** Requests and users that a round may take beyond the bounds, and that the last looks and counting need. */
const RESERVED = { requests: 300, users: 20 };
/** Rounds before the pause: by then most users are there, and there is still room for some who are created after it. */
const ROUNDS_BEFORE_PAUSE = 3;
/** Why an exploration ends that is to find one failure. */
const FOUND = 'it was found';
/** Cases that stand in a report at most. */
const MOST_CASES = 300;
/** Requests at once where a service takes its time for each. */
const FEW = 8;

/**
 * Explores beyond the plan: rounds of cases that are drawn from the seed, carried out in the order of the plan and judged by
 * the same checks, until the budget is used up. All users are retrieved again after the pause, and at the end. Ends early
 * where the service stops answering.
 */
export async function explore(
  run: Run,
  requirements: readonly Requirement[],
  { topics, onProgress, rounds, until, ...bounds }: Exploration,
): Promise<Explored> {
  const explored: Explored = {
    ...{ failed: [], reproductions: {}, kinds: new Cases(), judged: new Cases() },
    ...{ rounds: 0, ended: '' },
  };
  let began = run.client.now();
  const looks = run.looks.length;
  const rows = topics.map((topic, index) => new Row(topic, bounds.seed + index));
  const open = () => requirements.filter(({ slug }) => !explored.failed.some((one) => one.requirement.slug === slug));
  const usedUp = () => {
    const { users, requests, usedMs } = used(run, began);
    if (run.stopped) return run.stopped.why.message;
    if (explored.rounds === rounds) return 'the rounds were over';
    if (explored.failed.some((one) => one.requirement.slug === until)) return FOUND;
    if (usedMs >= bounds.budgetMs) return 'the time of the budget was used up';
    return requests + users + RESERVED.requests >= bounds.requests ? 'the requests were used up' : undefined;
  };
  const judgeAll = async (drawn: Drawn[], isOver: () => boolean) => {
    for (const one of judgeDrawn(run, drawn, explored)) {
      const { slug } = one.judged.requirement;
      if (slug === until) explored.failed.push(one.judged);
      if (usedUp() === FOUND) return;
      tell(`${slug} failed: looking for the smallest case`);
      const again = await makeSmall(run, one.drawn, one.requirement, isOver);
      explored.failed.push(again?.judged ?? one.judged);
      if (again === undefined || again.tried === 0) continue;
      const { seen, tried, params } = again;
      explored.reproductions[slug] = { seen, tried, topic: one.drawn.topic.what, cases: params.slice(0, MOST_CASES) };
    }
  };
  const tell = (what: string) => onProgress?.({ ...used(run, began), budgetMs: bounds.budgetMs, what });
  const allUsersAgain = async () => {
    tell('all users again');
    const drawn = topics.flatMap((topic) =>
      drawnOf(
        topic,
        casesOf(
          topic,
          run.ledger.proven.flatMap((_, place) => topic.ofUser?.(place) ?? []),
        ),
        open(),
      ),
    );
    const isStopped = () => run.stopped !== undefined;
    const cases = await carryOutDrawn(run, drawn, isStopped);
    await judgeAll(drawn, isStopped);
    run.forget(cases, looks);
  };
  run.client.allow(run.isQuick(4) ? EXPLORED_AT_ONCE : FEW);
  run.sampled = EXPLORED_OTHERS;
  for (;;) {
    const room = bounds.users - RESERVED.users - used(run, began).users;
    const drawn = draw(rows, room, run.settings.readOnly, open());
    const end = usedUp() ?? (drawn.length === 0 ? 'nothing was left to be tried' : undefined);
    if (end !== undefined) {
      explored.ended = end;
      break;
    }
    tell(`round ${explored.rounds + 1}`);
    const cases = await carryOutDrawn(run, drawn, () => usedUp() !== undefined);
    await judgeAll(drawn, () => usedUp() !== undefined);
    run.forget(cases, looks);
    explored.rounds += 1;
    const timeLeft = bounds.budgetMs - used(run, began).usedMs;
    if (explored.rounds === ROUNDS_BEFORE_PAUSE && bounds.pauseMs > 0 && timeLeft > bounds.pauseMs / 2) {
      tell('a pause');
      await pause(run, bounds.pauseMs);
      // The time is for exploring alone.
      began += bounds.pauseMs;
      await allUsersAgain();
    }
  }
  if (explored.ended !== FOUND) await allUsersAgain();
  return explored;
}

function used(run: Run, began: number) {
  const { client, ledger } = run;
  const users = ledger.creations.filter(({ answered }) => answered !== 'refused').length;
  return { usedMs: client.now() - began, users, requests: client.requestsSent };
}

async function pause(run: Run, milliseconds: number): Promise<void> {
  try {
    await run.client.deadline.pause(milliseconds);
  } catch (error) {
    // The next step says that the run is over.
    if (!(error instanceof Ended)) throw error;
  }
}

/** What newly failed, judged by drawn cases. */
interface NewFailure {
  drawn: Drawn;
  requirement: Requirement;
  judged: Judged;
}

/** Judges drawn cases, counts them, and returns what newly failed. */
function judgeDrawn(run: Run, drawn: Drawn[], { kinds, judged }: Explored): NewFailure[] {
  const failed: NewFailure[] = [];
  for (const one of drawn) {
    for (const requirement of one.requirements) {
      const { slug } = requirement;
      for (const told of toldBy(run, one, requirement)) {
        kinds.add(one.topic.what, told);
        judged.add(slug, told);
      }
      const found = judgeBy(run, one, requirement);
      const isKnown = failed.some((other) => other.requirement.slug === slug);
      if (!isKnown && (found.outcome.outcome === 'failed' || found.fault)) {
        failed.push({ drawn: one, requirement, judged: found });
      }
    }
  }
  return failed;
}
