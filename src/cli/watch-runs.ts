import { join, resolve } from 'node:path';
import type { StartedService } from '../plan/service.ts';
import { failedIn, type Report } from '../reports/report.ts';
import { inertLine } from '../reports/text.ts';
import type { Selection } from '../settings/selection.ts';
import type { Settings } from '../settings/settings.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { ChangedFiles } from './changed-files.ts';
import { open } from './open.ts';
import type { OneRun } from './run.ts';
import { watch } from './watch.ts';

/** What runs are made of, again and again. */
interface Watching {
  settings: Settings;
  watchPath?: string | undefined;
  service?: StartedService | undefined;
}

/**
 * Makes runs until the user has seen enough. A service that was started is started again where files have changed, or where it
 * has ended; one that then does not answer is told, and waited for. Returns the exit code of the last run.
 */
export async function watchRuns(
  first: OneRun,
  { settings, watchPath = '.', service }: Watching,
  run: (selection: Selection, before: Report) => Promise<OneRun>,
): Promise<number> {
  const files = new ChangedFiles(resolve(watchPath), settings.reportDir);
  await files.start();
  return watch(first, {
    files,
    open: () => open(join(settings.reportDir, 'report.html')),
    runAgain: async (last, { failedOnly, isChanged }) => {
      const failed = failedIn(last.report);
      if (failedOnly && failed.length === 0) {
        process.stdout.write('Nothing failed in the last run.\n');
        return last;
      }
      try {
        if (service && (isChanged || service.ended())) await service.restart();
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error;
        process.stderr.write(`${[inertLine(error.message), ...error.below].join('\n')}\n`);
        return last;
      }
      return run(failedOnly ? { only: failed, skip: [] } : settings.selection, last.report);
    },
  }).finally(() => files.close());
}
