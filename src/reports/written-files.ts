import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { SettingsError, unlessThrown } from '../settings/errors.ts';
import { attempt, type FileContent, readUpTo, replaceFile } from '../settings/files.ts';
import { nameOf } from '../settings/names.ts';

/** The files of a run in the report directory. Those for Allure are in a folder. */
const REPORTS = [
  'created-users.json',
  'report.html',
  'conformance.json',
  'exchanges.har',
  'badge.json',
  'summary.md',
  'junit.xml',
  'run.json.gz',
  'service.log',
];

/** The folder of the files for Allure. */
export const ALLURE = 'allure-results';

/** The names that a list may have: a checkout may contain a list of somebody else. */
const NAME = new RegExp(`^(${ALLURE}/[\\w.-]+|(${REPORTS.join('|')}|comparison\\.(md|json)))$`);

/**
 * The list of the files that the suite has written into a directory, one a line as `sha256sum` has
 * them. No other file is ever replaced or removed.
 */
const LIST = '.conformance-files';

/** The hash of a file that is still being written. */
const UNKNOWN = '-';

/** Returns the hashes of the listed files by name. */
function readList(directory: string): Map<string, string> {
  const text = unlessThrown(() => readUpTo(join(directory, LIST), 2 ** 20, Error).toString()) ?? '';
  const lines = text.split('\n').map((line) => /^(\S+) {2}(.+)$/.exec(line) ?? []);
  const entries = lines.map(([, hash = UNKNOWN, name = '']) => [name, hash] as const);
  return new Map(entries.filter(([name]) => NAME.test(name)));
}

function writeList(directory: string, list: ReadonlyMap<string, string>): void {
  const path = join(directory, LIST);
  if (list.size === 0) rmSync(path, { force: true });
  else
    replaceFile(
      path,
      [...list].map(([name, hash]) => `${hash}  ${name}\n`),
    );
}

/** Returns the hash of a file; undefined if it can't be read. */
const hashOf = (path: string): string | undefined =>
  unlessThrown(() => createHash('sha256').update(readFileSync(path)).digest('hex'));

/** Lists files that the suite is about to write. Throws the error of the system. */
export function listFiles(directory: string, names: readonly string[]): void {
  const list = readList(directory);
  for (const name of names) list.set(name, UNKNOWN);
  writeList(directory, list);
}

/** The content of a file, or a function that makes it. */
export type Content = FileContent | (() => FileContent);

/**
 * Writes files where there are none, each completely or not at all, and lists them. Returns a
 * sentence for each that could not be written; those for Allure have one together.
 */
export function writeFiles(
  directory: string,
  contents: Readonly<Record<string, Content>>,
): string[] {
  const isTaken = (name: string) => unlessThrown(() => lstatSync(join(directory, name)));
  const free = Object.keys(contents).filter((name) => !isTaken(name));
  const sentences = attempt('The list of reports', () => listFiles(directory, free));
  const list = readList(directory);
  for (const [name, content] of Object.entries(contents)) {
    const path = join(directory, name);
    const write = () => {
      if (!free.includes(name)) throw new Error('it exists already');
      replaceFile(path, typeof content === 'function' ? content() : content);
      list.set(name, hashOf(path) ?? UNKNOWN);
    };
    sentences.push(...attempt(name.split('/')[0] ?? '', write));
  }
  sentences.push(...attempt('The list of reports', () => writeList(directory, list)));
  return [...new Set(sentences)];
}

/** Whether a file, a folder or a link is in the place of a report and is not one of the suite. */
function isForeign(directory: string, name: string, hash: string | undefined): boolean {
  const path = join(directory, name);
  const entry = unlessThrown(() => lstatSync(path));
  if (entry === undefined) return false;
  if (name === ALLURE) return !entry.isDirectory();
  return !entry.isFile() || hash === undefined || (hash !== UNKNOWN && hash !== hashOf(path));
}

/** Throws a SettingsError if a file would be replaced that the suite has not written. */
export function refuseForeignReports(directory: string, names = [...REPORTS, ALLURE]): void {
  const list = readList(directory);
  const foreign = names.find((name) => isForeign(directory, name, list.get(name)));
  if (foreign === undefined) return;
  const path = relative('', join(directory, foreign));
  const name = nameOf('CONFORMANCE_REPORT_DIR');
  throw new SettingsError(
    `${path} is not from a run of this suite, or was changed since: move it, or name another directory with ${name}.`,
  );
}

/**
 * Removes the reports of earlier runs, so that nobody mistakes them for those of this run. Keeps the
 * log of a service that is already started. Returns a sentence for each report that can't be
 * removed.
 */
export function removeReports(directory: string, isStarted: boolean): string[] {
  const list = readList(directory);
  const hasAllure = !isForeign(directory, ALLURE, undefined);
  const names = [...list.keys()].filter((name) => {
    const isReport = name.startsWith(ALLURE) ? hasAllure : REPORTS.includes(name);
    if (!isReport || (isStarted && name === 'service.log')) return false;
    return !isForeign(directory, name, list.get(name));
  });
  const unremoved = names.flatMap((name) => {
    const remove = () => {
      rmSync(join(directory, name), { force: true });
      list.delete(name);
    };
    return attempt(name, remove, 'removed');
  });
  if (names.some((name) => name.startsWith(ALLURE)))
    unlessThrown(() => rmdirSync(join(directory, ALLURE)));
  if (names.length > 0) unlessThrown(() => writeList(directory, list));
  return unremoved;
}
