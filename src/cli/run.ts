import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { requirements } from '../../specs/index.ts';
import { requireTime } from '../api/run.ts';
import { readBaseline } from '../reports/changes.ts';
import { claimReportDir } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import { failedSlugs } from '../reports/selection.ts';
import type { StartedService } from '../run/away.ts';
import { SettingsError } from '../settings/errors.ts';
import { select } from '../settings/selection.ts';
import { pickSettings, readSettings } from '../settings/settings.ts';
import { isCi } from '../settings/variables.ts';
import { onInterrupt } from '../start/signals.ts';
import { EXIT, listedFailures, unexplainedText } from '../verdict/verdict.ts';
import type { Flags } from './flags.ts';
import { makeRerunCommand } from './made-by.ts';
import { printNotices, runOnce } from './one-run.ts';
import type { FileToUpdate } from './update-known-failures.ts';
import type { WatchOptions } from './watch.ts';

/**
 * Makes one run, with `--repeat` several, or with `--watch` one each time the user asks for it.
 * Reads the settings from an environment and from `.env` in this directory; a service that the run
 * starts gets the environment of the process. Without a target only a clone outside a CI judges the
 * embedded reference service. Returns the exit code of the last run, with `--repeat` that of the
 * worst. Rejects with a SettingsError.
 */
export async function run(
  environment: NodeJS.ProcessEnv,
  flags: Flags,
  isClone: boolean,
): Promise<number> {
  const { names, watchPath, detail, repeat } = flags;
  // First of all: a misspelt slug is reported before anything is asked of the user.
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
  // What is under way by now leaves nothing.
  onInterrupt(() => process.exit(EXIT.inconclusive), { exitCode: EXIT.inconclusive });
  claimReportDir(settings.reportDir);
  const file = names.has('update-known-failures') ? settings.knownFailures : undefined;
  const updater = file && (await updaterOf({ ...file, key: settings.target?.apiKey }));
  const knownFailures = updater?.knownFailures ?? (await listedFailures(settings));
  const unexplained = updater ? undefined : unexplainedText(knownFailures);
  if (unexplained !== undefined) settings.notices.push(unexplained);
  const baseline = await readBaseline(settings, requirements);
  const command = makeRerunCommand(flags.values, process.env);
  // A checkout may have chosen the command that starts the service.
  printNotices(settings.notices.splice(0), detail);
  // Before the service is started: it may have read a file that is edited while it starts.
  const watching = names.has('watch')
    ? await watchOptions(resolve(watchPath ?? '.'), settings.reportDir)
    : undefined;
  const judge = async (service?: StartedService) => {
    const embedded = settings.target
      ? undefined
      : await (await import('../../reference/service.ts')).startReference();
    const target = settings.target ?? (embedded as NonNullable<typeof embedded>);
    const input = {
      target,
      isEmbedded: embedded !== undefined,
      settings,
      knownFailures,
      baseline,
      service,
    };
    try {
      if (repeat !== undefined)
        return await (await import('./repeat.ts')).repeatRun(input, repeat, {
          detail,
          command,
        });
      if (watching === undefined)
        return (await runOnce(input, { detail, command, update: updater?.update })).exitCode;
      const { watch } = await import('./watch.ts');
      return await watch(
        input,
        (again, before) => runOnce(again, { detail, command, before }),
        watching,
      );
    } finally {
      await embedded?.close();
    }
  };
  const exitCode = settings.start
    ? await (await import('../start/with-service.ts')).withService(settings, process.env, judge)
    : await judge();
  if (names.has('open'))
    await (await import('./watch.ts')).open(join(settings.reportDir, 'report.html'));
  return exitCode;
}

/** Checks that a file of known failures can be updated. Returns its entries, and the update. */
async function updaterOf(file: FileToUpdate) {
  // Loaded only here: parsers take longer than all settings.
  const { readForUpdate, updateKnownFailures } = await import('./update-known-failures.ts');
  return {
    knownFailures: readForUpdate(file),
    update: (result: RunResult, isInterrupted: boolean) =>
      updateKnownFailures(file, result, isInterrupted),
  };
}

/** Reads the states of the files to watch. */
async function watchOptions(root: string, reportDir: string): Promise<WatchOptions> {
  const { fileStates } = await import('./watch.ts');
  return { root, started: fileStates(root, reportDir) };
}

/** What failed by the report of the last run. Rejects with a SettingsError where there is nothing. */
async function lastFailed(reportDir: string): Promise<string[]> {
  // Loaded only here: other runs read no report of their own.
  const { readReport } = await import('../reports/read-report.ts');
  const failed = failedSlugs(readReport(reportDir, requirements));
  if (failed.length > 0) return failed;
  throw new SettingsError('Nothing failed in the last run: omit --last-failed.');
}
