import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { schemaError } from '../../schemas/validate.ts';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { withGuides } from '../api/guides.ts';
import { accepting, resultOf, type Terms } from '../api/run.ts';
import type { WrittenHistory } from '../history/file.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { shorten } from '../http/value.ts';
import { verdictText } from '../reports/appearance.ts';
import { changesText, readBaseline } from '../reports/changes.ts';
import { type Comparison, compareReports, comparisonFiles } from '../reports/comparison.ts';
import { publish } from '../reports/publish.ts';
import { readReport, readRunFile, unusableFile } from '../reports/read-report.ts';
import { claimReportDir, removeReports, replaceFile } from '../reports/report-dir.ts';
import type { RunFile } from '../reports/run-result.ts';
import { score } from '../reports/selection.ts';
import { sanitizeLine } from '../reports/text.ts';
import { judgeAgain } from '../run/again.ts';
import { codeOf, orThrow, SettingsError, unlessThrown } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import { select } from '../settings/selection.ts';
import { pickSettings, refuseIdleFlags, type Settings } from '../settings/settings.ts';
import { settingsTable } from '../settings/table.ts';
import { listedFailures } from '../verdict/verdict.ts';
import { type Flags, namingFlags, parseFlags, readFlags } from './flags.ts';
import { printHead } from './one-run.ts';

/** The settings that have an effect on a run that was made. */
const TAKEN = [
  'only',
  'skip',
  'strict',
  'knownFailures',
  'baseline',
  'failOn',
  'reportDir',
] as const;

const FLAGS = ['verbose', 'quiet', ...TAKEN.map((name) => settingsTable[name].flag)];

const HINT = `again takes a run.json.gz and ${FLAGS.map((flag) => `--${flag}`).join(', ')}.`;

/**
 * Judges a run again by the file that it has left, by whoever it was written. Sends nothing and needs no key. Returns
 * the exit code of the run. Throws a SettingsError.
 */
export async function again([file = '', ...args]: string[]): Promise<number> {
  if (file === '' || file.startsWith('-')) throw new SettingsError(HINT);
  const { given, values, detail } = readFlags(args);
  const idle = [...given].find((flag) => !FLAGS.includes(flag));
  if (idle !== undefined) throw new SettingsError(`--${idle} has no effect with again. ${HINT}`);
  return namingFlags(values, () => judgeAgainBy(file, values, detail));
}

async function judgeAgainBy(
  file: string,
  values: Record<string, string>,
  detail: Flags['detail'],
): Promise<number> {
  const environment = { ...process.env, ...values };
  refuseIdleFlags(values, environment, process.cwd());
  const settings = pickSettings(TAKEN, environment, process.cwd());
  const baseline = await readBaseline(settings, requirements);
  const result = judgeFile(file, {
    settings,
    knownFailures: await listedFailures(settings),
    baseline,
  });
  claimReportDir(settings.reportDir);
  if (detail !== 'verdict') {
    const { report, run } = result;
    const { name, baseUrl } = report.target;
    const facts = {
      target: `${name}, ${baseUrl}`,
      run: `of ${report.start}, by version ${run.suite.version}`,
    };
    printHead(facts, [otherSet(run) ?? []].flat());
  }
  const unremoved = removeReports(settings.reportDir, true);
  return publish(await withGuides(result), { reportDir: settings.reportDir, unremoved, detail });
}

/**
 * Judges a run again by its run.json.gz, which anybody may have written: a file whose report would
 * be invalid is refused. Sends nothing. Throws a SettingsError.
 */
export function judgeFile(path: string, terms: Terms & { settings: Pick<Settings, 'selection'> }) {
  const run = readRunFile(path);
  const selected = select(requirements, terms.settings.selection);
  const wanted = selected.filter(({ slug }) => !run.leftOut.includes(slug));
  const leftOut = requirements.flatMap((one) => (wanted.includes(one) ? [] : [one.slug]));
  if (wanted.length === 0)
    throw new SettingsError(
      `That run left out everything that ${nameOf('CONFORMANCE_ONLY')} and ${nameOf('CONFORMANCE_SKIP')} select.`,
    );
  const found = unlessThrown(() => {
    const judged = judgeAgain(historyOf(run), wanted, requirements, run.stranger);
    const accept = accepting(terms);
    const outcomes = new Map(judged.outcomes.map((one) => [one.slug, accept(one)]));
    const record = judged.record as ShownExchange[];
    return { judged, result: resultOf({ ...run, suite, leftOut }, { record, outcomes }, terms) };
  });
  const unusable = "has a record that this version of the suite can't check";
  if (!found) throw unusableFile(path, unusable);
  const { judged, result } = found;
  const fault =
    judged.faults[0] ??
    schemaError('report', result.report, 'its report') ??
    judged.record.flatMap((one) => schemaError('exchange', one, 'an exchange') ?? [])[0];
  if (fault) throw unusableFile(path, `${unusable}: ${fault}`);
  return { ...result, run };
}

/**
 * The history of a run; requirements that the run did not know yet are not verified for that
 * reason.
 */
function historyOf(run: RunFile): WrittenHistory {
  const reason = otherSet(run);
  const { history } = run;
  if (reason === undefined || history.stopped !== undefined) return history;
  return { ...history, stopped: { reason, by: 'run', exchanges: [] } };
}

/** Says that the run was made with another set of requirements; undefined if it was not. */
function otherSet({ suite: { requirementSet } }: RunFile): string | undefined {
  const sets = `the run was made with requirement set ${requirementSet}, and this version of the suite has ${suite.requirementSet}`;
  const order = requirementSet.localeCompare(suite.requirementSet, 'en', { numeric: true });
  if (order === 0) return undefined;
  return order < 0
    ? `${sets}: what is new and was not sent is not verified`
    : `${sets}: a newer version of the suite judges all of it`;
}

/** Compares reports: takes report directories, writes the comparison. Returns what to print. Throws a SettingsError. */
export function compare(args: string[]): string {
  const { reportDirs, output } = readReportDirs(args);
  const reports = reportDirs.map((path) => readReport(path, requirements, { keepsUnknown: true }));
  const pages = reportDirs.map((path) => pageBeside(path, output));
  const comparison = compareReports(reports, pages);
  const files = Object.entries(comparisonFiles(comparison));
  const unwritable = (error: unknown) =>
    new SettingsError(
      `${output} can't be written to (${codeOf(error)}): choose another directory with --report-dir.`,
    );
  for (const [name, content] of files)
    orThrow(() => replaceFile(join(output, name), content), unwritable);
  return `${overview(comparison)}\n\n${files.map(([name]) => sanitizeLine(join(output, name))).join('\n')}\n`;
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
    const scores = (['MUST', 'SHOULD'] as const)
      .map((level) => `${score(report, level)} ${level}`)
      .join(', ');
    return sanitizeLine(`${shorten(names[index] ?? '', 80)}: ${verdictText(report)}, ${scores}`);
  });
  return [
    ...rows,
    ...(changes ? [`From the first to the second: ${changesText(changes)}`] : []),
  ].join('\n');
}

/** Reads what `compare` is given: report directories and --report-dir. Throws a SettingsError. */
function readReportDirs(args: string[]) {
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
