import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { requirements } from '../../specs/index.ts';
import { type RunInput, requireTime } from '../api/run.ts';
import { readBaseline } from '../reports/changes.ts';
import { claimReportDir } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import { failedSlugs } from '../reports/selection.ts';
import type { StartedService } from '../run/away.ts';
import { SettingsError } from '../settings/errors.ts';
import { select } from '../settings/selection.ts';
import { pickSettings, readSettings, type Settings } from '../settings/settings.ts';
import { isCi } from '../settings/variables.ts';
import { onInterrupt } from '../start/signals.ts';
import { EXIT, type ListedFailure, listedFailures, unexplainedText } from '../verdict/verdict.ts';
import type { Flags } from './flags.ts';
import { makeRerunCommand } from './made-by.ts';
import { printNotices, type RunOnceOptions, runOnce } from './one-run.ts';
import type { FileToUpdate, Update } from './update-known-failures.ts';
import type { WatchOptions } from './watch.ts';

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
  const settings = readSettings(environment, process.cwd(), {
    needsTarget: !isClone || isCi(environment),
  });
  if (watchPath !== undefined && !statSync(watchPath, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SettingsError(`--watch-path is "${watchPath}": there is no such directory.`);
  }
  if (names.has('last-failed')) settings.selection.only = await lastFailed(settings.reportDir);
  requireTime(settings);
  // So far an interrupt ends the process, because there is nothing to clean up.
  onInterrupt(() => process.exit(EXIT.inconclusive), { exitCode: EXIT.inconclusive });
  claimReportDir(settings.reportDir);
  const file = names.has('update-known-failures') ? settings.knownFailures : undefined;
  const updater = file && (await makeUpdater({ ...file, key: settings.target?.apiKey }));
  const knownFailures = updater?.knownFailures ?? (await listedFailures(settings));
  const unexplained = updater ? undefined : unexplainedText(knownFailures);
  if (unexplained !== undefined) settings.notices.push(unexplained);
  const baseline = await readBaseline(settings, requirements);
  // Printed before the service starts, because a checkout may have chosen its command.
  printNotices(settings.notices.splice(0), detail);
  const output: Output = {
    detail,
    command: {
      ...makeRerunCommand(flags.values, process.env),
      stopsService: settings.start !== undefined && !settings.reuse && !names.has('watch'),
    },
    update: updater?.update,
    repeat: flags.repeat,
    // Read before the service starts: a file may be edited while it starts.
    watching: names.has('watch')
      ? await watchOptions(resolve(watchPath ?? '.'), settings.reportDir)
      : undefined,
  };
  const judge = (service?: StartedService) =>
    judgeTarget({ settings, knownFailures, baseline, service }, output);
  const exitCode = await judgeStarted(settings, judge);
  if (names.has('open')) {
    const { open } = await import('./watch.ts');
    await open(join(settings.reportDir, 'report.html'));
  }
  return exitCode;
}

/** Starts the service if the settings have a command for it, and judges it. */
async function judgeStarted(
  settings: Settings,
  judge: (service?: StartedService) => Promise<number>,
): Promise<number> {
  if (!settings.start) return judge();
  const { withService } = await import('../start/with-service.ts');
  return withService(settings, process.env, judge);
}

/** Options of runs and their output. */
interface Output extends Pick<RunOnceOptions, 'detail' | 'command' | 'update'> {
  /** The number of runs, with `--repeat`. */
  repeat: number | undefined;
  /** Present with `--watch`. */
  watching: WatchOptions | undefined;
}

/** Judges the target of the settings, otherwise the embedded reference service. */
async function judgeTarget(
  input: Omit<RunInput, 'target' | 'isEmbedded'> & { settings: Settings },
  output: Output,
): Promise<number> {
  const { target } = input.settings;
  if (target) return makeRuns({ ...input, target }, output);
  const { startReference } = await import('../../reference/service.ts');
  const embedded = await startReference();
  try {
    return await makeRuns({ ...input, target: embedded, isEmbedded: true }, output);
  } finally {
    await embedded.close();
  }
}

async function makeRuns(
  input: RunInput,
  { detail, command, update, repeat, watching }: Output,
): Promise<number> {
  if (repeat !== undefined) {
    const { repeatRun } = await import('./repeat.ts');
    return repeatRun(input, repeat, { detail, command });
  }
  if (watching === undefined) {
    const { exitCode } = await runOnce(input, { detail, command, update });
    return exitCode;
  }
  const { watch } = await import('./watch.ts');
  return watch(
    input,
    (nextInput, before) => runOnce(nextInput, { detail, command, before }),
    watching,
  );
}

/** The entries of a file of known failures, and the function that updates it after a run. */
interface Updater {
  knownFailures: ListedFailure[];
  update: (result: RunResult, isInterrupted: boolean) => Update;
}

/** Checks that a file of known failures can be updated. Rejects with a SettingsError. */
async function makeUpdater(file: FileToUpdate): Promise<Updater> {
  // Loaded only here: the parsers take longer than all settings.
  const { readForUpdate, updateKnownFailures } = await import('./update-known-failures.ts');
  return {
    knownFailures: readForUpdate(file),
    update: (result, isInterrupted) => updateKnownFailures(file, result, isInterrupted),
  };
}

/** Reads the states of the files to watch. */
async function watchOptions(root: string, reportDir: string): Promise<WatchOptions> {
  const { fileStates } = await import('./watch.ts');
  return { root, started: fileStates(root, reportDir) };
}

/** Returns the slugs that failed in the last run. Rejects with a SettingsError if there are none. */
async function lastFailed(reportDir: string): Promise<string[]> {
  // Loaded only here: other runs read no report of their own.
  const { readReport } = await import('../reports/read-report.ts');
  const failed = failedSlugs(readReport(reportDir, requirements));
  if (failed.length > 0) return failed;
  throw new SettingsError('Nothing failed in the last run: omit --last-failed.');
}
