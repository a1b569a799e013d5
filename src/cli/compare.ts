import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { requirements } from '../../specs/index.ts';
import { shorten } from '../http/value.ts';
import { changesText } from '../reports/changes.ts';
import {
  type Comparison,
  compareReports,
  comparisonHtml,
  comparisonJson,
  comparisonMarkdown,
} from '../reports/comparison.ts';
import { readReport } from '../reports/read-report.ts';
import { score, verdictText } from '../reports/report.ts';
import { replaceFile } from '../reports/report-dir.ts';
import { inertJson, inertLine } from '../reports/text.ts';
import { codeOf } from '../settings/files.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { readReportDirs } from './flags.ts';

/** Compares reports: takes report directories, writes the comparison. Returns what to print. Throws a SettingsError. */
export function compare(args: string[]): string {
  const { reportDirs, output = '.' } = readReportDirs('compare', args);
  const comparison = compareReports(
    reportDirs.map((path) => readReport(path, requirements, { keepsUnknown: true })),
    reportDirs.map((path) => pageBeside(path, output)),
  );
  const files = [
    { path: join(output, 'comparison.html'), content: comparisonHtml(comparison) },
    { path: join(output, 'comparison.md'), content: comparisonMarkdown(comparison) },
    { path: join(output, 'comparison.json'), content: inertJson(comparisonJson(comparison)) },
  ];
  try {
    for (const { path, content } of files) replaceFile(path, content);
  } catch (error) {
    throw new SettingsError(
      `${output} can't be written to (${codeOf(error)}): choose another directory with --output.`,
    );
  }
  return `${overview(comparison)}\n\n${files.map(({ path }) => inertLine(path)).join('\n')}\n`;
}

/** Where the page of a report is, as a link from the folder of the comparison; undefined where there is none. */
function pageBeside(path: string, output: string): string | undefined {
  const page = join(path.endsWith('.json') ? dirname(path) : path, 'report.html');
  if (!existsSync(page)) return undefined;
  return relative(output, page).split(sep).map(encodeURIComponent).join('/');
}

/** A line for each implementation. */
function overview({ reports, names, changes }: Comparison): string {
  const rows = reports.map((report, index) => {
    const scores = (['MUST', 'SHOULD'] as const).map((level) => `${score(report, level)} ${level}`).join(', ');
    return inertLine(`${shorten(names[index] ?? '', 80)}: ${verdictText(report)}, ${scores}`);
  });
  return [...rows, ...(changes ? [`From the first to the second: ${changesText(changes)}`] : [])].join('\n');
}
