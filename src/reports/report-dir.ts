import { accessSync, constants, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, makeFolder, readUpTo } from '../settings/files.ts';
import { SettingsError } from '../settings/settings-error.ts';

/** Creates the report directory. Throws a SettingsError where reports can't be written. */
export function makeReportDir(directory: string, advice = 'set CONFORMANCE_REPORT_DIR'): void {
  try {
    makeFolder(directory);
    accessSync(directory, constants.W_OK);
  } catch (error) {
    throw new SettingsError(`Reports can't be written to ${directory} (${codeOf(error)}): ${advice}.`);
  }
}

/**
 * Keeps the report directory for the runs of this process until it ends: two runs at once would mix their reports. Throws a
 * SettingsError where another process that still runs has it. Where no file can be made, reports say so later.
 */
export function claimReportDir(reportDir: string): void {
  const path = join(reportDir, '.in-use');
  const claim = () => writeFileSync(path, `${process.pid}`, { flag: 'wx' });
  const release = () => {
    try {
      rmSync(path, { force: true });
    } catch {
      // Who owns nothing there any more takes nobody's place.
    }
  };
  try {
    claim();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') {
      release();
      return;
    }
    const owner = ownerOf(path);
    if (isRunning(owner)) {
      throw new SettingsError(
        `The report directory is in use by another run (process ${owner}): wait for it, or name another with --report-dir.`,
      );
    }
    release();
    claim();
  }
  process.once('exit', release);
}

/** The process that has claimed a directory; NaN where nobody knows. */
function ownerOf(path: string): number {
  try {
    return Number(readUpTo(path, 20).toString());
  } catch {
    return Number.NaN;
  }
}

function isRunning(id: number): boolean {
  if (!Number.isSafeInteger(id) || id <= 0 || id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
