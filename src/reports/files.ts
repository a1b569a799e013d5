import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { badge } from './badge.ts';
import { har } from './har.ts';
import { runPage } from './page/run-page.ts';
import { attempt, replaceFile } from './replace-file.ts';
import type { Report } from './report.ts';
import { markdown } from './summary.ts';
import { inertJson } from './text.ts';
import type { TracedExchange } from './traced.ts';

/** The files of a run's reports, and of what is made of them; `allure-results` is a folder. */
const NAMES = [
  ...['report.html', 'conformance.json', 'exchanges.har', 'badge.json', 'summary.md', 'junit.xml'],
  'allure.html',
];

/**
 * Removes the reports of an earlier run: none may be taken for this run's. Not the log of a service that was started before
 * the run. Returns a sentence for each that can't be removed.
 */
export function removeReports(directory: string, isStarted: boolean): string[] {
  const files = [...NAMES, ...(isStarted ? [] : ['service.log'])];
  const remove = (name: string, recursive: boolean) => rmSync(join(directory, name), { recursive, force: true });
  return [
    ...files.flatMap((name) => attempt(name, () => remove(name, false), 'removed')),
    ...attempt('allure-results', () => remove('allure-results', true), 'removed'),
  ];
}

/**
 * Writes the suite's own reports into the report directory, each whole or not at all. Returns a sentence for each that could
 * not be written.
 */
export function writeReports(report: Report, traced: TracedExchange[], directory: string): string[] {
  const contents: Record<string, () => string> = {
    'conformance.json': () => inertJson(report),
    'report.html': () => runPage(report, traced),
    'exchanges.har': () => inertJson(har(traced, report)),
    'badge.json': () => inertJson(badge(report)),
    'summary.md': () => markdown(report),
  };
  return Object.entries(contents).flatMap(([name, content]) =>
    attempt(name, () => replaceFile(join(directory, name), content())),
  );
}
