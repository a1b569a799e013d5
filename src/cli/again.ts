import { schemaError } from '../../schemas/validate.ts';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { withGuides } from '../api/guides.ts';
import { type JudgeTerms, makeResult } from '../api/run.ts';
import type { WrittenHistory } from '../history/file.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { readBaseline } from '../reports/changes.ts';
import { commandFor } from '../reports/next-command.ts';
import { publish } from '../reports/publish.ts';
import { readRunFile, unusableFile } from '../reports/read-report.ts';
import { claimReportDir } from '../reports/report-dir.ts';
import type { RunFile, RunResult } from '../reports/run-result.ts';
import { removeReports } from '../reports/written-files.ts';
import { judgeAgain } from '../run/again.ts';
import { SettingsError, unlessThrown } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import { select } from '../settings/selection.ts';
import { pickSettings, refuseIdleFlags, type Settings } from '../settings/settings.ts';
import { settingsTable } from '../settings/table.ts';
import { listedFailures } from '../verdict/listed-failures.ts';
import { readFlags } from './flags.ts';
import { commandHere } from './made-by.ts';
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
  const environment = { ...process.env, ...values };
  refuseIdleFlags(values, environment, process.cwd());
  const settings = pickSettings(EFFECTIVE, environment, process.cwd());
  const result = judgeFile(file, {
    settings,
    knownFailures: await listedFailures(settings),
    baseline: await readBaseline(settings, requirements),
  });
  claimReportDir(settings.reportDir);
  const { report, run } = result;
  if (detail !== 'verdict') {
    const target = `${report.target.name}, ${report.target.baseUrl}`;
    const facts = { target, run: `of ${report.start}, by version ${run.suite.version}` };
    const notice = describeOtherSet(run);
    printHead(facts, notice === undefined ? [] : [notice]);
  }
  const { reportDir } = settings;
  const unremoved = removeReports(reportDir, true);
  const command = { ...commandFor(report, reportDir), program: commandHere() };
  return publish(await withGuides(result), { reportDir, unremoved, detail, command });
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
  const sentAll = run.leftOut.length === 0 && { sentAll: true as const };
  const judgement = unlessThrown(() => {
    const judged = judgeAgain(historyOf(run), wanted, requirements);
    const evidence = {
      record: judged.record as ShownExchange[],
      outcomes: new Map(judged.outcomes.map((outcome) => [outcome.slug, outcome])),
    };
    return { judged, result: makeResult({ ...run, ...sentAll, suite, leftOut }, evidence, terms) };
  });
  const unusable = "has a record that this version of the suite can't check";
  if (!judgement) throw unusableFile(path, unusable);
  const { judged, result } = judgement;
  const fault = judged.faults[0] ?? schemaError('report', result.report, 'its report');
  if (fault) throw unusableFile(path, `${unusable}: ${fault}`);
  return { ...result, run };
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
