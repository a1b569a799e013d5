import { sample } from 'fast-check';
import { Ended } from '../http/deadline.ts';
import { carryOut, selectSteps } from '../plan/carry-out.ts';
import type { Evidence } from '../plan/evidence.ts';
import { round } from '../plan/plan.ts';
import type { Run } from '../plan/run.ts';
import { EXPLORED_AT_ONCE } from '../settings/limits.ts';
import { type Judged, judge } from './judge.ts';
import type { Requirement } from './requirement.ts';
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
  /** What failed, judged by the drawn cases alone. */
  failed: Judged[];
  /** How many cases of each kind were tried. */
  kinds: Record<string, number>;
  /** How often each requirement was judged by drawn cases. */
  judged: Record<string, number>;
  rounds: number;
  /** Why it ended, a clause. */
  ended: string;
}

/** Requests and users that the end of the run needs, beside one request for each user: the last looks, and counting. */
const RESERVED = { requests: 60, users: 20 };
/** Rounds before the pause: by then most users are there. */
const ROUNDS_BEFORE_PAUSE = 5;
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
  { topics, onProgress, ...bounds }: Exploration,
): Promise<Explored> {
  const explored: Explored = { failed: [], kinds: {}, judged: {}, rounds: 0, ended: '' };
  const began = run.client.now();
  const rows = topics.map((topic, index) => new Row(topic, bounds.seed + index));
  const open = () => requirements.filter(({ slug }) => !explored.failed.some((one) => one.requirement.slug === slug));
  const usedUp = () => {
    const { users, requests, usedMs } = used(run, began);
    if (run.stopped) return run.stopped.why.message;
    if (usedMs >= bounds.budgetMs) return 'the time of the budget was used up';
    return requests + users + RESERVED.requests >= bounds.requests ? 'the requests were used up' : undefined;
  };
  const tell = (what: string) => onProgress?.({ ...used(run, began), budgetMs: bounds.budgetMs, what });
  const allUsersAgain = async () => {
    tell('all users again');
    const drawn = topics.flatMap((topic) =>
      drawnOf(topic, run.ledger.proven.flatMap(topic.ofEach ?? (() => [])), open()),
    );
    await carryOutDrawn(run, drawn, () => run.stopped !== undefined);
    judgeDrawn(run, drawn, explored);
  };
  run.client.allow(atOnce(run));
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
    judgeDrawn(run, drawn, explored);
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

/** A row of drawn cases, which goes on with others when it is used up. */
class Row {
  readonly topic: Topic;
  #seed: number;
  #left: unknown[] = [];

  constructor(topic: Topic, seed: number) {
    this.topic = topic;
    this.#seed = seed;
  }

  take(count: number): unknown[] {
    const taken: unknown[] = [];
    while (taken.length < count) {
      if (this.#left.length === 0) this.#left = sample(this.topic.cases, { seed: this.#seed, numRuns: 1 }).flat();
      this.#seed += 1;
      if (this.#left.length === 0) return taken;
      taken.push(...this.#left.splice(0, count - taken.length));
    }
    // What came of a case is kept by the case: one that comes again is another.
    return taken.map((one) => ({ ...(one as object) }));
  }
}

/** What of one topic is tried, and the requirements that judge it, with the drawn cases in their evidence. */
interface Drawn {
  topic: Topic;
  cases: unknown[];
  requirements: Requirement[];
}

/** Draws as many cases of each topic as a round takes, and as there is room for users. */
function draw(rows: Row[], room: number, readOnly: boolean, requirements: Requirement[]): Drawn[] {
  let left = room;
  return rows.flatMap((row) => {
    const { topic } = row;
    const { users, perRound, reads } = topic;
    const count = users > 0 ? Math.min(perRound, Math.floor(left / users)) : perRound;
    if ((readOnly && !reads) || count <= 0 || !requirements.some(({ slug }) => slug in topic.judgedBy)) return [];
    left -= count * users;
    return drawnOf(topic, row.take(count), requirements);
  });
}

function drawnOf(topic: Topic, cases: unknown[], requirements: Requirement[]): Drawn[] {
  const judging = requirements
    .filter(({ slug }) => slug in topic.judgedBy)
    .map((one) => ({ ...one, evidence: { ...one.evidence, ...topic.judgedBy[one.slug]?.(cases as never[]) } }));
  return judging.length === 0 || cases.length === 0 ? [] : [{ topic, cases, requirements: judging }];
}

/** The parts of the evidence in which the drawn cases stand. */
function partsOf({ topic, cases, requirements }: Drawn): Evidence<unknown>[] {
  return requirements.flatMap(({ slug }) => Object.values(topic.judgedBy[slug]?.(cases as never[]) ?? {}));
}

async function carryOutDrawn(run: Run, drawn: Drawn[], isOver: () => boolean): Promise<void> {
  const { steps, cases } = selectSteps(drawn.flatMap(partsOf), []);
  // What a case depends on may have been carried out before.
  const fresh = [...cases].map(
    ([step, all]) => [step, new Set([...all].filter((one) => !run.isTaken(step, one)))] as const,
  );
  for (const line of round) if (!isOver()) await carryOut(run, { steps, cases: new Map(fresh) }, () => {}, [line]);
}

function judgeDrawn(run: Run, drawn: Drawn[], explored: Explored): void {
  for (const one of drawn) {
    const { cases } = selectSteps(partsOf(one), []);
    const isTried = (tried: unknown) => [...cases].some(([step, all]) => all.has(tried) && run.isTaken(step, tried));
    const { what } = one.topic;
    explored.kinds[what] = (explored.kinds[what] ?? 0) + one.cases.filter(isTried).length;
    for (const requirement of one.requirements) {
      const found = judge(requirement, run, run.client.redact);
      const count = found.findings.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed').length;
      explored.judged[requirement.slug] = (explored.judged[requirement.slug] ?? 0) + count;
      const isKnown = explored.failed.some((other) => other.requirement.slug === requirement.slug);
      if (!isKnown && (found.outcome.outcome === 'failed' || found.fault)) explored.failed.push(found);
    }
  }
}

/** As many requests at once as a busy hour has; few where the service takes its time for each. */
function atOnce({ client, record }: Run): number {
  const slowest = Math.max(0, ...record.map(({ duration }) => duration));
  return 4 * slowest > client.timeoutMs ? FEW : EXPLORED_AT_ONCE;
}
