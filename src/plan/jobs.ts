import { Ended } from '../http/deadline.ts';
import { brokenDown, known, Missing, type OrMissing, PlanEnd } from './evidence.ts';
import type { Run } from './run.ts';
import type { AnyStep, CaseStep, Needs, Step } from './step.ts';

/** A step, or a case of one. */
export interface Job {
  step: AnyStep;
  start: () => Promise<void>;
  /** Tries again, when nothing else is under way, what went wrong; whether anything was sent for it. */
  tryAlone: () => Promise<boolean>;
  keep: (found: OrMissing<unknown>) => void;
}

/** Whether no conforming service carries out what a step sends. */
export function isBad(step: AnyStep): boolean {
  return 'each' in step && step.bad === true;
}

/** The step, or its cases, to be carried out. */
export function jobsOf(run: Run, step: AnyStep, cases: ReadonlySet<unknown>): Job[] {
  if (!('each' in step)) {
    const { take, isRight } = step as Step;
    const keep = (found: OrMissing<unknown>) => run.keep(step, found);
    return [
      jobOf(run, step, {
        find: () => take(run, givenTo(run, step), false),
        found: () => run.of(step),
        keep,
        alone: (one) => (isRight?.(one) === false ? take(run, givenTo(run, step), true) : undefined),
      }),
    ];
  }
  const { each, alone } = step as CaseStep;
  return [...cases].map((one) =>
    jobOf(run, step, {
      find: () => each(run, one, givenTo(run, step)),
      found: () => run.ofCase(step, one),
      keep: (found) => run.keepCase(step, one, found),
      alone: (before) => alone?.(run, one, before, givenTo(run, step)),
    }),
  );
}

/** What a step is given. Throws Missing where that is not there. */
function givenTo(run: Run, { needs }: AnyStep): never {
  const given = Object.entries(needs as Needs).map(([name, need]) => {
    if ('maybe' in need) return [name, run.of(need.maybe)];
    return [name, 'each' in need ? (one: unknown) => known(run.ofCase(need, one)) : known(run.of(need))];
  });
  return Object.fromEntries(given) as never;
}

/** How one step, or one case of it, is carried out. */
interface Way {
  find: () => unknown;
  found: () => OrMissing<unknown>;
  keep: (found: OrMissing<unknown>) => void;
  alone: (found: unknown) => Promise<unknown> | undefined;
}

function jobOf(run: Run, step: AnyStep, { find, found, keep, alone }: Way): Job {
  return {
    step,
    keep,
    start: async () => keep(await attempted(run, step.name, find)),
    tryAlone: async () => {
      const before = found();
      if (before instanceof Missing) return false;
      const sent = run.client.record.length;
      keep(await attempted(run, step.name, async () => (await alone(before)) ?? before));
      return run.client.record.length > sent;
    },
  };
}

/**
 * Tries again, one after the other, what went wrong in company: of each step at most so many cases. Bad requests come first:
 * they tell whether the service is still there.
 */
export async function tryAlone(jobs: Job[], most: number): Promise<void> {
  const tried = new Map<AnyStep, number>();
  for (const { step, tryAlone } of [
    ...jobs.filter((job) => isBad(job.step)),
    ...jobs.filter((job) => !isBad(job.step)),
  ]) {
    const before = tried.get(step) ?? 0;
    if (before >= Math.min(most, step.mostAlone ?? most)) continue;
    if (await tryAlone()) tried.set(step, before + 1);
  }
}

/** What is found; or why not, also where the run is over, or the suite itself breaks down. */
export async function attempted(run: Run, what: string, find: () => unknown): Promise<OrMissing<unknown>> {
  if (run.stopped) return run.stopped.why;
  try {
    return await find();
  } catch (error) {
    if (error instanceof PlanEnd) run.stop(error, error.by);
    if (error instanceof Missing) return error;
    if (!(error instanceof Ended)) return brokenDown(`the step "${what}"`, error);
    const why = new Missing(error.message);
    run.stop(why);
    return why;
  }
}
