import { Ended } from '../http/deadline.ts';
import type { Run } from '../plan/run.ts';
import type { Judged } from '../requirement/judge.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { carryOutDrawn, type Drawn, type DrawnCase, draw, drawnOf, judgeBy, Row, toldBy } from './drawn.ts';
import { makeSmall, type Reproduction } from './small.ts';
import type { Topic } from './topic.ts';

/** Requests in flight at once while a thorough run explores: more than the pools of most services hold. */
const EXPLORED_AT_ONCE = 96;

/** How many of the users who were there before a thorough run retrieves, besides the first and the last of the list. */
const EXPLORED_OTHERS = 50;

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

  /** How many there are. */
  get size(): number {
    return [...this.#cases.values()].reduce((sum, { size }) => sum + size, 0);
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
  /** Cases that were not tried before, and what failed by them, by rounds. */
  fresh: { cases: number; failed: number }[];
  /** Requests that there was time for, as far as could be told before it, and those of them that were kept for the end. */
  expected: { requests: number; atEnd: number };
  /** Why it ended, a clause. */
  ended: string;
}

/** Requests and users that a round may take beyond the bounds, and that the last looks and counting need. */
const RESERVED = { requests: 300, users: 20 };
/** Rounds before the pause: by then most users are there, and there is still room for some who are created after it. */
const ROUNDS_BEFORE_PAUSE = 3;
/** Of so many rounds one tries what was tried before as well: what came since may have changed the answer. */
const REPEATS = 5;
/** Pauses for which nothing is sent where there is time left, in this order: parts of the long one. */
const SHORT_PAUSES = [0.1, 0.6, 0.2, 0.33];
/** Why an exploration ends that is to find one failure. */
const FOUND = 'it was found';
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
    ...{ rounds: 0, fresh: [], expected: expectedOf(run, bounds), ended: '' },
  };
  let began = run.client.now();
  const looks = run.looks.length;
  const rows = topics.map((topic, index) => new Row(topic, bounds.seed + index));
  const usual = topics.filter(({ isUsual }) => isUsual).map((topic) => new Row({ ...topic, perRound: 1 }, bounds.seed));
  const room = () => bounds.users - RESERVED.users - used(run, began).users;
  const open = () => requirements.filter(({ slug }) => !explored.failed.some((one) => one.requirement.slug === slug));
  const usedUp = () => {
    const { users, requests, usedMs } = used(run, began);
    if (run.stopped) return run.stopped.why.message;
    if (explored.rounds === rounds) return 'all rounds were done';
    if (explored.failed.some((one) => one.requirement.slug === until)) return FOUND;
    const atEnd = users + RESERVED.requests;
    // As fast as it was so far.
    if (usedMs * (1 + atEnd / requests) >= bounds.budgetMs) return 'the time budget was used up';
    return requests + atEnd >= bounds.requests ? 'the request limit was reached' : undefined;
  };
  const judgeAll = async (drawn: Drawn[], isOver: () => boolean) => {
    for (const one of judgeDrawn(run, drawn, explored)) {
      const { slug } = one.judged.requirement;
      if (slug === until) explored.failed.push(one.judged);
      if (usedUp() === FOUND) return;
      tell(`${slug} failed: looking for the smallest case`);
      const again = await makeSmall(run, one.drawn, one.requirement, isOver);
      explored.failed.push(again?.judged ?? one.judged);
      if (again && again.reproduction.tried > 0) explored.reproductions[slug] = again.reproduction;
    }
  };
  const tryAll = async (drawn: Drawn[], isOver = () => usedUp() !== undefined) => {
    const cases = await carryOutDrawn(run, drawn, isOver);
    await judgeAll(drawn, isOver);
    run.forget(cases, looks);
  };
  const pauseFor = async (milliseconds: number, what: string) => {
    tell(what);
    await pause(run, milliseconds);
    // What the pause has left behind is for requests as usual.
    await tryAll(draw(usual, room(), run.settings.readOnly, open(), true));
  };
  /** The next short pause, where requests are used up faster than time. */
  const shortPause = () => {
    const { usedMs, requests } = used(run, began);
    const next = bounds.pauseMs * (SHORT_PAUSES[explored.rounds % SHORT_PAUSES.length] ?? 0);
    return (requests / bounds.requests) * bounds.budgetMs - usedMs > next ? next : 0;
  };
  const tell = (what: string) => onProgress?.({ ...used(run, began), budgetMs: bounds.budgetMs, what });
  const allUsersAgain = async () => {
    tell('reading all users again');
    const paramsOf = ({ ofUser }: Topic) => run.ledger.proven.flatMap((_, place) => ofUser?.(place) ?? []);
    const drawn = topics.flatMap((topic) => drawnOf(topic, paramsOf(topic), open()));
    await tryAll(drawn, () => run.stopped !== undefined);
  };
  run.client.pace.allow(run.isQuick(4) ? EXPLORED_AT_ONCE : FEW);
  run.sampled = EXPLORED_OTHERS;
  tell(`there is time for about ${explored.expected.requests} requests, ${explored.expected.atEnd} of them at the end`);
  for (;;) {
    const drawNext = (mayRepeat: boolean) => draw(rows, room(), run.settings.readOnly, open(), mayRepeat);
    const fresh = drawNext(explored.rounds % REPEATS === REPEATS - 1);
    const drawn = fresh.length > 0 ? fresh : drawNext(true);
    const end = usedUp() ?? (drawn.length === 0 ? 'nothing was left to try' : undefined);
    if (end !== undefined) {
      explored.ended = end;
      break;
    }
    tell(`round ${explored.rounds + 1}`);
    const before = { cases: explored.kinds.size, failed: explored.failed.length };
    await tryAll(drawn);
    explored.rounds += 1;
    const { size } = explored.kinds;
    explored.fresh.push({ cases: size - before.cases, failed: explored.failed.length - before.failed });
    const timeLeft = bounds.budgetMs - used(run, began).usedMs;
    if (explored.rounds === ROUNDS_BEFORE_PAUSE && bounds.pauseMs > 0 && timeLeft > bounds.pauseMs / 2) {
      await pauseFor(bounds.pauseMs, 'a pause');
      // The time is for exploring alone.
      began += bounds.pauseMs;
      await allUsersAgain();
    } else if (shortPause() > 0) await pauseFor(shortPause(), 'a short pause');
  }
  if (explored.ended !== FOUND) await allUsersAgain();
  return explored;
}

/** How many requests there is time for, by how fast those of the plan were answered; and those that all users need at the end. */
function expectedOf({ client }: Run, { budgetMs, requests, users }: Bounds): Explored['expected'] {
  const inTime = Math.round((client.requestsSent * budgetMs) / client.now());
  return { requests: Math.min(requests, inTime), atEnd: Math.min(users, inTime) + RESERVED.requests };
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
