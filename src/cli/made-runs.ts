import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { schemaError } from '../../schemas/validate.ts';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { withGuides } from '../api/guides.ts';
import { type JudgeTerms, makeResult } from '../api/run.ts';
import type { WrittenHistory } from '../history/file.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { shorten } from '../http/value.ts';
import { verdictText } from '../reports/appearance.ts';
import { changesText, readBaseline } from '../reports/changes.ts';
import { type Comparison, compareReports, comparisonFiles } from '../reports/comparison.ts';
import { publish } from '../reports/publish.ts';
import { readReport, readRunFile, unusableFile } from '../reports/read-report.ts';
import { claimReportDir, removeReports, replaceFile } from '../reports/report-dir.ts';
import type { RunFile, RunResult } from '../reports/run-result.ts';
import { score } from '../reports/selection.ts';
import { sanitizeLine } from '../reports/text.ts';
import { judgeAgain } from '../run/again.ts';
import { codeOf, orThrow, SettingsError, unlessThrown } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import { select } from '../settings/selection.ts';
import { pickSettings, refuseIdleFlags, type Settings } from '../settings/settings.ts';
import { settingsTable } from '../settings/table.ts';
import { listedFailures } from '../verdict/verdict.ts';
import { type Flags, parseFlags, readFlags, withFlagNames } from './flags.ts';
import { printHead } from './one-run.ts';

/** The settings that have an effect on a finished run. */
const EFFECTIVE = [
  'only',
  'skip',
  'strict',
  'knownFailures',
  'baseline',
  'failOn',
  'reportDir',
] as const;

const FLAGS = ['verbose', 'quiet', ...EFFECTIVE.map((name) => settingsTable[name].flag)];

const HINT = `again takes a run.json.gz and ${FLAGS.map((flag) => `--${flag}`).join(', ')}.`;

/**
 * Judges a run again by its run.json.gz and writes its reports. Sends nothing and needs no key.
 * Returns the exit code of the run. Rejects with a SettingsError.
 */
export async function again([file = '', ...args]: string[]): Promise<number> {
  if (file === '' || file.startsWith('-')) throw new SettingsError(HINT);
  const { names, values, detail } = readFlags(args);
  const idle = [...names].find((flag) => !FLAGS.includes(flag));
  if (idle !== undefined) throw new SettingsError(`--${idle} has no effect with again. ${HINT}`);
  return withFlagNames(values, () => judgeByFlags(file, values, detail));
}

async function judgeByFlags(
  file: string,
  values: Record<string, string>,
  detail: Flags['detail'],
): Promise<number> {
  const environment = { ...process.env, ...values };
  refuseIdleFlags(values, environment, process.cwd());
  const settings = pickSettings(EFFECTIVE, environment, process.cwd());
  const result = judgeFile(file, {
    settings,
    knownFailures: await listedFailures(settings),
    baseline: await readBaseline(settings, requirements),
  });
  claimReportDir(settings.reportDir);
  if (detail !== 'verdict') printHeadOfFile(result);
  const unremoved = removeReports(settings.reportDir, true);
  return publish(await withGuides(result), { reportDir: settings.reportDir, unremoved, detail });
}

function printHeadOfFile({ report, run }: FileResult): void {
  const { name, baseUrl } = report.target;
  const facts = {
    target: `${name}, ${baseUrl}`,
    run: `of ${report.start}, by version ${run.suite.version}`,
  };
  const notice = describeOtherSet(run);
  printHead(facts, notice === undefined ? [] : [notice]);
}

/** The result of a run that was judged again, with its file. */
interface FileResult extends RunResult {
  run: RunFile;
}

/** Settings by which a file is judged. */
interface FileTerms extends JudgeTerms {
  settings: JudgeTerms['settings'] & Pick<Settings, 'selection'>;
}

/**
 * Judges a run again by its run.json.gz. Refuses a file that would make an invalid report, because
 * anyone may have written it. Throws a SettingsError.
 */
