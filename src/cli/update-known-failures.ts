import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { cutMiddle } from '../http/value.ts';
import type { Report } from '../reports/report.ts';
import { replaceFile } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import { sanitizeLine } from '../reports/text.ts';
import { codeOf, orThrow, SettingsError, unlessThrown } from '../settings/errors.ts';
import { withNames } from '../settings/names.ts';
import { holdsKey } from '../settings/target.ts';
import { editKnownFailures, hasAlias, type NewEntry } from '../verdict/edit-known-failures.ts';
import { parseKnownFailures, readKnownFailuresText } from '../verdict/known-failures.ts';
import {
  effectOf,
  entriesToChange,
  type ListedFailure,
  NO_REASON,
  unexplainedText,
} from '../verdict/verdict.ts';

/** A file of known failures that a run updates. */
export interface FileToUpdate {
  path: string;
  /** The path as the user gave it. */
  name: string;
  /** The key of the run, which must not get into the file. */
  key: string | undefined;
}

/** An update of the file. */
export interface Update {
  /** The entries of the updated file; absent if it was not updated. */
  knownFailures?: ListedFailure[];
  /** Lines to print after the run. */
  lines: string[];
}

/**
 * Checks, before a run, that a file can be updated after it. Returns its entries, none if it does
 * not exist yet. Throws a SettingsError.
 */
export function readForUpdate(file: FileToUpdate): ListedFailure[] {
  const { name } = file;
  const text = readText(file);
  const listed = parse(text, file);
  if (hasAlias(text))
    throw new SettingsError(
      `${name} has aliases (*), so that an entry may need another one: replace them by their values.`,
    );
  orThrow(
    () => tryToWrite(resolveLinks(file)),
    (error) =>
      new SettingsError(
        `${name} can't be written (${codeOf(error)}): name another file with --update-known-failures.`,
      ),
  );
  return listed;
}

/**
 * Updates the file after a run: adds an entry for each requirement that fails the run, and removes
 * entries whose requirement passes or does not exist. Does not change it if the run was interrupted
 * or could not judge the service. Never throws.
 */
export function updateKnownFailures(
  file: FileToUpdate,
  { report, faults }: RunResult,
  isInterrupted: boolean,
): Update {
  const name = sanitizeLine(file.name);
  const obstacle = findObstacle(report, faults, isInterrupted);
  if (obstacle !== undefined) return { lines: [`${name}: unchanged, because ${obstacle}`] };
  try {
    // The user may have edited the file during the run.
    const text = readText(file);
    const listed = parse(text, file);
    const judged = report.requirements.map(({ id, outcome }) => ({ slug: id, outcome }));
    const removed = entriesToChange(listed, judged).filter((entry) => entry.why !== 'expired');
    const added = newEntries(report, listed, file.key);
    const isJson = file.path.toLowerCase().endsWith('.json');
    const edit = { removed: new Set(removed.map(({ slug }) => slug)), added };
    const edited = editKnownFailures(text, edit, isJson ? 'json' : 'yaml');
    const knownFailures = parse(edited, file);
    if (knownFailures.length !== listed.length - removed.length + added.length)
      throw new Error('its entries cannot be distinguished');
    // An empty file would be no list.
    const content = edited === '' ? '[]\n' : edited;
    if (edited !== text || !existsSync(file.path)) replaceFile(resolveLinks(file), content);
    const kept = listed.length - removed.length;
    const lines = [
      `${name}: ${added.length} added, ${removed.length} removed, ${kept} kept`,
      ...added.map(({ slug }) => `  added    ${slug}`),
      // Without the advice to remove the entry.
      ...removed.map(
        ({ message }) =>
          `  removed  ${sanitizeLine(message.replace(/: remove this entry.*/s, ''))}`,
      ),
    ];
    const unexplained = unexplainedText(knownFailures);
    if (unexplained !== undefined) lines.push(sanitizeLine(unexplained));
    return { knownFailures, lines };
  } catch (error) {
    return { lines: [sanitizeLine(`${name}: not updated: ${codeOf(error)}`)] };
  }
}

/** Returns the reason not to change the file, a clause. */
function findObstacle(
  { obstacle, requirements }: Report,
  faults: readonly string[],
  isInterrupted: boolean,
): string | undefined {
  if (isInterrupted) return 'the run was interrupted';
  if (faults.length > 0) return 'the suite itself failed';
  const isJudged = requirements.some(({ outcome }) =>
    ['passed', 'failed', 'known-failure'].includes(outcome),
  );
  return obstacle === undefined && isJudged ? undefined : 'the service could not be judged';
}

function newEntries(
  { requirements, scope }: Report,
  listed: readonly ListedFailure[],
  key: string | undefined,
): NewEntry[] {
  const slugs = new Set(listed.map(({ slug }) => slug));
  const failing = requirements.filter(
    (requirement) => effectOf(requirement, scope.strict) === 'fails' && !slugs.has(requirement.id),
  );
  return failing.map(({ id, reason }) => {
    const seen = cutMiddle(sanitizeLine(reason), 160);
    // Reports hide the key already. If it were in the file, the next run would reject it.
    return { slug: id, reason: NO_REASON, seen: holdsKey(seen, key) ? '' : seen };
  });
}

/** Returns the text of the file, empty if there is none. Throws a SettingsError. */
function readText({ path, name }: FileToUpdate): string {
  if (!existsSync(path)) return '';
  return withNames(
    () => '--update-known-failures',
    () => readKnownFailuresText(path, name),
  );
}

const parse = (text: string, { name, key }: FileToUpdate): ListedFailure[] =>
  parseKnownFailures(text, name, new Date(), key);

/** Returns the path without symbolic links. */
function resolveLinks({ path }: FileToUpdate): string {
  return unlessThrown(() => realpathSync(path)) ?? path;
}

/** Checks that a file can be replaced by a new one in its folder. Throws the system's error. */
function tryToWrite(path: string): void {
  if (existsSync(path)) accessSync(path, constants.W_OK);
  const newFile = `${path}.${process.pid}.part`;
  closeSync(openSync(newFile, 'w'));
  rmSync(newFile);
}
