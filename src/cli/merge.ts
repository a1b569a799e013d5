import { resolve } from 'node:path';
import { requirements } from '../../specs/index.ts';
import { mergeReports, type NamedReport } from '../reports/merged.ts';
import { publish } from '../reports/publish.ts';
import { readReport } from '../reports/read-report.ts';
import type { Report } from '../reports/report.ts';
import { makeReportDir, removeReports } from '../reports/report-dir.ts';
import { inertLine } from '../reports/text.ts';
import { readSome } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { counted } from '../verdict/verdict.ts';
import { readReportDirs } from './flags.ts';
import { printHead } from './head.ts';

/**
 * Merges reports: takes report directories, writes the reports of all runs. Returns the exit code (see EXIT). Throws a
 * SettingsError.
 */
export function merge(args: string[]): number {
  const { reportDirs, output } = readReportDirs('merge', args);
  const reportDir = output ? resolve(output) : readSome(['reportDir'], process.env, process.cwd()).reportDir;
  const taken = reportDirs.find((path) => [reportDir, resolve(reportDir, 'conformance.json')].includes(resolve(path)));
  if (taken)
    throw new SettingsError(`${inertLine(taken)} is an input and the output: choose another directory with --output.`);
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
    throw new SettingsError(inertLine(`The reports differ in the ${what}: ${one}, ${another}; ${advice}.`));
  };
  const advice = 'make them with the same version of the suite';
  refuse('suite version', ({ suite }) => suite.version, advice);
  refuse('requirement set', ({ suite }) => suite.requirementSet, advice);
  refuse('target', ({ target }) => target.name, 'give the runs one name with --name, or use compare');
}

/** A run that counted twice would seem to have looked twice as deep. */
function refuseTwice(reports: NamedReport[]): void {
  const seen = new Map<string, string>();
  for (const { from, report } of reports) {
    if (report.runs)
      throw new SettingsError(inertLine(`${from} is a merged report: name the runs that it was made of.`));
    const { tag } = report.users;
    const before = tag === '' ? undefined : seen.get(tag);
    if (before !== undefined)
      throw new SettingsError(inertLine(`${before} and ${from} hold the same run: name it once.`));
    seen.set(tag, from);
  }
}
