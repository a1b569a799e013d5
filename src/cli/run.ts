import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { requirements } from '../../specs/index.ts';
import { type RunInput, requireTime } from '../api/run.ts';
import { readBaseline } from '../reports/changes.ts';
import type { Report } from '../reports/report.ts';
import { claimReportDir } from '../reports/report-dir.ts';
import { failedSlugs } from '../reports/selection.ts';
import type { StartedService } from '../run/away.ts';
import { SettingsError, unlessThrown } from '../settings/errors.ts';
import { select } from '../settings/selection.ts';
import { pickSettings, readSettings, type Settings } from '../settings/settings.ts';
import { isCi } from '../settings/variables.ts';
import { onInterrupt } from '../start/signals.ts';
import { unexplainedText } from '../verdict/accept.ts';
import { listedFailures } from '../verdict/listed-failures.ts';
import { EXIT } from '../verdict/verdict.ts';
import { fileStates } from './file-states.ts';
import type { Flags } from './flags.ts';
import { makeRerunCommand } from './made-by.ts';
import { printNotices, type RunOnceOptions, runOnce } from './one-run.ts';
import type { Updater } from './update-known-failures.ts';

/**
 * Makes one run, several with `--repeat`, or one at each request of the user with `--watch`. Reads
 * the settings from an environment and from `.env` in this directory. A service that the run starts
 * gets the environment of the process. Only a clone outside CI judges the embedded reference service
 * by default. Returns the exit code of the last run, with `--repeat` that of the worst. Rejects with
 * a SettingsError.
 */
export async function run(
  environment: NodeJS.ProcessEnv,
  flags: Flags,
  isClone: boolean,
): Promise<number> {
  const { names, watchPath, detail } = flags;
  // A misspelt slug is reported first, before the user is asked for a target.
  const { selection } = pickSettings(['only', 'skip'], environment, process.cwd());
  select(requirements, selection);
  const given = readSettings(environment, process.cwd(), {
    needsTarget: !isClone || isCi(environment),
  });
  const before = names.has('last-failed') ? await lastReport(given.reportDir) : undefined;
  const settings = before ? { ...given, ...rerunOf(before) } : given;
  const { reportDir, start, reuse } = settings;
  if (watchPath !== undefined && !unlessThrown(() => statSync(watchPath))?.isDirectory())
    throw new SettingsError(`--watch-path is "${watchPath}": there is no such directory.`);
  requireTime(settings);
  // So far an interrupt ends the process, because there is nothing to clean up.
  onInterrupt(() => process.exit(EXIT.inconclusive), { exitCode: EXIT.inconclusive });
  claimReportDir(reportDir);
  const updater = names.has('update-known-failures') ? await loadUpdater(settings) : undefined;
  const knownFailures = updater?.knownFailures ?? (await listedFailures(settings));
  const unexplained = updater ? undefined : unexplainedText(knownFailures);
  if (unexplained !== undefined) settings.notices.push(unexplained);
  const baseline = await readBaseline(settings, requirements);
  // Printed before the service starts, because a checkout may have chosen its command.
  printNotices(settings.notices.splice(0), detail);
  const isWatching = names.has('watch');
  const stopsService = start !== undefined && !reuse && !isWatching;
  const command = { ...makeRerunCommand(flags.values, process.env), stopsService };
  const options: RunOnceOptions = { detail, command, before, update: updater?.update };
  const root = resolve(watchPath ?? '.');
  // Read before the service starts: a file may be edited while it starts.
  const started = isWatching ? fileStates(root, reportDir) : new Map<string, string>();
  const makeRuns = async (input: RunInput): Promise<number> => {
    if (isWatching) return (await import('./watch.ts')).watch(input, options, { root, started });
    if (flags.repeat === undefined) return (await runOnce(input, options)).exitCode;
    return (await import('./repeat.ts')).repeatRun(input, flags.repeat, options);
  };
  const judge = async (service?: StartedService): Promise<number> => {
    const { target } = settings;
    const input = { settings, knownFailures, baseline, service };
    if (target) return makeRuns({ ...input, target });
    const { startReference } = await import('../../reference/service.ts');
    const embedded = await startReference();
    return makeRuns({ ...input, target: embedded, isEmbedded: true }).finally(embedded.close);
  };
  const exitCode = start
    ? await (await import('../start/with-service.ts')).withService(settings, process.env, judge)
    : await judge();
  if (names.has('open')) {
    const { open } = await import('./open.ts');
    await open(join(reportDir, 'report.html'));
  }
  return exitCode;
}

/** Checks that the file of known failures can be updated. Rejects with a SettingsError. */
async function loadUpdater({
  knownFailures: file,
  target,
}: Settings): Promise<Updater | undefined> {
  // Loaded only here: the parsers take longer than all settings.
  const { makeUpdater } = await import('./update-known-failures.ts');
  return file && makeUpdater(file.path, file.name, target?.apiKey);
}

/**
 * Returns the settings of a run that shows whether failures are gone. It sends all requests: a fault
 * may need those of other requirements, such as the users that they create.
 */
export const rerunOf = (report: Report): Pick<Settings, 'selection' | 'allRequests'> => ({
  selection: { only: failedSlugs(report), skip: [] },
  allRequests: true,
});

/** Returns the report of the last run. Rejects with a SettingsError if nothing failed in it. */
async function lastReport(reportDir: string): Promise<Report> {
  // Loaded only here: other runs read no report of their own.
  const { readReport } = await import('../reports/read-report.ts');
  const report = readReport(reportDir, requirements);
  if (failedSlugs(report).length > 0) return report;
  throw new SettingsError('Nothing failed in the last run: omit --last-failed.');
}
