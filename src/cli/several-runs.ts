import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
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
import { mergeReports, type NamedReport } from '../reports/merged.ts';
import { publish } from '../reports/publish.ts';
import { readReport } from '../reports/read-report.ts';
import { type Report, score, verdictText } from '../reports/report.ts';
import { makeReportDir, removeReports, replaceFile } from '../reports/report-dir.ts';
import { inertJson, inertLine } from '../reports/text.ts';
import { codeOf, orThrow } from '../settings/files.ts';
import { readSome } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { counted } from '../verdict/verdict.ts';
import { parseFlags } from './flags.ts';
import { printHead } from './head.ts';

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
  const unwritable = (error: unknown) =>
    new SettingsError(`${output} can't be written to (${codeOf(error)}): choose another directory with --output.`);
  for (const { path, content } of files) orThrow(() => replaceFile(path, content), unwritable);
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

/**
 * Merges reports: takes report directories, writes the reports of all runs. Returns the exit code (see EXIT). Throws a
 * SettingsError.
 */
export function merge(args: string[]): number {
  const { reportDirs, output } = readReportDirs('merge', args);
  const reportDir = output ? resolve(output) : readSome(['reportDir'], process.env, process.cwd()).reportDir;
  const taken = reportDirs.find((path) => [reportDir, resolve(reportDir, 'conformance.json')].includes(resolve(path)));
  if (taken) throw new SettingsError(`${taken} is an input and the output: choose another directory with --output.`);
  const given = reportDirs.map((from) => ({ from, report: readReport(from, requirements) }));
  refuseUnlike(given);
  refuseTwice(given);
  const report = mergeReports(given);
  makeReportDir(reportDir, 'choose another directory with --output');
  const unremoved = removeReports(reportDir, true);
  printHead({ target: `${report.target.name}, ${counted(given.length, 'run')} merged` });
  const result = { report, traced: [], created: [], faults: [] };
  return publish(result, { settings: { reportDir }, unremoved });
}

/** Only what was judged by the same rules, and of the same implementation, has one verdict. */
function refuseUnlike([first, ...others]: NamedReport[]): void {
  const refuse = (what: string, of: (report: Report) => string, advice: string) => {
    const other = others.find(({ report }) => first && of(report) !== of(first.report));
    if (first === undefined || other === undefined) return;
    const [one, another] = [first, other].map(({ from, report }) => `${of(report)} in ${from}`);
    throw new SettingsError(`The reports differ in the ${what}: ${one}, ${another}; ${advice}.`);
  };
  const advice = 'make them with the same version of the suite';
  refuse('suite version', ({ suite }) => suite.version, advice);
  refuse('requirement set', ({ suite }) => suite.requirementSet, advice);
  refuse('target', ({ target }) => target.name, 'give the runs one name with --name, or use compare');
}

/** A run that counted twice would seem to have looked twice as deep. */
function refuseTwice(reports: NamedReport[]): void {
  for (const [index, { from, report }] of reports.entries()) {
    if (report.runs) throw new SettingsError(`${from} is a merged report: name the runs that it was made of.`);
    const { tag } = report.users;
    const before = reports.slice(0, index).find((one) => tag !== '' && one.report.users.tag === tag);
    if (before) throw new SettingsError(`${before.from} and ${from} hold the same run: name it once.`);
  }
}

/** Reads what `compare` and `merge` are given: report directories and --output. Throws a SettingsError. */
function readReportDirs(name: 'compare' | 'merge', args: string[]) {
  const options = { output: { type: 'string' } } as const;
  const hint = `${name} takes report directories and --output DIR.`;
  const { values, positionals } = parseFlags({ args, allowPositionals: true, options }, hint);
  if (positionals.length === 0) {
    throw new SettingsError(`${name} needs the report directories of runs: ${name} DIR… [--output DIR].`);
  }
  return { ...values, reportDirs: positionals };
}
