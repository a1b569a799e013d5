import {
  accessSync,
  closeSync,
  constants,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  codeOf,
  makeFolder,
  orThrow,
  readUpTo,
  SettingsError,
  unlessThrown,
} from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';

/** Creates the report directory. Throws a SettingsError if reports can't be written to it. */
export function makeReportDir(
  directory: string,
  advice = `set ${nameOf('CONFORMANCE_REPORT_DIR')}`,
): void {
  const create = () => {
    makeFolder(directory);
    accessSync(directory, constants.W_OK);
  };
  orThrow(
    create,
    (error) =>
      new SettingsError(`Reports can't be written to ${directory} (${codeOf(error)}): ${advice}.`),
  );
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
    return codeOf(error) === 'EPERM';
  }
}

/** The reports of a run; `allure-results` is a folder. */
const REPORTS = [
  'created-users.json',
  'report.html',
  'conformance.json',
  'exchanges.har',
  'badge.json',
  'summary.md',
  'junit.xml',
  'run.json.gz',
  'allure-results',
];

/**
 * Removes the reports of an earlier run, so that nobody mistakes them for those of this run. Keeps
 * the log of a service that is already started. Returns a sentence for each report that can't be
 * removed.
 */
export function removeReports(directory: string, isStarted: boolean): string[] {
  const names = isStarted ? REPORTS : [...REPORTS, 'service.log'];
  return names.flatMap((name) => {
    const options = { recursive: name === 'allure-results', force: true };
    return attempt(name, () => rmSync(join(directory, name), options), 'removed');
  });
}

/** The content of a file, as a whole or in pieces. */
export type FileContent = string | Buffer | Iterable<string>;

/**
 * Writes a file under a temporary name and renames it: a reader never sees half of it, and a
 * symbolic link is replaced, not followed. Throws the error of the system.
 */
export function replaceFile(path: string, content: FileContent): void {
  const temporary = `${path}.${process.pid}.part`;
  try {
    makeFolder(dirname(path));
    rmSync(temporary, { force: true });
    const pieces = typeof content === 'string' || Buffer.isBuffer(content) ? [content] : content;
    const file = openSync(temporary, 'wx');
    try {
      for (const piece of pieces) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Carries out an action on a report. Returns a sentence if it fails; empty if it succeeds. */
export function attempt(report: string, act: () => void, done = 'written'): string[] {
  try {
    act();
    return [];
  } catch (error) {
    return [`${report} could not be ${done} (${codeOf(error)})`];
  }
}
