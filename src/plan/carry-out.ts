import type { Evidence } from './evidence.ts';
import { attempted, type Job, start, tryAlone } from './jobs.ts';
import { findCulprits } from './outages.ts';
import { isBurst, plan } from './plan.ts';
import type { Run } from './run.ts';
import { type AnyStep, needsOf } from './step.ts';

/** What of the plan is to be carried out. */
export interface Selection {
  steps: ReadonlySet<AnyStep>;
  cases: ReadonlyMap<AnyStep, ReadonlySet<unknown>>;
}

/** Selects what parts of the evidence need; `all` is every part that the suite knows of. */
export function selectSteps(wanted: Evidence<unknown>[], all: Evidence<unknown>[]): Selection {
  const steps = new Set<AnyStep>();
  const cases = new Map<AnyStep, Set<unknown>>();
  const casesOfAll = casesIn(all);
  const firstBad = plan.findIndex((line) => line.some(({ bad }) => bad));
  const add = (step: AnyStep) => {
    if (steps.has(step)) return;
    steps.add(step);
    needsOf(step).forEach(add);
    // One bad request may change the answer to another, and to all that comes later.
    if (plan.findIndex((line) => line.includes(step)) < firstBad) return;
    for (const bad of plan.flat().filter(({ bad }) => bad)) addCases(bad, casesOfAll.get(bad));
  };
  const addCases = (step: AnyStep, added: ReadonlySet<unknown> = new Set()) => {
    if (added.size > 0) add(step);
    cases.set(step, new Set([...(cases.get(step) ?? []), ...added]));
  };
  const parts = wanted.some(({ whole }) => whole) ? all : wanted;
  for (const step of parts.flatMap((part) => part.steps)) add(step as AnyStep);
  for (const [step, added] of casesIn(parts)) addCases(step, added);
  return { steps, cases };
}

/**
 * Starts all, and waits for what comes of them. A user whom no service makes may be made late, and takes a while to show: what asks
 * for one goes out first, and where that costs no time all else waits for it.
 */
async function startAll(run: Run, jobs: Job[], isBurst: boolean): Promise<void> {
  const startEach = (some: Job[]) => some.map((job) => start(run, job));
  if (isBurst) return void (await Promise.all(run.client.inBurst(() => startEach(jobs))));
  const isEarly = ({ step, one }: Job) => step.early?.(one) === true;
  const isFar = run.isFar();
  const first = startEach(jobs.filter(isEarly));
  if (!isFar) await Promise.all(first);
  await Promise.all([...first, ...startEach(jobs.filter((job) => !isEarly(job)))]);
}

function casesIn(parts: Evidence<unknown>[]): Map<AnyStep, Set<unknown>> {
  const found = new Map<AnyStep, Set<unknown>>();
  for (const [step, one] of parts.flatMap((part) => part.cases)) {
    found.set(step as AnyStep, (found.get(step as AnyStep) ?? new Set()).add(one));
  }
  return found;
}

/**
 * Carries out the plan, or other lines, one after the other, and keeps what each step yields. `onLine` is called with the steps
 * that are over; of what went wrong in company at most `mostAlone` cases of a step are tried again alone. Where the run ends before its time, the rest yields why.
 */
export async function carryOut(
  run: Run,
  { steps, cases }: Selection,
  onLine: (over: AnyStep[]) => void,
  { lines = plan, mostAlone = Number.POSITIVE_INFINITY }: { lines?: AnyStep[][]; mostAlone?: number } = {},
): Promise<void> {
  for (const line of lines) {
    run.beginLine();
    const { client, upset } = run;
    const before = { outages: client.presence.outages.length, exchanges: client.record.length, upset: upset.length };
    if (lines === plan) run.client.allow(run.atOnce());
    const taken = line.filter((step) => steps.has(step));
    const jobs = taken.flatMap((step): Job[] => {
      const all = step.hasCases ? [...(cases.get(step) ?? [])] : [undefined];
      return all.map((one) => ({ step, one: one as never }));
    });
    await startAll(run, jobs, isBurst(line));
    await tryAlone(run, jobs, mostAlone);
    // What has done harm, such as to end a service that is back since, may be one of these.
    const step = { name: 'looking for what did harm' };
    run.keep(step, undefined, await attempted(run, step.name, () => findCulprits(run, before)));
    if (run.stopped) for (const { step, one } of jobs) run.keep(step, one, run.stopped.why);
    onLine(line);
  }
}
