import { Ended } from '../http/deadline.ts';
import { selectSteps } from '../plan/carry-out.ts';
import type { Run } from '../plan/run.ts';
import { type Judged, judge } from '../requirement/judge.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { EXPLORED_AT_ONCE, EXPLORED_OTHERS } from '../settings/limits.ts';
import { carryOutDrawn, type Drawn, draw, drawnOf, partsOf, Row } from './drawn.ts';
import { type Reproduction, reproductionOf } from './reproduction.ts';
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

/** What an exploration found. */
export interface Explored {
  /** What failed, judged by the drawn cases alone, made as small as could be; and how it can be reproduced. */
  failed: Judged[];
  reproductions: Record<string, Reproduction>;
  /** How many cases of each kind were tried. */
  kinds: Record<string, number>;
  /** How often each requirement was judged by drawn cases. */
  judged: Record<string, number>;
  rounds: number;
  /** Why it ended, a clause. */
  ended: string;
}

/** Requests and users that a round may take beyond the bounds, and that the last looks and counting need. */
const RESERVED = { requests: 300, users: 20 };
/** Rounds before the pause: by then most users are there, and there is still room for some who are created after it. */
const ROUNDS_BEFORE_PAUSE = 3;
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
  { topics, onProgress, rounds, ...bounds }: Exploration,
): Promise<Explored> {
  const explored: Explored = { failed: [], reproductions: {}, kinds: {}, judged: {}, rounds: 0, ended: '' };
  const began = run.client.now();
  const rows = topics.map((topic, index) => new Row(topic, bounds.seed + index));
  const open = () => requirements.filter(({ slug }) => !explored.failed.some((one) => one.requirement.slug === slug));
  const usedUp = () => {
    const { users, requests, usedMs } = used(run, began);
    if (run.stopped) return run.stopped.why.message;
    if (explored.rounds === rounds) return 'the rounds were over';
    if (usedMs >= bounds.budgetMs) return 'the time of the budget was used up';
    return requests + users + RESERVED.requests >= bounds.requests ? 'the requests were used up' : undefined;
  };
  const judgeAll = async (drawn: Drawn[], isOver: () => boolean) => {
    for (const one of judgeDrawn(run, drawn, explored)) {
      const { slug } = one.judged.requirement;
      tell(`${slug} failed: looking for the smallest case`);
      const again = await makeSmall(run, one.drawn, one.judged.requirement, isOver);
      const judged = again === undefined || again === 'not seen' ? one.judged : again.judged;
      explored.failed.push(judged);
      explored.reproductions[slug] = reproductionOf(again);
    }
  };
  const tell = (what: string) => onProgress?.({ ...used(run, began), budgetMs: bounds.budgetMs, what });
  const allUsersAgain = async () => {
    tell('all users again');
    const drawn = topics.flatMap((topic) =>
      drawnOf(topic, run.ledger.proven.flatMap(topic.ofEach ?? (() => [])), open()),
    );
    const isStopped = () => run.stopped !== undefined;
    await carryOutDrawn(run, drawn, isStopped);
    await judgeAll(drawn, isStopped);
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
    await carryOutDrawn(run, drawn, () => usedUp() !== undefined);
    await judgeAll(drawn, () => usedUp() !== undefined);
    explored.rounds += 1;
    const timeLeft = bounds.budgetMs - used(run, began).usedMs;
    if (explored.rounds === ROUNDS_BEFORE_PAUSE && bounds.pauseMs > 0 && timeLeft > 1.5 * bounds.pauseMs) {
      tell('a pause');
      await pause(run, bounds.pauseMs);
      await allUsersAgain();
    }
  }
  await allUsersAgain();
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

/** Judges drawn cases, counts them, and returns what newly failed. */
function judgeDrawn(run: Run, drawn: Drawn[], explored: Explored): { drawn: Drawn; judged: Judged }[] {
  const failed: { drawn: Drawn; judged: Judged }[] = [];
  for (const one of drawn) {
    const { cases } = selectSteps(partsOf(one), []);
    const isTried = (tried: unknown) => [...cases].some(([step, all]) => all.has(tried) && run.isTaken(step, tried));
    const { what } = one.topic;
    explored.kinds[what] = (explored.kinds[what] ?? 0) + one.cases.filter(isTried).length;
    for (const requirement of one.requirements) {
      const found = judge(requirement, run, run.client.redact);
      const count = found.findings.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed').length;
      explored.judged[requirement.slug] = (explored.judged[requirement.slug] ?? 0) + count;
      const isKnown = failed.some(({ judged }) => judged.requirement.slug === requirement.slug);
      if (!isKnown && (found.outcome.outcome === 'failed' || found.fault)) failed.push({ drawn: one, judged: found });
    }
  }
  return failed;
}
