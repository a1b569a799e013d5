import type { RunInput } from '../api/run.ts';
import { removeReports } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import { selectedRequirements } from '../reports/selection.ts';
import { counted, EXIT, exitCodeOf } from '../verdict/verdict.ts';
import {
  type Ending,
  loadPublish,
  makeInterruptibleRun,
  printHeadOf,
  type RunOnceOptions,
} from './one-run.ts';
import { ensureUp } from './watch.ts';

/** Exit codes, the worst first. */
const WORST_FIRST: number[] = [
  EXIT.fault,
  EXIT['non-conformant'],
  EXIT.inconclusive,
  EXIT.conformant,
];

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
  const ending: Ending = { exitCode: EXIT.inconclusive };
  const unremoved = removeReports(reportDir, start !== undefined);
  if (detail !== 'verdict') printHeadOf(input);
  const counts = new Map<string, OutcomeCounts>();
  const exitCodes: number[] = [];
  let shown: RunResult | undefined;
  for (let index = 0; index < count; index += 1) {
    if (index > 0 && !(await ensureUp(input.service))) break;
    const { result, isInterrupted } = await makeInterruptibleRun(input, ending);
    exitCodes.push(result.faults.length > 0 ? EXIT.fault : exitCodeOf(result.report));
    ending.exitCode = worstOf(exitCodes);
    addOutcomes(counts, result);
    if (shown === undefined || hasFailure(result) || !hasFailure(shown)) shown = result;
    if (isInterrupted) break;
  }
  if (shown === undefined) return ending.exitCode;
  const { publish } = await loadPublish();
  exitCodes.push(publish(shown, { reportDir, unremoved, detail, command }));
  process.stdout.write(`\n${countLines(counts, exitCodes.length - 1).join('\n')}\n`);
  return worstOf(exitCodes);
}

const worstOf = (exitCodes: readonly number[]): number =>
  WORST_FIRST.find((code) => exitCodes.includes(code)) ?? EXIT.fault;

/** The numbers of runs in which a requirement passed, failed and could not be verified. */
export interface OutcomeCounts {
  passed: number;
  failed: number;
  notVerified: number;
}

const isFailure = ({ outcome }: { outcome: string }) =>
  outcome === 'failed' || outcome === 'known-failure';

const hasFailure = ({ report }: RunResult): boolean => report.requirements.some(isFailure);

function addOutcomes(counts: Map<string, OutcomeCounts>, { report }: RunResult): void {
  for (const row of selectedRequirements(report)) {
    const count = counts.get(row.id) ?? { passed: 0, failed: 0, notVerified: 0 };
    if (row.outcome === 'passed') count.passed += 1;
    if (isFailure(row)) count.failed += 1;
    if (row.outcome === 'not-verified') count.notVerified += 1;
    counts.set(row.id, count);
  }
}

/**
 * Returns a line for each requirement that failed in any run, such as `list.total-integer fails 10
 * of 10`. If none failed: a line for each unverified requirement, and one for those that passed in
 * every run.
 */
export function countLines(counts: ReadonlyMap<string, OutcomeCounts>, runs: number): string[] {
  const rows = [...counts];
  const failing = rows.filter(([, { failed }]) => failed > 0);
  if (failing.length > 0)
    return failing.map(([slug, { failed }]) => `${slug} fails ${failed} of ${runs}`);
  const open = rows.filter(([, { notVerified }]) => notVerified > 0);
  const passing = rows.filter(([, { passed }]) => passed === runs);
  if (open.length + passing.length === 0) return ['no requirement was judged'];
  const lines = open.map(
    ([slug, { notVerified }]) => `${slug} is not verified ${notVerified} of ${runs}`,
  );
  const [first] = passing;
  if (first === undefined) return lines;
  const subject =
    passing.length === 1 ? first[0] : `each of ${counted(passing.length, 'requirement')}`;
  return [...lines, `${subject} passes ${runs} of ${runs}`];
}