export function judgeFile(path: string, terms: FileTerms): FileResult {
  const run = readRunFile(path);
  const selected = select(requirements, terms.settings.selection);
  const wanted = selected.filter(({ slug }) => !run.leftOut.includes(slug));
  const unwanted = requirements.filter((requirement) => !wanted.includes(requirement));
  const leftOut = unwanted.map(({ slug }) => slug);
  if (wanted.length === 0)
    throw new SettingsError(
      `That run left out everything that ${nameOf('CONFORMANCE_ONLY')} and ${nameOf('CONFORMANCE_SKIP')} select.`,
    );
  const judgement = unlessThrown(() => {
    const judged = judgeAgain(historyOf(run), wanted, requirements, run.stranger);
    const evidence = {
      record: judged.record as ShownExchange[],
      outcomes: new Map(judged.outcomes.map((outcome) => [outcome.slug, outcome])),
    };
    return { judged, result: makeResult({ ...run, suite, leftOut }, evidence, terms) };
  });
  const unusable = "has a record that this version of the suite can't check";
  if (!judgement) throw unusableFile(path, unusable);
  const { judged, result } = judgement;
  const fault =
    judged.faults[0] ??
    schemaError('report', result.report, 'its report') ??
    findInvalidExchange(judged.record);
  if (fault) throw unusableFile(path, `${unusable}: ${fault}`);
  return { ...result, run };
}

function findInvalidExchange(record: readonly unknown[]): string | undefined {
  for (const exchange of record) {
    const error = schemaError('exchange', exchange, 'an exchange');
    if (error) return error;
  }
  return undefined;
}

/** Returns the history of a run, which gives a reason for requirements that the run did not know. */
function historyOf(run: RunFile): WrittenHistory {
  const reason = describeOtherSet(run);
  const { history } = run;
  if (reason === undefined || history.stopped !== undefined) return history;
  return { ...history, stopped: { reason, by: 'run', exchanges: [] } };
}

/** Says that the run was made with another set of requirements; undefined if it was not. */
function describeOtherSet({ suite: { requirementSet } }: RunFile): string | undefined {
  const sets = `the run was made with requirement set ${requirementSet}, and this version of the suite has ${suite.requirementSet}`;
  const order = requirementSet.localeCompare(suite.requirementSet, 'en', { numeric: true });
  if (order === 0) return undefined;
  if (order < 0) return `${sets}: new requirements whose requests were not sent are not verified`;
  return `${sets}: a newer version of the suite judges all of it`;
}

/**
 * Compares the reports in some directories and writes the comparison. Returns the text to print.
 * Throws a SettingsError.
 */
export function compare(args: string[]): string {
  const { reportDirs, output } = readCompareArgs(args);
  const reports = reportDirs.map((path) => readReport(path, requirements, { keepsUnknown: true }));
  const pages = reportDirs.map((path) => linkToPage(path, output));
  const comparison = compareReports(reports, pages);
  const files = Object.entries(comparisonFiles(comparison));
  const unwritable = (error: unknown) =>
    new SettingsError(
      `${output} can't be written to (${codeOf(error)}): choose another directory with --report-dir.`,
    );
  for (const [name, content] of files)
    orThrow(() => replaceFile(join(output, name), content), unwritable);
  const paths = files.map(([name]) => sanitizeLine(join(output, name)));
  return `${overviewLines(comparison).join('\n')}\n\n${paths.join('\n')}\n`;
}

/** Returns the link from the comparison to the page of a report; undefined without a page. */
function linkToPage(path: string, output: string): string | undefined {
  const page = join(path.endsWith('.json') ? dirname(path) : path, 'report.html');
  if (!existsSync(page)) return undefined;
  return relative(output, page).split(sep).map(encodeURIComponent).join('/');
}

/** Returns a line for each implementation, and one for the changes between two. */
function overviewLines({ reports, names, changes }: Comparison): string[] {
  const rows = reports.map((report, index) => {
    const scores = `${score(report, 'MUST')} MUST, ${score(report, 'SHOULD')} SHOULD`;
    return sanitizeLine(`${shorten(names[index] ?? '', 80)}: ${verdictText(report)}, ${scores}`);
  });
  if (changes) rows.push(`From the first to the second: ${changesText(changes)}`);
  return rows;
}

interface CompareArgs {
  reportDirs: string[];
  /** The directory of the comparison. */
  output: string;
}

/** Reads the arguments of `compare`. Throws a SettingsError. */
function readCompareArgs(args: string[]): CompareArgs {
  const options = { 'report-dir': { type: 'string' } } as const;
  const hint = 'compare takes report directories and --report-dir DIR.';
  const { values, positionals } = parseFlags({ args, allowPositionals: true, options }, hint);
  if (positionals.length === 0) {
    throw new SettingsError(
      'compare needs the report directories of runs: compare DIR… [--report-dir DIR].',
    );
  }
  return { output: values['report-dir'] ?? '.', reportDirs: positionals };
}
