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

/** Creates the report directory. Throws a SettingsError where reports can't be written. */
export function makeReportDir(
  directory: string,
  advice = `set ${nameOf('CONFORMANCE_REPORT_DIR')}`,
): void {
  const make = () => {
    makeFolder(directory);
    accessSync(directory, constants.W_OK);
  };
  orThrow(
    make,
    (error) =>
      new SettingsError(`Reports can't be written to ${directory} (${codeOf(error)}): ${advice}.`),
  );
}

/** The claims of this process. */
const claimed = new Set<string>();

/**
 * Creates the report directory and keeps it for one run until the function that it returns is called, or this process
 * ends: two runs at once would mix their reports. Throws a SettingsError where another run has it. Where no file can be
 * made, reports say so later.
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
    claimed.delete(path);
    attempt('.in-use', () => rmSync(path, { force: true }));
  };
  claimed.add(path);
  process.once('exit', release);
  return release;
}

function isRunning(id: number): boolean {
  if (!Number.isSafeInteger(id) || id <= 0) return false;
  if (id === process.pid) return claimed.size > 0;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** What a run leaves; `allure-results` is a folder. */
const NAMES = [
  ...[
    'created-users.json',
    'report.html',
    'conformance.json',
    'exchanges.har',
    'badge.json',
    'summary.md',
  ],
  ...['junit.xml', 'run.json.gz', 'allure-results'],
];

/**
 * Removes the reports of an earlier run: none may be taken for this run's. Not the log of a service that was started
 * before the run. Returns a sentence for each that can't be removed.
 */
export function removeReports(directory: string, isStarted: boolean): string[] {
  return [...NAMES, ...(isStarted ? [] : ['service.log'])].flatMap((name) => {
    const options = { recursive: name === 'allure-results', force: true };
    return attempt(name, () => rmSync(join(directory, name), options), 'removed');
  });
}

/**
 * Writes a file, of one piece or several, beside its place and moves it there: nobody ever finds half of one, and a
 * symbolic link is replaced, not followed. Throws what the system says.
 */
export function replaceFile(path: string, content: string | Buffer | Iterable<string>): void {
  const beside = `${path}.${process.pid}.part`;
  try {
    makeFolder(dirname(path));
    rmSync(beside, { force: true });
    const pieces = typeof content === 'string' || Buffer.isBuffer(content) ? [content] : content;
    const file = openSync(beside, 'wx');
    try {
      for (const piece of pieces) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Does something with a report. Returns a sentence on it where that can't be done; none where it can. */
export function attempt(report: string, act: () => void, done = 'written'): string[] {
  try {
    act();
    return [];
  } catch (error) {
    return [`${report} could not be ${done} (${codeOf(error)})`];
  }
}
