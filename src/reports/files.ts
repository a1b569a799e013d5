import { join } from 'node:path';
import { type AllureResults, allureResults, writeAllure } from './allure.ts';
import { badge } from './badge.ts';
import { harFile } from './har.ts';
import { junit } from './junit.ts';
import { runPage } from './page/run-page.ts';
import { attempt, replaceFile } from './replace-file.ts';
import { gzipped } from './run-file.ts';
import type { RunResult } from './run-result.ts';
import { markdown } from './summary.ts';
import { inertJson } from './text.ts';

/**
 * Writes the reports of a run into the report directory, each whole or not at all. Returns a sentence for each that could
 * not be written. `writeResults` writes those for Allure into their folder.
 */
export function writeReports(
  { report, traced, run, created }: RunResult,
  directory: string,
  writeResults: (results: AllureResults, directory: string) => void = writeAllure,
): string[] {
  const contents: Record<string, () => string | Buffer> = {
    'conformance.json': () => inertJson(report),
    'report.html': () => runPage(report),
    // The exchanges of merged runs are in their own reports.
    ...(report.runs === undefined && { 'exchanges.har': () => harFile(traced, report) }),
    'badge.json': () => inertJson(badge(report)),
    'summary.md': () => markdown(report),
    'junit.xml': () => junit(report, traced),
    ...(run && { 'run.json.gz': () => gzipped(run) }),
    ...(created.length > 0 && { 'created-users.json': () => inertJson(created) }),
  };
  const written = Object.entries(contents).flatMap(([name, content]) =>
    attempt(name, () => replaceFile(join(directory, name), content())),
  );
  const results = join(directory, 'allure-results');
  return [...written, ...attempt('allure-results', () => writeResults(allureResults(report, traced), results))];
}
