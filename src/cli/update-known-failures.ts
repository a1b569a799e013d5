import { existsSync, realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Report, ReportedRequirement } from '../reports/report.ts';
import type { RunResult } from '../reports/run-result.ts';
import { hasSentAll } from '../reports/selection.ts';
import { sanitizeLine } from '../reports/text.ts';
import { orThrow, SettingsError, unlessThrown } from '../settings/errors.ts';
import { causeOf, decodeText, replaceFile, tryToReplace } from '../settings/files.ts';
import { holdsKey } from '../settings/target.ts';
import {
  entriesToChange,
  type KnownFailure,
  type ListedFailure,
  NO_REASON,
  unexplainedText,
} from '../verdict/accept.ts';
import { type Edit, editKnownFailures, type NewEntry } from '../verdict/edit-known-failures.ts';
import { hasAlias, parseKnownFailures, readKnownFailuresFile } from '../verdict/known-failures.ts';
import { effectOf } from '../verdict/verdict.ts';

/** An update of a file of known failures. */
export interface Update {
  /** The entries of the updated file; absent if it was not updated. */
  knownFailures?: ListedFailure[];
  /** Lines to print after the run. */
  lines: string[];
}

/** The entries of a file of known failures, and the function that updates it after a run. */
export interface Updater {
  knownFailures: ListedFailure[];
  /**
   * Adds an entry for each requirement that fails the run, and removes entries whose requirement
   * passes or does not exist. Does not change the file if the run was interrupted or could not judge
   * the service. Never throws.
   */
  update: (result: RunResult, isInterrupted: boolean) => Update;
}

/**
 * Checks that a file can be updated after a run; it need not exist yet. `name` is the path as the
 * user gave it. The key must not get into the file. Throws a SettingsError.
 */
export function makeUpdater(path: string, name: string, key: string | undefined): Updater {
  // A link is followed once, and what it leads to is replaced.
  const target = unlessThrown(() => realpathSync(path)) ?? path;
  const read = () => (existsSync(path) ? readUtf8(path, name) : '');
  const parse = (text: string) => parseKnownFailures(text, name, new Date(), key);

  /** Returns the edited text. Throws a SettingsError if other entries would not stay as they are. */
  function applyEdit(text: string, edit: Edit): string {
    const { removed, added } = edit;
    const listed = parse(text);
    const slugs = listed.map(({ slug }) => slug);
    const isSame = removed.size + added.length === 0;
    const edited = isSame ? text : editKnownFailures(text, slugs, edit, /\.json$/i.test(path));
    const actual = unlessThrown(() => parse(edited ?? '').map(valuesOf));
    const expected = [...listed.filter(({ slug }) => !removed.has(slug)), ...added].map(valuesOf);
    // An empty file would be no list.
    if (edited !== undefined && isDeepStrictEqual(actual, expected)) return edited || '[]\n';
    throw new SettingsError(
      `${name} can't be edited: write it as JSON, or in YAML with each entry after a dash of its own line.`,
    );
  }

  function update({ report, faults }: RunResult, isInterrupted: boolean): Update {
    const obstacle = findObstacle(report, faults, isInterrupted);
    if (obstacle !== undefined)
      return { lines: [sanitizeLine(`${name}: unchanged, because ${obstacle}`)] };
    try {
      // The user may have edited the file during the run.
      const text = read();
      const listed = parse(text);
      const judged = report.requirements.map(({ id, outcome }) => ({ slug: id, outcome }));
      const toChange = entriesToChange(listed, judged, hasSentAll(report.scope));
      const removed = toChange.filter(({ why }) => why !== 'expired');
      const added = newEntries(report, listed, key);
      const edited = applyEdit(text, { removed: new Set(removed.map(({ slug }) => slug)), added });
      if (edited !== text) replaceFile(target, edited);
      const knownFailures = parse(edited);
      const kept = listed.length - removed.length;
      const lines = [
        `${name}: ${added.length} added, ${removed.length} removed, ${kept} kept`,
        ...added.map(({ slug }) => `  added    ${slug}`),
        // Without the advice to remove the entry.
        ...removed.map(({ message }) => `  removed  ${message.replace(/: remove this e.*/s, '')}`),
        unexplainedText(knownFailures) ?? '',
      ];
      return { knownFailures, lines: lines.filter((line) => line !== '').map(sanitizeLine) };
    } catch (error) {
      return { lines: [sanitizeLine(`${name}: not updated: ${causeOf(error)}`)] };
    }
  }

  const text = read();
  const knownFailures = parse(text);
  if (hasAlias(text))
    throw new SettingsError(
      `${name} has aliases (*), so that an entry may need another one: replace them by their values.`,
    );
  const added = [{ slug: 'a-trial.entry', reason: NO_REASON, seen: 'expected a, got b' }];
  for (const removed of [[], knownFailures.map(({ slug }) => slug)])
    applyEdit(text, { removed: new Set(removed), added });
  const unwritable = (error: unknown) =>
    new SettingsError(
      `${name} can't be written (${causeOf(error)}): name another file with --update-known-failures.`,
    );
  orThrow(() => tryToReplace(target), unwritable);
  return { knownFailures, update };
}

const valuesOf = ({ slug, reason, expires, link }: KnownFailure) => [slug, reason, expires, link];

/** Reads a file of known failures that is written again as UTF-8. Throws a SettingsError. */
function readUtf8(path: string, name: string): string {
  const bytes = readKnownFailuresFile(path, name);
  const text = decodeText(bytes);
  if (Buffer.from(text).equals(bytes)) return text;
  throw new SettingsError(
    `${name} is not plain UTF-8: save it as UTF-8 without a byte order mark.`,
  );
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
  const slugs = listed.map(({ slug }) => slug);
  const failing = requirements.filter((requirement) => {
    return effectOf(requirement, scope.strict) === 'fails' && !slugs.includes(requirement.id);
  });
  return failing.map((requirement) => {
    const seen = describeFailure(requirement);
    // Reports hide the key already. If it were in the file, the next run would reject it.
    return { slug: requirement.id, reason: NO_REASON, seen: holdsKey(seen, key) ? '' : seen };
  });
}

/** Characters of an expected or received value in a comment. */
const VALUE_LIMIT = 60;

/** Returns the failure in one short sentence. */
function describeFailure({ reason, expected, got }: ReportedRequirement): string {
  if (expected === undefined || got === undefined) return beginOf(reason);
  return `expected ${beginOf(expected)}, got ${beginOf(got)}`;
}

/** Returns a text, or if it is long the first of its values. */
function beginOf(text: string): string {
  const line = sanitizeLine(text);
  if (line.length <= VALUE_LIMIT) return line;
  const [first = ''] = line.split('; ');
  if (first.length <= VALUE_LIMIT) return `${first}; …`;
  return `${[...first].slice(0, VALUE_LIMIT).join('')}…`;
}
