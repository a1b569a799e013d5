import { EXIT, exitCodeOf } from '../verdict/verdict.ts';
import { allureFiles } from './allure.ts';
import { badge } from './badge.ts';
import { changesSince, sinceText } from './changes.ts';
import { storedUsers } from './created-users.ts';
import { annotations, writeToGitHub } from './github.ts';
import { harFile } from './har.ts';
import { junit } from './junit.ts';
import { commandFor, type NextCommand } from './next-command.ts';
import { runPage } from './page/run-page.ts';
import type { Changes, Report } from './report.ts';
import { SUITE_FAILED } from './rows.ts';
import { gzipped, type RunResult } from './run-result.ts';
import { screenOf } from './screen.ts';
import { markdown } from './summary.ts';
import { changesSummary, closingText, type Detail } from './terminal.ts';
import { sanitizedJson, sanitizeLine } from './text.ts';
import { ALLURE, type Content, writeFiles } from './written-files.ts';

/** The settings with which a run is published. */
interface Publishing {
  reportDir: string;
  /** Sentences on reports of an earlier run that could not be removed. */
  unremoved: string[];
  /** The report of the previous run; if given, the changes since then are printed first. */
  before?: Report | undefined;
  /** The parts to print; by default chapters with findings. */
  detail?: Detail;
  /** The command that makes the run again, for the page; by default one with the base address. */
  command?: NextCommand | undefined;
  /** Whether another reporter writes the results for Allure. */
  hasAllure?: boolean;
}

/**
 * Writes the reports of a run, also for GitHub, and prints its end. Returns the exit code of the
 * run, or that of a fault if the suite itself failed or `conformance.json` could not be written.
 */
export function publish(result: RunResult, options: Publishing): number {
  const { reportDir, unremoved, before, detail = 'chapters', hasAllure, command } = options;
  const { report, faults } = result;
  const screen = screenOf(process.stdout);
  const unwritten = writeReports(result, reportDir, hasAllure, command);
  unwritten.push(...writeToGitHub(report, reportDir, { command, hasFault: faults.length > 0 }));
  const lines = detail === 'verdict' ? [] : [''];
  for (const fault of faults)
    lines.push(`${screen.paint('red', SUITE_FAILED)} ${sanitizeLine(fault)}\n`);
  const printChanges = (title: string, changes: Changes) =>
    lines.push(`${changesSummary(title, changes, screen, detail)}\n`);
  if (before) printChanges('Since the last run', changesSince(before, report));
  if (report.changes) printChanges(sinceText(report.changes), report.changes);
  lines.push(closingText(report, reportDir, screen, detail, command));
  if (process.env.GITHUB_ACTIONS === 'true') lines.push(...annotations(report));
  const missing = [...unremoved, ...unwritten].map((sentence) =>
    screen.paint('yellow', `  missing  ${sanitizeLine(sentence)}`),
  );
  lines.push(...new Set(missing));
  process.stdout.write(`${lines.join('\n')}\n`);
  // A program that reads the report must not take an older one for the result of this run.
  const isReported = !unwritten.some((sentence) => sentence.startsWith('conformance.json'));
  return faults.length > 0 || !isReported ? EXIT.fault : exitCodeOf(report);
}

/**
 * Writes the reports of a run into the report directory, each completely or not at all. With
 * `hasAllure`, another reporter writes the results for Allure. Returns a sentence for each report
 * that could not be written.
 */
export function writeReports(
  result: RunResult,
  directory: string,
  hasAllure = false,
  command = commandFor(result.report, directory),
): string[] {
  const { report, traced, run, guides } = result;
  const users = storedUsers(result);
  const contents: Record<string, Content> = {
    'conformance.json': () => sanitizedJson(report),
    'report.html': () => runPage(report, { command, traced, ...(guides && { guides }) }),
    'exchanges.har': () => harFile(traced, report),
    'badge.json': () => sanitizedJson(badge(report)),
    'summary.md': () => markdown(report, { command }),
    'junit.xml': () => junit(report, { command }),
    ...(run && { 'run.json.gz': () => gzipped(run) }),
    ...(users.length > 0 && { 'created-users.json': () => sanitizedJson(users) }),
  };
  for (const [name, content] of allureFiles(result, hasAllure, { command }))
    contents[`${ALLURE}/${name}`] = content;
  return writeFiles(directory, contents);
}
