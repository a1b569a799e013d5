import { Ended } from '../http/deadline.ts';
import { brokenDown, known, Missing, type OrMissing, PlanEnd } from './evidence.ts';
import type { Run } from './run.ts';
import type { AnyStep, Needs } from './step.ts';

/** A case of a step, to be carried out, of the type that the step takes; undefined is the only one of a step without cases. */
export interface Job {
  step: AnyStep;
  one: never;
}

/** Carries out a case for the first time, while others are under way, and keeps what came of it. */
export async function start(run: Run, { step, one }: Job): Promise<void> {
  run.keep(step, one, await attempted(run, step.name, () => step.each(run, one, givenTo(run, step))));
}

/** What a step is given. Throws Missing where that is not there. */
function givenTo(run: Run, { needs }: AnyStep): never {
  const given = Object.entries(needs as Needs).map(([name, need]) => {
    if ('maybe' in need) return [name, run.of(need.maybe)];
    return [name, need.hasCases ? (one: unknown) => known(run.ofCase(need, one)) : known(run.of(need))];
  });
  return Object.fromEntries(given) as never;
}

/**
 * Tries again, one after the other, what went wrong in company: of each step at most so many cases. Bad requests come first:
 * they tell whether the service is still there.
 */
export async function tryAlone(run: Run, jobs: Job[], most: number): Promise<void> {
  const tried = new Map<AnyStep, number>();
  for (const { step, one } of [...jobs.filter(({ step }) => step.bad), ...jobs.filter(({ step }) => !step.bad)]) {
    const before = run.ofCase(step, one);
    const times = tried.get(step) ?? 0;
    if (before instanceof Missing || !step.alone || times >= Math.min(most, step.mostAlone ?? most)) continue;
    const sent = run.client.record.length;
    const again = () => step.alone?.(run, one, before, givenTo(run, step));
    run.keep(step, one, await attempted(run, step.name, again));
    if (run.client.record.length > sent) tried.set(step, times + 1);
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
