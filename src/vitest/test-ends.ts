import type { RowOptions } from '../reports/finding-rows.ts';
import { rowsText } from '../reports/finding-text.ts';
import type { Report, ReportedRequirement } from '../reports/report.ts';
import { notVerifiedReasons, obstacleRows, SUITE_FAILED } from '../reports/rows.ts';
import { PLAIN } from '../reports/screen.ts';
import { selectedRequirements } from '../reports/selection.ts';
import { type TestResult, testResult } from '../reports/test-result.ts';
import { abbreviateList, sanitize, sanitizeLine } from '../reports/text.ts';
import { effectOf } from '../verdict/verdict.ts';

/** The circumstances of the tests of a run. */
interface EndOptions extends RowOptions {
  /** Whether Vitest runs the test of a requirement. By default it runs all. */
  isRunnable?: (slug: string) => boolean;
  /** A sentence on an error of the suite itself. */
  fault?: string | undefined;
}

/**
 * Returns the results of the tests that Vitest runs, by slug. Each requirement that fails the run is
 * one failed test. An unverified requirement is a skipped test. If no test fails but the run is
 * inconclusive, one test fails with the reason. Pure.
 */
export function testEnds(
  report: Report,
  { isRunnable = () => true, fault, ...options }: EndOptions = {},
): ReadonlyMap<string, TestResult> {
  const rows = selectedRequirements(report).filter(({ id }) => isRunnable(id));
  const ends = new Map(rows.map((row) => [row.id, testResult(row, report, options)]));
  if ([...ends.values()].some(({ state }) => state === 'fails')) return ends;
  const isOpen = (row: ReportedRequirement) => effectOf(row, report.scope.strict) === 'leaves open';
  const open = rows.filter(isOpen);
  const isNothingJudged =
    report.verdict === 'inconclusive' && !report.requirements.some((row) => isOpen(row));
  const candidates = isNothingJudged || fault !== undefined ? [...open, ...rows] : open;
  const chosen = open.find(({ needs }) => needs === undefined) ?? candidates[0];
  if (chosen !== undefined) {
    const message = fault === undefined ? inconclusiveText(chosen, report) : suiteFailed(fault);
    ends.set(chosen.id, makeFailure(message));
  }
  return ends;
}

export const suiteFailed = (fault: string): string => `${SUITE_FAILED} ${fault}`;

function makeFailure(message: string): TestResult {
  return { state: 'fails', message: sanitizeLine(message), text: sanitize(message) };
}

/** Says why a run without a failed test has no verdict. */
function inconclusiveText(row: ReportedRequirement, report: Report): string {
  const { reason, needs } = row;
  if (report.verdict !== 'inconclusive') return `Not verified: ${reason}`;
  const lines = [`Inconclusive: ${report.because}`, rowsText(obstacleRows(report), PLAIN, 0)];
  for (const { reason: why, slugs, rows } of notVerifiedReasons(report))
    lines.push(`${why}: ${abbreviateList(slugs)}`, rowsText(rows, PLAIN, 0));
  if (needs !== undefined) lines.push(`not verified: ${reason}`);
  return lines.filter((line) => line !== '').join('\n');
}
