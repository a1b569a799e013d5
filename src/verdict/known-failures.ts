import { type Document, isMap, LineCounter, parseDocument, visit } from 'yaml';
import { schemaFault } from '../../schemas/validate.ts';
import { orThrow, SettingsError } from '../settings/errors.ts';
import { decodeText, readUpTo } from '../settings/files.ts';
import { nameOf } from '../settings/names.ts';
import { holdsKey } from '../settings/target.ts';
import type { KnownFailure, ListedFailure } from './accept.ts';

const ENTRY =
  'an entry has "slug: …" and "reason: …", and may have "expires: 2026-12-31" and "link: https://…" (of a ticket)';

/** The parser's options for a file of known failures. */
const YAML = {
  prettyErrors: false,
  // YAML 1.1, or a tag, would turn a date into a Date. In JSON it is a string.
  schema: 'core',
  resolveKnownTags: false,
  // The parser's own check takes quadratic time.
  uniqueKeys: false,
} as const;

/**
 * Reads a file of known failures (YAML or JSON). Messages call the file by its `name`. Days end in
 * UTC. The file must not contain the key, because reports show its entries. Throws a SettingsError
 * that names the line.
 */
export function readKnownFailures(
  file: string,
  name: string,
  now: Date,
  key?: string,
): ListedFailure[] {
  return parseKnownFailures(decodeText(readKnownFailuresFile(file, name)), name, now, key);
}

/** Reads the bytes of a file of known failures. Throws a SettingsError. */
export function readKnownFailuresFile(file: string, name: string): Buffer {
  const readError = (why: string) =>
    new SettingsError(
      `The file of known failures ${name} ${why}: check ${nameOf('CONFORMANCE_KNOWN_FAILURES')}.`,
    );
  // 256 KiB hold an entry with a page of text for each requirement.
  return readUpTo(file, 256 * 1024, readError);
}

/** Whether an entry refers to another with an alias, so that neither can be removed alone. */
export function hasAlias(text: string): boolean {
  let isFound = false;
  visit(parseDocument(text, YAML), {
    Alias: () => {
      isFound = true;
    },
  });
  return isFound;
}

/** Parses a file of known failures. Throws a SettingsError that names the line. */
export function parseKnownFailures(
  text: string,
  name: string,
  now: Date,
  key?: string,
): ListedFailure[] {
  const lines = new LineCounter();
  const errorAt = (offset: number, why: string) =>
    new SettingsError(`${name}:${lines.linePos(offset).line}: ${why}.`);
  const rejectKey = (texts: string[]) => {
    if (!texts.some((part) => holdsKey(part, key))) return;
    throw new SettingsError(
      `${name} holds the key, and reports show its entries: take it out there.`,
    );
  };
  // This check comes first, because the messages below quote parts of the file.
  rejectKey([text]);
  const document = parseDocument(text, { ...YAML, lineCounter: lines });
  const [error] = document.errors;
  if (error) throw errorAt(error.pos[0], `this is neither YAML nor JSON: ${error.message}`);
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
    throw errorAt(offsetOf(document, path), `${subject}${fault.message}; ${ENTRY}`);
  }
  rejectKey((entries as KnownFailure[]).flatMap((entry) => Object.values(entry)));
  const today = now.toISOString().slice(0, 10);
  const listed = new Map<string, ListedFailure>();
  for (const [index, entry] of (entries as KnownFailure[]).entries()) {
    const { slug, expires } = entry;
    const node = document.getIn([index], true);
    const offset = offsetOf(document, [`${index}`]);
    const { line } = lines.linePos(offset);
    if (isMap(node) && node.items.length !== Object.keys(entry).length) {
      throw errorAt(offset, `an entry has a duplicate member; ${ENTRY}`);
    }
    const first = listed.get(slug);
    if (first) throw errorAt(offset, `${slug} is already on line ${first.line}: keep one of them`);
    listed.set(slug, {
      ...entry,
      file: name,
      line,
      expired: expires !== undefined && expires < today,
    });
  }
  return [...listed.values()];
}

/** Returns the offset of a value in a document, or of the innermost parent that exists. */
function offsetOf(document: Document, path: string[]): number {
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  if (node?.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}
