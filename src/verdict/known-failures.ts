import { type Document, isMap, LineCounter, parseDocument } from 'yaml';
import { schemaFault } from '../../schemas/validate.ts';
import { decoded, orThrow, readUpTo, SettingsError } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import { holdsKey } from '../settings/target.ts';
import type { KnownFailure, ListedFailure } from './verdict.ts';

const ENTRY =
  'an entry has "slug: …" and "reason: …", and may have "expires: 2026-12-31" and "link: https://…" (of a ticket)';

/** The way in which the file is parsed. */
export const YAML = {
  prettyErrors: false,
  // YAML 1.1 and a tag would make a Date of what is a string in JSON.
  schema: 'core',
  resolveKnownTags: false,
  // Its own search compares each with each.
  uniqueKeys: false,
} as const;

/**
 * Reads a file of known failures (YAML or JSON). `name` is what messages call it; days end in UTC. Reports show the
 * entries, so they must not hold the key. Throws a SettingsError that names the line.
 */
export function readKnownFailures(
  file: string,
  name: string,
  now: Date,
  key?: string,
): ListedFailure[] {
  return parseKnownFailures(readKnownFailuresText(file, name), name, now, key);
}

/** Reads the text of such a file. Throws a SettingsError. */
export function readKnownFailuresText(file: string, name: string): string {
  const unreadable = (why: string) =>
    new SettingsError(
      `The file of known failures ${name} ${why}: check ${nameOf('CONFORMANCE_KNOWN_FAILURES')}.`,
    );
  // Room for each requirement with a page on it.
  return decoded(readUpTo(file, 256 * 1024, unreadable));
}

/** Reads the entries in the text of such a file. Throws a SettingsError that names the line. */
export function parseKnownFailures(
  text: string,
  name: string,
  now: Date,
  key?: string,
): ListedFailure[] {
  const lines = new LineCounter();
  const refuse = (offset: number, why: string) =>
    new SettingsError(`${name}:${lines.linePos(offset).line}: ${why}.`);
  const refuseKey = (texts: string[]) => {
    if (!texts.some((one) => holdsKey(one, key))) return;
    throw new SettingsError(
      `${name} holds the key, and reports show its entries: take it out there.`,
    );
  };
  // Before anything else: what is wrong with the file may be told with a part of it.
  refuseKey([text]);
  const document = parseDocument(text, { ...YAML, lineCounter: lines });
  const [error] = document.errors;
  if (error) throw refuse(error.pos[0], `this is neither YAML nor JSON: ${error.message}`);
  const value = orThrow(
    () => document.toJS(),
    ({ message }) => new SettingsError(`${name} is neither YAML nor JSON: ${message}.`),
  );
  // An empty document is an empty list.
  const entries = value ?? [];
  const fault = schemaFault('knownFailures', entries);
  if (fault) {
    const path = fault.pointer.split('/').slice(1);
    const subject = path.length > 1 ? `${path.at(-1)} ` : '';
    throw refuse(offsetOf(document, path), `${subject}${fault.message}; ${ENTRY}`);
  }
  refuseKey((entries as KnownFailure[]).flatMap((entry) => Object.values(entry)));
  const today = now.toISOString().slice(0, 10);
  const listed = new Map<string, ListedFailure>();
  for (const [index, entry] of (entries as KnownFailure[]).entries()) {
    const { slug, expires } = entry;
    const node = document.getIn([index], true);
    const offset = offsetOf(document, [`${index}`]);
    const { line } = lines.linePos(offset);
    if (isMap(node) && node.items.length !== Object.keys(entry).length) {
      throw refuse(offset, `an entry has a duplicate member; ${ENTRY}`);
    }
    const first = listed.get(slug);
    if (first) throw refuse(offset, `${slug} is already on line ${first.line}: keep one of them`);
    listed.set(slug, {
      ...entry,
      file: name,
      line,
      expired: expires !== undefined && expires < today,
    });
  }
  return [...listed.values()];
}

/** Where a part of a document begins, or what it would be a part of. */
function offsetOf(document: Document, path: string[]): number {
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  if (node?.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}
