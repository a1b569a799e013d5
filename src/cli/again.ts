import { schemaError } from '../../schemas/validate.ts';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { accepting, resultOf, type Terms } from '../api/run.ts';
import { judgeAgain } from '../conduct/again.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { readBaseline } from '../reports/changes.ts';
import { publish } from '../reports/publish.ts';
import { readRunFile, unusableFile } from '../reports/read-report.ts';
import { claimReportDir, removeReports } from '../reports/report-dir.ts';
import type { RunFile, RunResult } from '../reports/run-result.ts';
import { unlessThrown } from '../settings/files.ts';
import { select } from '../settings/selection.ts';
import { readSome, refuseIdleFlags, type Settings } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { settingsTable } from '../settings/table.ts';
import { listedFailures } from '../verdict/verdict.ts';
import { flagRows, readFlags } from './flags.ts';
import { printHead } from './head.ts';

/** The settings that have an effect on a run that was made. */
const TAKEN = ['only', 'skip', 'strict', 'knownFailures', 'baseline', 'failOn', 'reportDir'] as const;

const FLAGS = ['verbose', 'quiet', ...TAKEN.map((name) => settingsTable[name].flag ?? '')];

const HINT = `again takes a run.json.gz and ${FLAGS.map((flag) => `--${flag}`).join(', ')}.`;

/**
 * Judges a run again by the file that it has left, by whoever it was written. Sends nothing and needs no key. Returns the exit
 * code of the run. Throws a SettingsError.
 */
export async function again([file = '', ...args]: string[]): Promise<number> {
  if (file === '' || file.startsWith('-')) throw new SettingsError(HINT);
  const { on, values, detail } = readFlags(args);
  const given = [...on, ...flagRows.filter(({ variable }) => values[variable] !== undefined).map(({ flag }) => flag)];
  const idle = given.find((flag) => !FLAGS.includes(flag));
  if (idle !== undefined) throw new SettingsError(`--${idle} has no effect with again. ${HINT}`);
  const environment = { ...process.env, ...values };
  refuseIdleFlags(values, environment, process.cwd());
  const settings = readSome(TAKEN, environment, process.cwd());
  const baseline = await readBaseline(settings, requirements);
  const result = judgeFile(file, { settings, knownFailures: await listedFailures(settings), baseline });
  claimReportDir(settings.reportDir);
  if (detail !== 'verdict') {
    const { target, start } = result.report;
    const { version } = result.run?.suite ?? suite;
    const facts = { target: `${target.name}, ${target.baseUrl}`, run: `of ${start}, by version ${version}` };
    printHead(facts, [(result.run && otherSet(result.run)) ?? []].flat());
  }
  const unremoved = removeReports(settings.reportDir, true);
  return publish(result, { settings, unremoved, detail });
}

/**
 * Judges a run again by the file that it has left, whoever wrote it: what comes of it must be what comes of a run, or the file
 * is none. Sends nothing. Throws a SettingsError.
 */
export function judgeFile(path: string, terms: Terms & { settings: Pick<Settings, 'selection'> }): RunResult {
  const run = readRunFile(path);
  const selected = select(requirements, terms.settings.selection);
  const wanted = requirements.filter(({ slug }) => selected.has(slug) && !run.leftOut.includes(slug));
  const leftOut = requirements.flatMap((one) => (wanted.includes(one) ? [] : [one.slug]));
  if (wanted.length === 0) throw new SettingsError('That run left out everything that --only and --skip select.');
  const found = unlessThrown(() => {
    const judged = judgeAgain(run, wanted, otherSet(run) ?? 'the run ended before it');
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
    schemaError('report.schema.json', result.report, 'its report') ??
    judged.record.flatMap((one) => schemaError('report.schema.json#/$defs/exchange', one, 'an exchange') ?? [])[0];
  if (fault) throw unusableFile(path, `${unusable}: ${fault}`);
  return { ...result, run };
}

/** Says that the run was made by another set of requirements; nothing where it was not. */
function otherSet({ suite: { requirementSet } }: RunFile): string | undefined {
  const sets = `the run was made with requirement set ${requirementSet}, and this version of the suite has ${suite.requirementSet}`;
  const order = requirementSet.localeCompare(suite.requirementSet, 'en', { numeric: true });
  if (order === 0) return undefined;
  return order < 0
    ? `${sets}: what is new and was not sent is not verified`
    : `${sets}: a newer version of the suite judges all of it`;
}
