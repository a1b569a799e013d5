import { join } from 'node:path';
import { EXIT, exitCodeOf } from '../verdict/verdict.ts';
import { changesSince, sinceText } from './changes.ts';
import { storedUsers } from './created-users.ts';
import { screenOf } from './look.ts';
import { commandFor, type NextCommand } from './next-command.ts';
import { runPage } from './page/run-page.ts';
import type { Report } from './report.ts';
import { attempt, replaceFile } from './report-dir.ts';
import { gzipped, harFile, type RunResult } from './run-result.ts';
import { annotations, badge, markdown, tellGitHub } from './summary.ts';
import { changesSummary, closing, type Detail } from './terminal.ts';
import { junit, writeAllure } from './test-results.ts';
import { inertJson, inertLine } from './text.ts';

/** What a run is published with. */
interface Publishing {
  reportDir: string;
  /** Sentences on reports of an earlier run that could not be removed. */
  unremoved: string[];
  /** The report of the run before, where what has changed is to be shown first. */
  before?: Report | undefined;
  /** How much is printed; absent: chapters, with what failed. */
  detail?: Detail;
  /** The command that makes the run again, for the page; absent: one for its address. */
  command?: NextCommand | undefined;
  /** Whether somebody else writes the results for Allure. */
  hasAllure?: boolean;
}

/**
 * Writes the reports of a run, tells GitHub, and prints how it ended. Returns the exit code of the run, or of
 * a fault where the suite itself failed or `conformance.json` could not be written.
 */
export function publish(result: RunResult, options: Publishing): number {
  const { reportDir, unremoved, before, detail = 'chapters', hasAllure, command } = options;
  const { report, faults } = result;
  const screen = screenOf(process.stdout);
  const unwritten = writeReports(result, reportDir, hasAllure, command);
  unwritten.push(...tellGitHub(report, reportDir, faults.length > 0));
  // Whoever reads the report by a program must not find an older one, or none, beside a code of a verdict.
  const isReported = !unwritten.some((sentence) => sentence.startsWith('conformance.json'));
  const lines = [
    ...(detail === 'verdict' ? [] : ['']),
    ...faults.map(
      (fault) => `${screen.paint('red', 'The suite itself failed:')} ${inertLine(fault)}\n`,
    ),
    ...(before
      ? [`${changesSummary('Since the last run', changesSince(before, report), screen, detail)}\n`]
      : []),
    ...(report.changes
      ? [`${changesSummary(sinceText(report.changes), report.changes, screen, detail)}\n`]
      : []),
    closing(report, reportDir, screen, detail, command),
    ...(process.env.GITHUB_ACTIONS === 'true' ? annotations(report) : []),
    ...new Set(
      [...unremoved, ...unwritten].map((one) =>
        screen.paint('yellow', `  missing  ${inertLine(one)}`),
      ),
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return faults.length > 0 || !isReported ? EXIT.fault : exitCodeOf(report);
}

/**
 * Writes the reports of a run into the report directory, each whole or not at all. Returns a sentence for each that
 * could not be written. With `hasAllure` somebody else writes the results for Allure.
 */
export function writeReports(
  result: RunResult,
  directory: string,
  hasAllure = false,
  command = commandFor(result.report, directory),
): string[] {
  const { report, traced, run, guides } = result;
  const users = storedUsers(result);
  const contents: Record<string, () => Parameters<typeof replaceFile>[1]> = {
    'conformance.json': () => inertJson(report),
    'report.html': () => runPage(report, { command, traced, ...(guides && { guides }) }),
    'exchanges.har': () => harFile(traced, report),
    'badge.json': () => inertJson(badge(report)),
    'summary.md': () => markdown(report),
    'junit.xml': () => junit(report, traced),
    ...(run && { 'run.json.gz': () => gzipped(run) }),
    ...(users.length > 0 && { 'created-users.json': () => inertJson(users) }),
  };
  const written = Object.entries(contents).flatMap(([name, content]) =>
    attempt(name, () => replaceFile(join(directory, name), content())),
  );
  const results = join(directory, 'allure-results');
  return [...written, ...attempt('allure-results', () => writeAllure(result, results, hasAllure))];
}
