import { hash } from 'node:crypto';
import { unlessOver } from '../plan/plan.ts';
import type { Run } from '../plan/run.ts';
import { isFailed, type Judged } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';
import type { Settings } from '../settings/settings.ts';
import { type Drawn, drawnOf, judges, makeSmall, type Reproduction, sendDrawn } from './drawn.ts';
import { drawnFrom, type Topic } from './topic.ts';

/** Requests in flight at once while a thorough run explores: more than the pools of most services hold. */
const EXPLORED_AT_ONCE = 96;

/** How many of the users who were there before a thorough run retrieves, besides the first and the last of the list. */
const EXPLORED_OTHERS = 50;

/** How long nothing is sent, once: longer than most pools and proxies keep an idle connection. */
const PAUSE_MS = 10_500;

/** What a thorough run explores, and what it may use. */
export interface Exploration extends Pick<Settings, 'budgetMs' | 'maxRequests' | 'maxUsers'> {
  topics: readonly Topic[];
  /** From it everything is drawn. */
  seed: number;
  /** Milliseconds for which nothing is sent, once; absent: some ten seconds. */
  pauseMs?: number;
  /** Ends as soon as this requirement has failed. */
  until?: string;
  /** Rounds at most; absent: as many as the bounds allow. */
  rounds?: number;
  /** Called at the beginning of each part of it. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** How far an exploration is; milliseconds of the budget. */
export type Progress = { count: () => Used; budgetMs: number; what: string };
type Used = { usedMs: number; users: number; requests: number };

/** Different cases by what they are counted for: each counts once, however often it is sent. */
type Cases = Map<string, Set<string>>;

/** What an exploration found. */
export type Explored = Awaited<ReturnType<typeof explore>>;

/** Requests and users that a round may take beyond the bounds, and that the last looks and counting need. */
const RESERVED = { requests: 300, users: 20 };
/** Rounds before the pause: by then most users are there, and there is still room for some who are created after it. */
const ROUNDS_BEFORE_PAUSE = 3;
/** Of so many rounds one tries what was tried before as well: what came since may have changed the answer. */
const REPEATS = 5;
/** Pauses for which nothing is sent where there is time left, in this order: parts of the long one. */
const SHORT_PAUSES = [0.1, 0.6, 0.2, 0.33];
/** A short pause before the long one: kept connections are still open after it. */
const IDLE = 0.2;
/** Requests at once where a service takes its time for each. */
const FEW = 8;
/** Parameters in a row that were drawn before, after which a topic is taken to have no new ones. */
const KNOWN = 300;

/**
 * Explores beyond the plan: rounds of cases that are drawn from the seed, carried out in the order of the plan and
 * judged by the same checks, until the budget is used up. All users are retrieved again after the pause, and at the
 * end. Ends early where the service stops answering.
 */
export async function explore(run: Run, requirements: readonly Requirement[], exploration: Exploration) {
  const { topics, onProgress, until, pauseMs = PAUSE_MS, budgetMs, maxRequests, maxUsers, seed } = exploration;
  const inTime = Math.min(maxRequests, Math.round((run.client.requestsSent * budgetMs) / run.client.now()));
  const failed: Judged[] = [];
  const reproductions: Record<string, Reproduction> = {};
  const kinds: Cases = new Map();
  const judgedBy: Cases = new Map();
  const rounds: { cases: number; failed: number }[] = [];
  let began = run.client.now();
  const looks = run.looks.length;
  const sources = topics.map((topic, index) => sourceOf(topic, seed + index));
  const usual = topics.filter(({ isUsual }) => isUsual).map((topic) => sourceOf({ ...topic, perRound: 1 }, seed));
  const used = (): Used => {
    const users = run.ledger.creations.filter(({ answered }) => answered !== 'refused').length;
    return { usedMs: run.client.now() - began, users, requests: run.client.requestsSent };
  };
  const hasFailed = (slug?: string) => failed.some(({ requirement }) => requirement.slug === slug);
  const open = () => requirements.filter(({ slug }) => !hasFailed(slug));
  /** Draws as many cases of each topic as a round takes, and as there is room for users. */
  const draw = (from: typeof sources, mayRepeat: boolean) => {
    let room = maxUsers - RESERVED.users - used().users;
    const judging = open();
    return from.flatMap(({ topic, take }) => {
      const { users, perRound } = topic;
      if (!judging.some((one) => judges(one, topic))) return [];
      const count = users > 0 ? Math.min(perRound, Math.max(0, Math.floor(room / users))) : perRound;
      room -= count * users;
      return drawnOf(topic, take(count, mayRepeat), judging);
    });
  };
  const tell = (what: string, count = used) => {
    if (!run.stopped) onProgress?.({ count, budgetMs, what });
  };
  const usedUp = () => {
    const { users, requests, usedMs } = used();
    if (run.stopped) return run.stopped.why.message;
    if (rounds.length === exploration.rounds) return 'all rounds were done';
    if (hasFailed(until)) return 'it was found';
    const atEnd = users + RESERVED.requests;
    // As fast as it was so far; a few requests of a plan for few requirements tell nothing yet.
    if (usedMs * (1 + atEnd / Math.max(requests, RESERVED.requests)) >= budgetMs) return 'the time budget was used up';
    return requests + atEnd >= maxRequests ? 'the request limit was reached' : undefined;
  };
  const count = (cases: Cases, name: string, key: string) => cases.set(name, (cases.get(name) ?? new Set()).add(key));
  const tryAll = async (all: Drawn[], isOver = () => usedUp() !== undefined) => {
    const { found, carriedOut } = await sendDrawn(run, all, isOver);
    for (const { drawn, told, judged } of found)
      for (const { params } of told) {
        const key = keyOf(drawn.topic, params);
        count(kinds, drawn.topic.what, key);
        count(judgedBy, judged.outcome.slug, key);
      }
    for (const { drawn, judged } of found.filter(({ judged }) => isFailed(judged) || judged.fault)) {
      const { slug } = judged.outcome;
      if (hasFailed(slug)) continue;
      tell(`${slug} failed: looking for the smallest case`);
      const again = slug === until ? undefined : await makeSmall(run, drawn, judged.requirement, isOver);
      failed.push(again?.judged ?? judged);
      if (again && again.reproduction.tried > 0) reproductions[slug] = again.reproduction;
      if (slug === until) break;
    }
    run.forget(carriedOut, looks);
  };
  const pauseFor = async (milliseconds: number, what: string) => {
    // It takes nothing of the budget.
    const before = used();
    tell(what, () => before);
    await unlessOver(run, what, () => run.client.deadline.pause(milliseconds));
    // What the pause has left behind is for usual requests.
    await tryAll(draw(usual, true));
  };
  const allUsersAgain = async () => {
    tell('reading all users again');
    const paramsOf = ({ ofUser }: Topic) => run.ledger.proven.flatMap((_, place) => ofUser?.(place) ?? []);
    const drawn = topics.flatMap((topic) => drawnOf(topic, paramsOf(topic), open()));
    await tryAll(drawn, () => run.stopped !== undefined);
  };
  run.client.pace.allow(run.isQuick(4) ? EXPLORED_AT_ONCE : FEW);
  run.sampled = EXPLORED_OTHERS;
  const expected = { requests: inTime, atEnd: Math.min(maxUsers + RESERVED.requests, inTime) };
  tell(`there is time for about ${expected.requests} requests, ${expected.atEnd} of them at the end`);
  let ended: string | undefined;
  for (;;) {
    const drawnFirst = draw(sources, rounds.length % REPEATS === REPEATS - 1);
    const drawn = drawnFirst.length > 0 ? drawnFirst : draw(sources, true);
    ended = usedUp() ?? (drawn.length === 0 ? 'nothing was left to try' : undefined);
    if (ended !== undefined) break;
    tell(`round ${rounds.length + 1}`);
    await tryAll(drawn);
    rounds.push({ cases: [...kinds.values()].reduce((sum, { size }) => sum + size, 0), failed: failed.length });
    const { usedMs, requests } = used();
    const short = pauseMs * (SHORT_PAUSES[rounds.length % SHORT_PAUSES.length] ?? 0);
    if (rounds.length === ROUNDS_BEFORE_PAUSE && pauseMs > 0 && budgetMs - usedMs > pauseMs / 2) {
      await pauseFor(pauseMs * IDLE, 'a short pause');
      await pauseFor(pauseMs, 'a pause that is not counted');
      // The time is for exploring alone.
      began += pauseMs * (1 + IDLE);
      await allUsersAgain();
    } else if (short > 0 && (requests / maxRequests) * budgetMs - usedMs > short) {
      // Requests are used up faster than time.
      await pauseFor(short, 'a short pause');
    }
  }
  if (!hasFailed(until)) await allUsersAgain();
  const all = rounds.at(-1) ?? NONE;
  const first = rounds[Math.ceil(rounds.length / 2) - 1] ?? NONE;
  return {
    /** What failed, judged by the drawn cases alone, made as small as could be; and how it can be reproduced. */
    failed,
    reproductions,
    covered: {
      /** Everything was drawn from it. */
      seed,
      /** What the exploration was allowed to use. */
      bounds: { seconds: Math.round(budgetMs / 1000), requests: maxRequests, users: maxUsers },
      /** Why it ended, a clause. */
      ended,
      rounds: rounds.length,
      /**
       * Requests that there was time for, as fast as those of the plan were answered, and of them those kept for the
       * end.
       */
      expected,
      /**
       * Cases that were not tried before, and what failed by them, in the first half of the rounds and in the second.
       */
      halves: [first, { cases: all.cases - first.cases, failed: all.failed - first.failed }],
      /** How many different cases of each kind were tried. */
      kinds: countsOf(kinds),
      /** By how many different cases that were drawn each requirement was judged. */
      judged: countsOf(judgedBy),
    },
  };
}

const NONE = { cases: 0, failed: 0 };

const countsOf = (cases: Cases): Record<string, number> =>
  Object.fromEntries([...cases].map(([name, { size }]) => [name, size]));

/** Where the parameters of a topic's cases come from. */
function sourceOf(topic: Topic, seed: number) {
  const values = drawnFrom(topic.params, seed);
  const drawn = new Set<string>();
  /** Takes so many that were not drawn before; or any, where they may be drawn again. */
  const take = (count: number, mayRepeat: boolean): unknown[] => {
    const taken: unknown[] = [];
    // Fewer cases than are taken at once are about what else is in flight, and always come again.
    for (let known = 0; taken.length < count && (known < KNOWN || drawn.size < topic.perRound); ) {
      const params = values.next().value;
      const key = keyOf(topic, params);
      if (mayRepeat || known >= KNOWN || !drawn.has(key)) taken.push(params);
      else known += 1;
      drawn.add(key);
    }
    return taken;
  };
  return { topic, take };
}

/** Tells a case from all others in a few characters: thousands of cases are known by it, and some are long. */
const keyOf = ({ what }: Topic, params: unknown) => hash('sha1', JSON.stringify([what, params]), 'base64');
