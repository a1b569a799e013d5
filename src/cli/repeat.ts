import type { RunInput } from '../api/run.ts';
import type { RunResult } from '../reports/run-result.ts';
import { selectedRequirements } from '../reports/selection.ts';
import { removeReports } from '../reports/written-files.ts';
import type { OutcomeName } from '../requirement/outcome.ts';
import { counted, EXIT, exitCodeOf } from '../verdict/verdict.ts';
import {
  ensureUp,
  interruptedBySignal,
  loadPublish,
  makeGuardedRun,
  printHeadOf,
  type RunOnceOptions,
} from './one-run.ts';

/** Exit codes, the worst first. */
const WORST_FIRST = [EXIT.fault, EXIT['non-conformant'], EXIT.inconclusive, EXIT.conformant];

/**
 * Makes the same run several times in a row and counts the failures of each requirement. Writes the
 * reports of the last run with a failure, or of the last run. Returns the exit code of the worst
 * run.
 */
export async function repeatRun(
  input: RunInput,
  count: number,
  { detail, command }: Pick<RunOnceOptions, 'detail' | 'command'>,
): Promise<number> {
  const { reportDir, start } = input.settings;
  const ending = { exitCode: EXIT.inconclusive as number };
  const interrupt = interruptedBySignal(ending);
  const unremoved = removeReports(reportDir, start !== undefined);
  if (detail !== 'verdict') printHeadOf(input);
  const outcomes = new Map<string, OutcomeName[]>();
  const exitCodes: number[] = [];
  let shown: RunResult | undefined;
  while (exitCodes.length < count && !interrupt.signal.aborted) {
    if (shown && !(await ensureUp(input, { isStale: false }))) break;
    const result = await makeGuardedRun(input, interrupt);
    exitCodes.push(result.faults.length > 0 ? EXIT.fault : exitCodeOf(result.report));
    ending.exitCode = worstOf(exitCodes);
    for (const { id, outcome } of selectedRequirements(result.report))
      outcomes.set(id, [...(outcomes.get(id) ?? []), outcome]);
    if (shown === undefined || hasFailure(result) || !hasFailure(shown)) shown = result;
  }
  if (shown === undefined) return ending.exitCode;
  const { publish } = await loadPublish();
  const exitCode = publish(shown, { reportDir, unremoved, detail, command });
  process.stdout.write(`\n${countLines(outcomes, exitCodes.length).join('\n')}\n`);
  return worstOf([exitCode, ...exitCodes]);
}

const worstOf = (exitCodes: readonly number[]): number =>
  WORST_FIRST.find((code) => exitCodes.includes(code)) ?? EXIT.fault;

const isFailure = (outcome: OutcomeName) => outcome === 'failed' || outcome === 'known-failure';

const hasFailure = ({ report }: RunResult): boolean =>
  report.requirements.some(({ outcome }) => isFailure(outcome));

/**
 * Returns a line for each requirement that failed in any run, such as `list.total-integer fails 10
 * of 10`. If none failed: a line for each unverified requirement, and one for those that passed in
 * every run. `outcomes` has the outcomes of each requirement by its slug.
 */
export function countLines(outcomes: ReadonlyMap<string, OutcomeName[]>, runs: number): string[] {
  const linesFor = (verb: string, isCounted: (outcome: OutcomeName) => boolean) =>
    [...outcomes].flatMap(([slug, list]) => {
      const count = list.filter(isCounted).length;
      return count === 0 ? [] : [`${slug} ${verb} ${count} of ${runs}`];
    });
  const failing = linesFor('fails', isFailure);
  if (failing.length > 0) return failing;
  const open = linesFor('is not verified', (outcome) => outcome === 'not-verified');
  const passing = [...outcomes].filter(
    ([, list]) => list.length === runs && list.every((outcome) => outcome === 'passed'),
  );
  const [first] = passing;
  if (first === undefined) return open.length > 0 ? open : ['no requirement was judged'];
  const subject =
    passing.length === 1 ? first[0] : `each of ${counted(passing.length, 'requirement')}`;
  return [...open, `${subject} passes ${runs} of ${runs}`];
}
