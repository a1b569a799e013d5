import type { Settings } from '../settings/settings.ts';
import { EXIT } from '../verdict/verdict.ts';
import type { AllureResults } from './allure.ts';
import { writeReports } from './files.ts';
import { annotations, tellGitHub } from './github.ts';
import { columnsOf, painter } from './paint.ts';
import type { Report } from './report.ts';
import type { RunResult } from './run-result.ts';
import { type Changes, changesSince, sinceText } from './since.ts';
import { changesSummary, closing, type Printed } from './terminal.ts';
import { inertLine } from './text.ts';

/** What a run is published with. */
export interface Publishing {
  settings: Pick<Settings, 'reportDir'>;
  /** Sentences on reports of an earlier run that could not be removed. */
  unremoved: string[];
  /** The report of the run before, where what has changed is to be shown first. */
  before?: Report | undefined;
  /** How much is printed; absent: chapters, with what failed. */
  detail?: Printed['detail'];
  /** Who writes the results for Allure; absent: this function. */
  writeResults?: (results: AllureResults, directory: string) => void;
}

/**
 * Writes the reports of a run, and tells GitHub. Returns what is printed at its end, and its exit code: that of its verdict, or
 * of a fault where the suite itself failed or `conformance.json` could not be written.
 */
export function publish(
  result: RunResult,
  { settings, unremoved, before, detail = 'chapters', writeResults }: Publishing,
): { text: string; exitCode: number } {
  const { report, faults } = result;
  const { reportDir } = settings;
  const [paint, width] = [painter(process.stdout), columnsOf(process.stdout)];
  const unwritten = writeReports(result, reportDir, writeResults);
  unwritten.push(...tellGitHub(report, reportDir, faults.length > 0));
  // Whoever reads the report by a program must not find an older one, or none, beside a code of a verdict.
  const isReported = !unwritten.some((sentence) => sentence.startsWith('conformance.json'));
  const changesPart = (title: string, changes: Changes) =>
    `${changesSummary(title, changes, { paint, width, detail })}\n`;
  const lines = [
    ...(detail === 'verdict' ? [] : ['']),
    ...faults.map((fault) => `${paint('red', 'The suite itself failed:')} ${inertLine(fault)}\n`),
    ...(before ? [changesPart('Since the last run', changesSince(before, report))] : []),
    ...(report.changes ? [changesPart(sinceText(report.changes), report.changes)] : []),
    closing(report, reportDir, paint, { width, detail }),
    ...(process.env.GITHUB_ACTIONS === 'true' ? annotations(report) : []),
    ...new Set([...unremoved, ...unwritten].map((one) => paint('yellow', `  missing  ${inertLine(one)}`))),
  ];
  const exitCode = faults.length > 0 || !isReported ? EXIT.fault : EXIT[report.verdict];
  return { text: `${lines.join('\n')}\n`, exitCode };
}
