import { readFileSync } from 'node:fs';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { schemaFault } from '../../schemas/validate.ts';
import { SettingsError } from '../settings/settings-error.ts';

/** A failure that a team accepts for the time being: see schemas/known-failures.schema.json. */
export interface KnownFailure {
  slug: string;
  reason: string;
  /** The last day on which it is accepted, such as `2026-10-31`. */
  expires?: string;
  /** An http or https address, such as that of a ticket. */
  link?: string;
}

/** An entry of a file of known failures, with its place there. */
export interface ListedFailure extends KnownFailure {
  /** The file's path as the person gave it. */
  file: string;
  line: number;
  /** Whether its last day is over: it applies no more. */
  expired: boolean;
}

const ENTRY =
  'an entry has "slug: …" and "reason: …", and may have "expires: 2026-12-31" and "link: https://…" (of a ticket)';

/**
 * Reads a file of known failures (YAML or JSON). `name` is what messages call it; days end in UTC. Reports show the entries,
 * so they must not hold the key. Throws a SettingsError that names the line.
 */
export function readKnownFailures(file: string, name: string, now: Date, key?: string): ListedFailure[] {
  const lines = new LineCounter();
  const at = (offset: number) => `${name}:${lines.linePos(offset).line}`;
  const document = parseDocument(read(file, name), { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error) throw new SettingsError(`${at(error.pos[0])}: this is neither YAML nor JSON: ${error.message}.`);
  const entries = plain(document, name);
  const fault = schemaFault('known-failures.schema.json', entries);
  if (fault) {
    const path = fault.pointer.split('/').slice(1);
    const subject = path.length > 1 ? `${path.at(-1)} ` : '';
    throw new SettingsError(`${at(offsetOf(document, path))}: ${subject}${fault.message}; ${ENTRY}.`);
  }
  const today = now.toISOString().slice(0, 10);
  const listed = (entries as KnownFailure[]).map((entry, index) => ({
    ...entry,
    file: name,
    line: lines.linePos(offsetOf(document, [String(index)])).line,
    expired: entry.expires !== undefined && entry.expires < today,
  }));
  for (const [index, { slug, line }] of listed.entries()) {
    const first = listed.findIndex((entry) => entry.slug === slug);
    if (first === index) continue;
    throw new SettingsError(`${name}:${line}: ${slug} is in line ${listed[first]?.line} already: keep one of the two.`);
  }
  if (key && listed.some((entry) => Object.values(entry).some((value) => `${value}`.includes(key)))) {
    throw new SettingsError(`${name} holds the key, and reports show its entries: take it out there.`);
  }
  return listed;
}

function read(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new SettingsError(`The file of known failures ${name} can't be read: check CONFORMANCE_KNOWN_FAILURES.`);
  }
}

/** The document's value; an empty one is an empty list. */
function plain(document: Document, name: string): unknown {
  // YAML 1.1 makes a Date of what YAML 1.2 and JSON leave a string.
  const reviver = (_: unknown, value: unknown) => (value instanceof Date ? value.toISOString().slice(0, 10) : value);
  try {
    return document.toJS({ reviver }) ?? [];
  } catch (error) {
    throw new SettingsError(`${name} is neither YAML nor JSON: ${(error as Error).message}.`);
  }
}

/** Where a part of a document begins, or what it would be a part of. */
function offsetOf(document: Document, path: string[]): number {
  const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined;
  if (node?.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}
