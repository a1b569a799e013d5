import { Ended } from '../http/deadline.ts';
import { isLost } from '../http/exchange.ts';
import { CONCURRENCY } from '../http/pace.ts';
import { type Evidence, known, Missing, messageOf, type OrMissing, present } from './evidence.ts';
import { findCulprit } from './obstacles.ts';
import type { Run } from './run.ts';
import { AHEAD, type AnyStep, needsOf, taken } from './step.ts';
import { aftermath, mustStillBeThere, refusalsInARow, stillThere } from './steps/aftermath.ts';
import { bodies, mistyped } from './steps/bodies.ts';
import { counting, queriesInTurn } from './steps/counting.ts';
import { attempts, attemptsAmongOthers, controls } from './steps/credentials.ts';
import { firstLook, firstUser, firstUsers, locations, secondUser } from './steps/first.ts';
import { lastLooks } from './steps/last.ts';
import { listsAgain, listsMeanwhile, listWritten, listWrittenLate, rereads, writtenRetrievals } from './steps/reads.ts';
import { earlyRefusals, freeRequests, lateRefusals, lookups } from './steps/refusals.ts';
import { severalPlaces } from './steps/several-places.ts';
import { groups, twinCreations, twins } from './steps/users.ts';

/** Groups of users that are created at the same time, and then retrieved at the same time. */
const together = [groups.together, groups.unusual, groups.written];

/**
 * What no service carries out, and what it leaves behind. What asks for a user goes out before the others (see
 * carryOut), and of these what lacks the key, while connections that carried it are free.
 */
const bad = [aftermath, controls, attempts, severalPlaces, bodies, freeRequests, lookups, mistyped];

/**
 * The order in time, and the only place where it stands. The steps of one line are taken at the same time; the next
 * line begins when all answers are there. What no service carries out stands late, because it may upset the service:
 * whatever is in its line or behind it is relied on only where all of it was sent.
 */
export const plan: AnyStep[][] = [
  [firstLook, earlyRefusals],
  [firstUser],
  [secondUser, ...[...together, groups.rivals].map(({ creations }) => creations), listWritten],
  [
    [firstUsers, ...[...together, groups.rivals].map(({ retrievals }) => retrievals), writtenRetrievals],
    // No writing is longer than what was accepted before.
    [groups.laterWritten.creations, groups.parted.creations],
  ].flat(),
  [locations],
  [twinCreations, ...bad],
  [listWrittenLate, lastLooks, groups.laterWritten.retrievals, groups.parted.retrievals, twins, lateRefusals],
  [counting],
];

// First what is to be in flight with all others.
const creating = [attemptsAmongOthers, ...together.map(({ creations }) => creations), listWritten, listsAgain, rereads];
const retrieving = together.map(({ retrievals }) => retrievals);

/**
 * One round of the exploration: the lines of the plan that carry out cases, with cases that are drawn, and more reads.
 */
export const round: AnyStep[][] = [
  creating,
  // First the lists, which creations meet while they are read.
  [listsMeanwhile, groups.laterWritten.creations, ...retrieving, writtenRetrievals],
  [twinCreations, ...bad],
  [groups.laterWritten.retrievals, twins],
  [queriesInTurn],
  [refusalsInARow],
  [stillThere],
];

/**
 * The lines of a round for cases that are sent one after the other: without what looks at users who were created
 * before, or sends many requests for a case.
 */
export const inTurn: AnyStep[][] = [creating, [groups.laterWritten.creations, writtenRetrievals], bad, [queriesInTurn]];

/** The same, with users retrieved when they are created. */
export const inTurnAndBack: AnyStep[][] = [creating, retrieving, ...inTurn.slice(1)];

/** The end of the plan, which is the end of an exploration too. */
export const end: AnyStep[][] = [[lastLooks], [counting]];

/** A case of a step, to be carried out. */
interface Job {
  step: AnyStep;
  /** The case as it was declared; undefined is the only one of a step without cases. */
  declared: unknown;
  /** The variation of it that this run takes. */
  one: unknown;
}

/** Carries out a case, where something came of it before once more, and keeps what came of it. */
async function carryOutCase(run: Run, job: Job, before?: unknown): Promise<void> {
  const { step, declared, one } = job;
  run.keep(step, declared, await unlessOver(run, step.name, () => step.each(run, one, givenTo(run, job), before)));
}

/** What a step is given. Throws Missing where that is not there. */
function givenTo(run: Run, { step, declared, one }: Job): never {
  const given = Object.entries<AnyStep>(step.needs).map(([name, need]) => {
    if (need.maybe) return [name, run.of(need)];
    // What came of a case is kept by the case that was declared.
    const ofCase = (asked: unknown) => known(run.of(need, asked === one ? declared : asked));
    return [name, need.hasCases ? ofCase : known(run.of(need))];
  });
  return Object.fromEntries(given) as never;
}

/** Cases of a bad step that are tried again alone: a few show the fault as well as all. */
const MOST_BAD = 8;

/** Cases of any step, where lines are carried out again and again: each may take some settle times. */
const MOST = 4;

/**
 * Tries again, one after the other, what went wrong in company: of each step at most so many cases. Bad requests come
 * first: they tell whether the service is still there.
 */
async function tryAlone(run: Run, jobs: Job[], most: number): Promise<void> {
  const tried = new Map<AnyStep, number>();
  for (const job of [...jobs.filter(({ step }) => step.bad), ...jobs.filter(({ step }) => !step.bad)]) {
    const { step, declared } = job;
    const before = run.of(step, declared);
    const times = tried.get(step) ?? 0;
    if (before instanceof Missing || isSettled(run, job)) continue;
    if (times >= Math.min(most, step.bad ? MOST_BAD : most)) continue;
    const sent = run.client.record.length;
    await carryOutCase(run, job, before);
    if (run.client.record.length > sent) tried.set(step, times + 1);
  }
}

