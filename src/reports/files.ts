import { accessSync, constants, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, makeFolder } from '../settings/files.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { badge } from './badge.ts';
import { har } from './har.ts';
import type { Report } from './report.ts';
import { markdown } from './summary.ts';
import type { TracedExchange } from './traced.ts';

/** Creates the report directory. Throws a SettingsError where reports can't be written. */
export function makeReportDir(directory: string): void {
  try {
    makeFolder(directory);
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new SettingsError(`Reports can't be written to ${directory} (${codeOf(error)}): set CONFORMANCE_REPORT_DIR.`);
  }
}

/**
 * Removes the reports of an earlier run: none may be taken for this run's. Not junit.xml, which its own reporter has emptied
 * and holds open by then, and not the log of a service that was started before the run.
 */
export function removeReports(directory: string, isStarted: boolean): void {
  const names = ['allure-results', 'report.html', 'conformance.json', 'exchanges.har', 'badge.json', 'summary.md'];
  if (!isStarted) names.push('service.log');
  for (const name of names) rmSync(join(directory, name), { recursive: true, force: true });
}

/** Writes the suite's own reports into the report directory. */
export function writeReports(report: Report, traced: TracedExchange[], directory: string): void {
  const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`;
  writeFileSync(join(directory, 'conformance.json'), json(report));
  writeFileSync(join(directory, 'exchanges.har'), json(har(traced, report)));
  writeFileSync(join(directory, 'badge.json'), json(badge(report)));
  writeFileSync(join(directory, 'summary.md'), markdown(report));
}
