import { join } from 'node:path';
import { EXIT, exitCodeOf } from '../verdict/verdict.ts';
import { changesSince, sinceText } from './changes.ts';
import { storedUsers } from './created-users.ts';
import { commandFor, type NextCommand } from './next-command.ts';
import { runPage } from './page/run-page.ts';
import type { Report } from './report.ts';
import { attempt, type FileContent, replaceFile } from './report-dir.ts';
import { SUITE_FAILED } from './rows.ts';
import { gzipped, harFile, type RunResult } from './run-result.ts';
import { screenOf } from './screen.ts';
import { annotations, badge, markdown, writeToGitHub } from './summary.ts';
import { changesSummary, closingText, type Detail } from './terminal.ts';
import { junit, writeAllure } from './test-results.ts';
import { sanitizedJson, sanitizeLine } from './text.ts';

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
  unwritten.push(...writeToGitHub(report, reportDir, faults.length > 0));
  const lines = detail === 'verdict' ? [] : [''];
  for (const fault of faults)
    lines.push(`${screen.paint('red', SUITE_FAILED)} ${sanitizeLine(fault)}\n`);
  if (before) {
    const changes = changesSince(before, report);
    lines.push(`${changesSummary('Since the last run', changes, screen, detail)}\n`);
  }
  if (report.changes) {
    const title = sinceText(report.changes);
    lines.push(`${changesSummary(title, report.changes, screen, detail)}\n`);
  }
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
  const contents: Record<string, () => FileContent> = {
    'conformance.json': () => sanitizedJson(report),
    'report.html': () => runPage(report, { command, traced, ...(guides && { guides }) }),
    'exchanges.har': () => harFile(traced, report),
    'badge.json': () => sanitizedJson(badge(report)),
    'summary.md': () => markdown(report),
    'junit.xml': () => junit(report, traced),
    ...(run && { 'run.json.gz': () => gzipped(run) }),
    ...(users.length > 0 && { 'created-users.json': () => sanitizedJson(users) }),
  };
  const unwritten = Object.entries(contents).flatMap(([name, content]) =>
    attempt(name, () => replaceFile(join(directory, name), content())),
  );
  const allure = join(directory, 'allure-results');
  unwritten.push(...attempt('allure-results', () => writeAllure(result, allure, hasAllure)));
  return unwritten;
}