/** Whether what came of a case needs no second try. */
function isSettled(run: Run, { step, declared, one }: Job): boolean {
  const found = run.of(step, declared);
  return !(found instanceof Missing) && (step.isRight?.(found, one) ?? true);
}

/** What is found; or why not, also where the run is over, or the suite itself crashes. */
export async function unlessOver<T>(run: Run, what: string, find: () => T | Promise<T>): Promise<OrMissing<T>> {
  if (run.stopped) return run.stopped.why;
  try {
    return await find();
  } catch (error) {
    const why = error instanceof Ended ? new Missing(error.message) : error;
    if (!(why instanceof Missing)) {
      const fault = `the step "${what}" crashed: ${messageOf(error)}`;
      run.faults.push(fault);
      return new Missing(fault);
    }
    if (error instanceof Ended || why.endsBy) run.stop(why);
    return why;
  }
}

/** What of the plan is to be carried out: steps, with their cases. */
export type Selection = ReadonlyMap<AnyStep, ReadonlySet<unknown>>;

/** Selects what parts of the evidence need; `all` is every part that the suite knows of. */
export function selectSteps(wanted: Evidence<unknown>[], all: Evidence<unknown>[]): Selection {
  const selected = new Map<AnyStep, Set<unknown>>();
  const firstBad = plan.findIndex((line) => line.some(({ bad }) => bad));
  const casesIn = (parts: Evidence<unknown>[]) => parts.flatMap(({ cases }) => cases);
  const bad = casesIn(all).filter(([step]) => step.bad);
  /** Selects cases of a step; the first time all that it needs. */
  const add = (step: AnyStep, ...some: unknown[]) => {
    const own = selected.get(step) ?? new Set();
    if (!selected.has(step)) {
      selected.set(step, own);
      for (const need of needsOf(step)) add(need, ...(need.hasCases ? [] : [undefined]));
      // One bad request may change the answer to another, and to all that comes later.
      if (plan.findIndex((line) => line.includes(step)) >= firstBad)
        for (const [other, one] of bad.splice(0)) add(other, one);
    }
    for (const one of some) own.add(one);
  };
  for (const [step, one] of casesIn(wanted.some(({ whole }) => whole) ? all : wanted)) add(step, one);
  return selected;
}

/**
 * Starts all, and waits for what comes of them. A user whom no service makes may be made late, and takes a while to
 * show: what asks for one goes out first, and where that costs no time all else waits for it.
 */
async function startAll(run: Run, jobs: Job[], isBurst: boolean): Promise<void> {
  const startEach = (some: Job[]) => some.map((job) => carryOutCase(run, job));
  if (isBurst) return void (await Promise.all(run.client.inBurst(() => startEach(jobs))));
  const early = ({ step, one }: Job) => step.early?.(one) ?? 0;
  const isFar = run.isFar();
  const ahead = startEach(jobs.filter((job) => early(job) === AHEAD));
  // When the first of them is over, others are in flight still: they meet what goes out now.
  if (!isFar && ahead.length > 0) await Promise.race(ahead);
  const isNext = (job: Job) => early(job) > 0 && early(job) < AHEAD;
  const first = [...ahead, ...startEach(jobs.filter(isNext).sort((a, b) => early(b) - early(a)))];
  if (!isFar) await Promise.all(first);
  await Promise.all([...first, ...startEach(jobs.filter((job) => !early(job)))]);
}

/**
 * Requests in flight at once over a network, where all answers so far have come in good time: all that a line of the
 * plan has.
 */
const FAR_AT_ONCE = 128;

/** Answers may take so many times as long when many more requests are in flight, and others use the machine as well. */
const QUICK = 20;

/**
 * Carries out the plan, or other lines, one after the other, and keeps what each step yields. `onLine` is called with
 * the steps that are over. Where the run ends before its time, the rest yields why.
 */
export async function carryOut(run: Run, selected: Selection, lines = plan, onLine = (_over: AnyStep[]) => {}) {
  for (const line of lines) {
    const { client, factory } = run;
    run.line = { exchanges: client.record.length, outages: client.presence.outages.length };
    if (lines === plan) client.pace.allow(run.isFar() && run.isQuick(QUICK) ? FAR_AT_ONCE : CONCURRENCY);
    const jobs = line.flatMap((step): Job[] =>
      [...(selected.get(step) ?? [])].map((declared) => ({ step, declared, one: taken(declared, factory.choices) })),
    );
    // Where users are created at once, requests are in flight at the same moment, and not only sent so.
    await startAll(run, jobs, line.includes(groups.together.creations));
    const isSent = run.stopped === undefined;
    await tryAlone(run, jobs, lines === plan ? Number.POSITIVE_INFINITY : MOST);
    // What has done harm, such as to end a service that is back since, may be one of these.
    const culprit = await unlessOver(run, 'looking for what did harm', async () => {
      // What is gone for good by the last of them is missed by no other one.
      const isLostBy = line.some(({ bad }) => bad) && client.record.slice(run.line.exchanges).some(isLost);
      if (isLostBy) await mustStillBeThere(run);
      return findCulprit(run);
    });
    run.culprits.push(...present([culprit]));
    const { why, by } = run.stopped ?? {};
    // Where only the time was over, what was right when all was sent stays so.
    const lost = jobs.filter((job) => why && (by || !isSent || !isSettled(run, job)));
    for (const { step, declared } of lost) run.keep(step, declared, why);
    onLine(line);
  }
}
