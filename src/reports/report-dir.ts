import { accessSync, constants, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, parse } from 'node:path';
import { orThrow, SettingsError, unlessThrown } from '../settings/errors.ts';
import { attempt, causeOf, makeFolder, readUpTo, replaceFile } from '../settings/files.ts';
import { nameOf } from '../settings/names.ts';
import { refuseForeignReports } from './written-files.ts';

/**
 * Creates the report directory. Throws a SettingsError if reports can't be written to it, or would
 * replace a file that no run has written.
 */
export function makeReportDir(directory: string): void {
  const create = () => {
    makeFolder(directory);
    accessSync(directory, constants.W_OK);
    return realpathSync(directory);
  };
  const advice = `set ${nameOf('CONFORMANCE_REPORT_DIR')}`;
  const path = orThrow(
    create,
    (error) =>
      new SettingsError(`Reports can't be written to ${directory} (${causeOf(error)}): ${advice}.`),
  );
  const shared = [() => parse(path).root, homedir, process.cwd];
  if (shared.some((folder) => unlessThrown(() => realpathSync(folder())) === path))
    throw new SettingsError(
      `Reports need a directory of their own, and ${directory} has other files: ${advice}.`,
    );
  refuseForeignReports(directory);
}

/** The paths of the `.in-use` files of this process. */
const claims = new Set<string>();

/**
 * Creates the report directory and reserves it, so that two runs cannot mix their reports. Returns
 * the function that releases it; the end of the process releases it, too. Throws a SettingsError if
 * another run uses it. If the file `.in-use` can't be written, neither can the reports, and
 * `writeReports` reports that.
 */
export function claimReportDir(reportDir: string): () => void {
  makeReportDir(reportDir);
  const path = join(reportDir, '.in-use');
  const isFree =
    attempt('.in-use', () => writeFileSync(path, `${process.pid}`, { flag: 'wx' })).length === 0;
  const owner = isFree ? 0 : Number(unlessThrown(() => readUpTo(path, 20, Error).toString()));
  if (isRunning(owner)) {
    const advice = 'wait for it, or name another directory';
    throw new SettingsError(
      `The report directory is in use by another run (process ${owner}): ${advice}.`,
    );
  }
  if (!isFree && attempt('.in-use', () => replaceFile(path, `${process.pid}`)).length > 0)
    return () => {};
  const release = () => {
    process.off('exit', release);
    claims.delete(path);
    attempt('.in-use', () => rmSync(path, { force: true }));
  };
  claims.add(path);
  process.once('exit', release);
  return release;
}

function isRunning(id: number): boolean {
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  if (id === process.pid) return claims.size > 0;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
