import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { judgeFile, otherSet } from '../api/again.ts';
import { readBaseline } from '../reports/changes.ts';
import { publish } from '../reports/publish.ts';
import { claimReportDir, removeReports } from '../reports/report-dir.ts';
import { readSome, refuseIdleFlags } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { settingsTable } from '../settings/table.ts';
import { listedFailures } from '../verdict/listed-failures.ts';
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
