import { type Exchange, isLane } from '../http/exchange.ts';
import type { Evidence } from './evidence.ts';
import { attempted, isInvalid, type Job, jobsOf, startInTurn, tryAlone, turnsOf } from './jobs.ts';
import { plan } from './plan.ts';
import type { Run } from './run.ts';
import type { AnyStep } from './step.ts';
import { isFailed, lookAfter } from './upset.ts';

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
    if ('each' in step) step.beside?.forEach(add);
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
  const isTaken = (line: AnyStep[] = []) => line.some((step) => steps.has(step));
  const lastInvalid = lines.findLast((line) => line.some((step) => steps.has(step) && isInvalid(step)));
  let open: Line | undefined;
  let following: Job[] = [];
  const look = async (sent: readonly Exchange[], always: boolean) => {
    const step = { name: 'looking after the service' };
    run.keep(step, await attempted(run, step.name, () => lookAfter(run, sent, always)));
  };
  const end = ({ line, jobs }: Line) => {
    // Where the plan is given up in a line, nothing of the line can be relied on.
    if (run.stopped) for (const { keep } of jobs) keep(run.stopped.why);
    const over = new Set([...line, ...jobs.map(({ step }) => step)]);
    for (const { step } of following) over.delete(step);
    onLine([...over]);
  };
  // What follows the requests of the last line has a line of its own.
  for (const [index, line] of [...lines, []].entries()) {
    const before = following;
    const begun = run.client.record.length;
    const taken = line.filter((step) => steps.has(step));
    if (lines === plan) run.client.allow(run.atOnce());
    const turns = turnsOf(
      taken.flatMap((step) => jobsOf(run, step, cases.get(step) ?? new Set())),
      index,
    );
    following = turns.flatMap((turn) => turn.following ?? []);
    const jobs = [...before, ...turns.flatMap((turn) => turn.jobs)];
    await Promise.all([...before.map(({ start }) => start()), ...turns.flatMap(startInTurn(run))]);
    await tryAlone(jobs, mostAlone);
    const sent = run.client.record.slice(begun);
    const valid = sent.filter((exchange) => !run.isInvalid(exchange));
    const isFine = valid.length > 0 && !valid.some(isFailed);
    const ended = { line, jobs, sent };
    // Where valid requests follow the last that are not, they look after the service.
    if (isFine && line === lastInvalid && isTaken(lines[index + 1])) {
      open = ended;
      continue;
    }
    const lanes = sent.filter(({ request }) => isLane(request.connection));
    if (taken.some(isInvalid)) await look(sent, line === lastInvalid);
    else if (open) await look([...open.sent, ...lanes], !isFine);
    else if (before.length > 0) await look(lanes, false);
    if (open) end(open);
    open = undefined;
    end(ended);
  }
}

/** A line that was sent. */
interface Line {
  line: AnyStep[];
  /** With those that followed requests of the line before, without those that follow its own. */
  jobs: Job[];
  sent: readonly Exchange[];
}
