import { Ended } from '../http/deadline.ts';
import type { Exchange, Lane } from '../http/exchange.ts';
import { brokenDown, type Evidence, type Found, Missing } from './evidence.ts';
import { plan } from './plan.ts';
import type { Run } from './run.ts';
import type { AnyStep, Step } from './step.ts';
import { lookAfter } from './upset.ts';

/** What of the plan is to be carried out. */
export interface Selected {
  steps: ReadonlySet<AnyStep>;
  cases: ReadonlyMap<AnyStep, ReadonlySet<unknown>>;
}

/** Selects what parts of the evidence need; `all` is every part that the suite knows of. */
export function selectSteps(wanted: Evidence<unknown>[], all: Evidence<unknown>[]): Selected {
  const steps = new Set<AnyStep>();
  const cases = new Map<AnyStep, Set<unknown>>();
  const casesOfAll = casesIn(all);
  const add = (step: AnyStep) => {
    if (steps.has(step)) return;
    steps.add(step);
    step.needs.forEach(add);
    // What may have upset the service before is needed with all of its cases.
    const line = plan.findIndex((one) => one.includes(step));
    for (const before of plan.slice(0, line).flat().filter(isInvalid)) addCases(before, casesOfAll.get(before));
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

function casesIn(parts: Evidence<unknown>[]): Map<AnyStep, Set<unknown>> {
  const found = new Map<AnyStep, Set<unknown>>();
  for (const [step, one] of parts.flatMap((part) => part.cases)) {
    found.set(step as AnyStep, (found.get(step as AnyStep) ?? new Set()).add(one));
  }
  return found;
}

function isInvalid(step: AnyStep): boolean {
  return 'each' in step && !step.valid;
}

/**
 * Carries out the plan, or other lines, one after the other, and keeps what each step yields. `onLine` is called with the steps
 * that are over; of what went wrong in company at most `mostAlone` cases of a step are tried again alone. Where the run ends before its time, the rest yields why.
 */
export async function carryOut(
  run: Run,
  { steps, cases }: Selected,
  onLine: (over: AnyStep[]) => void,
  { lines = plan, mostAlone = Number.POSITIVE_INFINITY }: { lines?: AnyStep[][]; mostAlone?: number } = {},
): Promise<void> {
  const isTaken = (line: AnyStep[]) => line.some((step) => steps.has(step));
  const lastInvalid = lines.findLast((line) => line.some((step) => steps.has(step) && isInvalid(step)));
  let open: { line: AnyStep[]; sent: readonly Exchange[] } | undefined;
  const look = async ({ line, sent }: NonNullable<typeof open>) => {
    const step = { name: 'looking after the service' };
    run.keep(step, await attempted(run, step.name, () => lookAfter(run, sent, line === lastInvalid)));
  };
  const end = (line: AnyStep[]) => {
    const { stopped } = run;
    if (stopped)
      for (const step of line) if (steps.has(step)) tainted(run, step, cases.get(step) ?? new Set(), stopped.why);
    onLine(line);
  };
  for (const [index, line] of lines.entries()) {
    const taken = line.filter((step) => steps.has(step));
    const begun = run.client.record.length;
    const jobs = taken.flatMap((step) => jobsOf(run, step, cases.get(step) ?? new Set()));
    const looking = open && look(open);
    await Promise.all([looking, ...lanesOf(alternately(jobs)).flatMap(([some, lane]) => startInTurn(run, some, lane))]);
    await tryAlone(jobs, mostAlone);
    if (open) end(open.line);
    open = undefined;
    if (taken.some(isInvalid)) {
      const looked = { line, sent: run.client.record.slice(begun) };
      // The last look takes no time of its own where valid requests follow.
      if (line === lastInvalid && isTaken(lines[index + 1] ?? [])) {
        open = looked;
        continue;
      }
      await look(looked);
    }
    end(line);
  }
}

/** Tries again, one after the other, what went wrong in company: of each step at most so many cases. */
async function tryAlone(jobs: Job[], most: number): Promise<void> {
  const tried = new Map<AnyStep, number>();
  for (const { step, tryAlone } of jobs) {
    const before = tried.get(step) ?? 0;
    if (before < most && (await tryAlone?.())) tried.set(step, before + 1);
  }
}

/** A step, or a case of one. */
interface Job {
  step: AnyStep;
  valid: boolean;
  start: (connection?: Lane) => Promise<void>;
  /** Tries again, when nothing else is under way, what went wrong; whether anything had. */
  tryAlone?: () => Promise<boolean>;
}

function jobsOf(run: Run, step: AnyStep, cases: ReadonlySet<unknown>): Job[] {
  if (!('each' in step)) {
    return [
      {
        step,
        valid: true,
        start: async () => run.keep(step, await attempted(run, step.name, () => (step as Step).take(run))),
      },
    ];
  }
  return [...cases].map((one) => ({
    step,
    valid: step.valid,
    start: async (lane) => run.keepCase(step, one, await attempted(run, step.name, () => step.each(run, one, lane))),
    tryAlone: async () => {
      const found = run.ofCase(step, one);
      if (found instanceof Missing || step.alone === undefined) return false;
      const again = await attempted(run, step.name, () => step.alone?.(run, one, found));
      run.keepCase(step, one, again);
      return again !== found;
    },
  }));
}

/** Starts jobs in turn, on one connection where one is given, and notes what goes out first of those that are not valid. */
function startInTurn(run: Run, jobs: Job[], lane: Lane | undefined): Promise<void>[] {
  return jobs.map(({ valid, start }) => {
    const { record } = run.client;
    const begun = record.length;
    const over = start(lane);
    if (!valid) for (const exchange of record.slice(begun)) run.invalid.add(exchange);
    return over;
  });
}

/** A connection of its own for every second turn that has a valid job in it: what upsets a connection shows there. */
function lanesOf(turns: Job[][]): [jobs: Job[], lane: Lane | undefined][] {
  let mixed = 0;
  return turns.map((jobs, turn) => {
    const isCrowd = jobs.some(({ step }) => 'each' in step && step.inCrowd);
    const isMixed = jobs.length > 1 && !isCrowd;
    if (isMixed) mixed += 1;
    return [jobs, isMixed && mixed % 2 === 1 ? `lane ${turn}` : undefined];
  });
}

/** Spreads the valid jobs evenly among the others: turns of one that is not valid, with valid ones after some. */
function alternately(jobs: Job[]): Job[][] {
  const valid = jobs.filter((job) => job.valid);
  const others = jobs.filter((job) => !job.valid);
  if (others.length === 0) return valid.map((job) => [job]);
  const share = (index: number) => Math.floor((index * valid.length) / others.length);
  return others.map((other, index) => [other, ...valid.slice(share(index), share(index + 1))]);
}

/** What is found; or why not, also where the service has stopped answering, or the suite itself breaks down. */
async function attempted(run: Run, what: string, find: () => unknown): Promise<Found<unknown>> {
  return run.stopped?.why ?? orMissing(run, what, find);
}

/** Where the plan is given up in a line, nothing of the line can be relied on. */
function tainted(run: Run, step: AnyStep, cases: ReadonlySet<unknown>, why: Missing): void {
  if (!('each' in step)) run.keep(step, why);
  else for (const one of cases) run.keepCase(step, one, why);
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
