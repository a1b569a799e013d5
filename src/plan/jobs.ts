import { Ended } from '../http/deadline.ts';
import type { Lane } from '../http/exchange.ts';
import { brokenDown, type Found, Missing } from './evidence.ts';
import type { Run } from './run.ts';
import type { AnyStep, CaseStep, Step } from './step.ts';

/**
 * Completes what was found, and tries again, one after the other, what went wrong in company: of each step at most so many
 * cases. Whole steps come first, because cases are completed by what these yield.
 */
export async function tryAlone(jobs: Job[], most: number): Promise<void> {
  const tried = new Map<AnyStep, number>();
  const [whole, ofCases] = [jobs.filter(({ complete }) => !complete), jobs.filter(({ complete }) => complete)];
  for (const { tryAlone } of whole) await tryAlone();
  for (const { complete } of ofCases) complete?.();
  for (const { step, tryAlone } of ofCases) {
    const before = tried.get(step) ?? 0;
    if (before < most && (await tryAlone())) tried.set(step, before + 1);
  }
}

/** A step, or a case of one. */
export interface Job {
  step: AnyStep;
  valid: boolean;
  /** Whether it is to follow a request that is not valid, on its connection. */
  follows: boolean;
  start: (connection?: Lane) => Promise<void>;
  /** Of a case: completes what was found by what the rest of the line has yielded. */
  complete?: () => void;
  /** Tries again, when nothing else is under way, what went wrong; whether anything had. */
  tryAlone: () => Promise<boolean>;
  keep: (found: Found<unknown>) => void;
}

/** Whether no conforming service carries out what a step sends. */
export function isInvalid(step: AnyStep): boolean {
  return 'each' in step && !step.valid;
}

/** How one step, or one case of it, is carried out. */
interface Way {
  find: (connection?: Lane) => unknown;
  found: () => Found<unknown>;
  keep: (found: Found<unknown>) => void;
  again?: ((found: unknown) => unknown) | undefined;
}

export function jobsOf(run: Run, step: AnyStep, cases: ReadonlySet<unknown>): Job[] {
  if (!('each' in step)) {
    const { take, alone } = step as Step;
    const again = alone && ((found: unknown) => alone(run, found));
    const keep = (found: Found<unknown>) => run.keep(step, found);
    return [jobOf(run, step, { find: () => take(run), found: () => run.of(step), keep, again })];
  }
  const { each, alone, completed, follows = false } = step as CaseStep;
  return [...cases].map((one) => {
    const found = () => run.ofCase(step, one);
    const keep = (found: Found<unknown>) => run.keepCase(step, one, found);
    const again = alone && ((before: unknown) => alone(run, one, before));
    const complete = () => {
      const before = found();
      if (completed && !(before instanceof Missing)) keep(completedBy(step.name, () => completed(run, one, before)));
    };
    return { ...jobOf(run, step, { find: (lane) => each(run, one, lane), found, keep, again }), follows, complete };
  });
}

function jobOf(run: Run, step: AnyStep, { find, found, keep, again }: Way): Job {
  return {
    step,
    valid: !isInvalid(step),
    follows: false,
    keep,
    start: async (lane) => keep(await attempted(run, step.name, () => find(lane))),
    tryAlone: async () => {
      const before = found();
      if (before instanceof Missing || again === undefined) return false;
      const after = await attempted(run, step.name, () => again(before));
      keep(after);
      return after !== before;
    },
  };
}

/** Some jobs that go out one directly after the other. */
interface Turn {
  jobs: Job[];
  /** The connection of those that are not valid. */
  lane?: Lane;
  /** What follows on it: it would wait for the answer, so it goes out with the next line. */
  following?: Job;
}

/** Starts the jobs of a turn, and notes what goes out first of those that are not valid. */
export const startInTurn =
  (run: Run) =>
  ({ jobs, lane }: Turn): Promise<void>[] =>
    jobs.map(({ valid, start }) => {
      const { record } = run.client;
      const begun = record.length;
      const over = valid ? start() : start(lane);
      if (!valid) for (const exchange of record.slice(begun)) run.invalid.add(exchange);
      return over;
    });

/**
 * Makes turns of the jobs of a line. Of those in which a valid request is to follow, every second has a connection of its own:
 * what upsets a connection shows there.
 */
export function turnsOf(all: Job[], line: number): Turn[] {
  let mixed = 0;
  return alternately(all).map((jobs, turn) => {
    const isCrowd = jobs.some(isInCrowd);
    const following = jobs.find(({ follows }) => follows);
    if (following === undefined || jobs[0]?.valid !== false || isCrowd) return { jobs };
    mixed += 1;
    if (mixed % 2 === 0) return { jobs };
    // What follows is still open when the next line begins, so that has other lanes.
    const lane: Lane = `lane ${2 * turn + (line % 2)}`;
    const start = () => following.start(lane);
    return { jobs: jobs.filter((job) => job !== following), lane, following: { ...following, start } };
  });
}

/** Spreads the valid jobs evenly among the others: turns of one that is not valid, with valid ones after some. */
function alternately(jobs: Job[]): Job[][] {
  const others = jobs.filter((job) => !job.valid);
  const valid = jobs.filter((job) => job.valid);
  if (others.length === 0) return valid.map((job) => [job]);
  // Those that are to follow a request are spread by themselves, over requests of every kind.
  const [following, usual] = [valid.filter(({ follows }) => follows), valid.filter(({ follows }) => !follows)];
  const followed = others.filter((one) => !isInCrowd(one));
  const shareOf = (all: Job[], among: Job[], other: Job) => {
    const index = among.indexOf(other);
    const share = (at: number) => Math.floor((at * all.length) / among.length);
    return index < 0 ? [] : all.slice(share(index), share(index + 1));
  };
  return others.map((other) => [
    other,
    ...shareOf(following, followed.length > 0 ? followed : others, other),
    ...shareOf(usual, others, other),
  ]);
}

const isInCrowd = ({ step }: Job) => 'each' in step && step.inCrowd === true;

/** What is found; or why not, also where the service has stopped answering, or the suite itself breaks down. */
export async function attempted(run: Run, what: string, find: () => unknown): Promise<Found<unknown>> {
  return run.stopped?.why ?? orMissing(run, what, find);
}

/** What is found, completed; or why it tells nothing. */
function completedBy(what: string, complete: () => unknown): Found<unknown> {
  try {
    return complete();
  } catch (error) {
    return error instanceof Missing ? error : brokenDown(`the step "${what}"`, error);
  }
}

async function orMissing(run: Run, what: string, find: () => unknown): Promise<Found<unknown>> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Missing) return error;
    if (error instanceof Ended) {
      const why = new Missing(error.message);
      run.stop(why, run.client.record.length);
      return why;
    }
    return brokenDown(`the step "${what}"`, error);
  }
}
