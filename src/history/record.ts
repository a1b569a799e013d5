import { createHash } from 'node:crypto';
import type { Exchange } from '../http/exchange.ts';
import { isObject } from '../http/value.ts';

/** An object of a JSON body. */
export type Item = Record<string, unknown>;

/** The path to a value from the top of a body: names of members, and indexes of array items. */
export type Path = readonly (string | number)[];

/** The deepest level at which a body is searched for a user's record. */
const DEPTH = 8;

/** The most values of a body that are searched: a list may have very many. */
const MOST_VALUES = 20_000;

/** Returns the email and name of an object, without inherited ones. */
export function members(object: Item): { email: unknown; name: unknown } {
  const email = Object.hasOwn(object, 'email') ? object.email : undefined;
  const name = Object.hasOwn(object, 'name') ? object.name : undefined;
  return { email, name };
}

/** Whether a record shows exactly this email and this name. */
export function showsUser(
  record: Item | undefined,
  user: { email: unknown; name: unknown },
): boolean {
  const { email, name } = members(record ?? {});
  return email === user.email && name === user.name;
}

/** Whether a value is an object with an email and a name. */
export const isUserRecord = (value: unknown): value is Item =>
  isObject(value) && Object.hasOwn(value, 'email') && Object.hasOwn(value, 'name');

/** A value of a body, its path, and the array or object that holds it. */
export interface PlacedValue {
  value: unknown;
  path: Path;
  outer?: unknown;
}

/** Yields the values of a body, outer ones first, up to a number and a depth. */
export function* valuesIn(body: unknown, most: number, depth: number): Generator<PlacedValue> {
  const queue: PlacedValue[] = [{ value: body, path: [] }];
  // The loop also reaches values that it adds.
  for (const placed of queue) {
    yield placed;
    const { value: outer, path } = placed;
    if (path.length === depth) continue;
    const room = most - queue.length;
    if (Array.isArray(outer)) {
      for (const [index, value] of outer.slice(0, room).entries())
        queue.push({ value, path: [...path, index], outer });
    } else if (isObject(outer)) {
      for (const [name, value] of Object.entries(outer).slice(0, room))
        queue.push({ value, path: [...path, shortText(name)], outer });
    }
  }
}

/** An object that may be a user's record, and where it is in the body. */
export interface PlacedRecord extends PlacedValue {
  value: Item;
  /** The path as text, such as `data.user` or `data[]`; empty for the top. */
  place: string;
}

/**
 * Returns the objects of a body that have an email or a name, outer ones first: at the top, in an
 * envelope, in an array, or nested. Some may not be the record of the user.
 */
export function recordsIn(body: unknown): PlacedRecord[] {
  const records: PlacedRecord[] = [];
  for (const { value, path, outer } of valuesIn(body, MOST_VALUES, DEPTH)) {
    if (!isObject(value)) continue;
    const { email, name } = members(value);
    if (email === undefined && name === undefined) continue;
    records.push({ value, path, place: placeOf(path), outer });
  }
  return records;
}

function placeOf(path: Path): string {
  const steps = path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`));
  return steps.join('').replace(/^\./, '');
}

/** The limits of a compact record. `characters` counts texts that are longer than `shortText`. */
const COMPACT = { values: 200, depth: DEPTH, shortText: 100, characters: 20_000 };

/** More characters than the longest email or name that the suite sends. */
export const LONGEST_SENT = 100_000;

/**
 * Returns a copy of a record that is limited to the values that checks read, so that memory stays
 * bounded. Email and name stay whole. Another very long text becomes a digest, which is different
 * for different texts.
 */
export function compactRecord(record: Item): Item {
  const user = Object.entries(members(record)).filter(([, value]) => value !== undefined);
  const whole = user.filter(
    ([, value]) => typeof value === 'string' && value.length <= LONGEST_SENT,
  );
  // A long name must not use up the characters of a long identifier after it.
  const blank = user.map((member): Member => (whole.includes(member) ? [member[0], ''] : member));
  const names = Object.keys(record).filter((name) => name !== 'email' && name !== 'name');
  const others = names.slice(0, COMPACT.values).map((name): Member => [name, record[name]]);
  return { ...compactCopy([...blank, ...others]), ...Object.fromEntries(whole) };
}

type Member = [name: string, value: unknown];

function compactCopy(record: readonly Member[]): Item {
  let valuesLeft = COMPACT.values;
  let charactersLeft = COMPACT.characters;
  const copyText = (text: string): string => {
    if (text.length <= COMPACT.shortText) return text;
    charactersLeft -= text.length;
    return charactersLeft < 0 ? digestOf(text) : text;
  };
  const copyMembers = (all: readonly Member[], depth: number, room: number): Item => {
    const copies = all.slice(0, room).map(([name, value]) => {
      return [shortText(name), copyValue(value, depth - 1)];
    });
    return Object.fromEntries(copies);
  };
  const copyValue = (value: unknown, depth: number): unknown => {
    valuesLeft -= 1;
    if (typeof value === 'string') return copyText(value);
    const room = depth === 0 ? 0 : Math.max(0, valuesLeft);
    if (Array.isArray(value)) {
      return value.slice(0, room).map((item) => copyValue(item, depth - 1));
    }
    return isObject(value) ? copyMembers(Object.entries(value), depth, room) : value;
  };
  // The record itself counts as a value.
  valuesLeft -= 1;
  return copyMembers(record, COMPACT.depth, valuesLeft);
}

/** The last text and its digest: most lists repeat the long text of the one before. */
let lastDigest = { text: '', digest: '' };

function digestOf(text: string): string {
  if (lastDigest.text !== text) {
    const sha1 = createHash('sha1').update(text).digest('hex');
    // Without the beginning, which could end with a part of the key.
    lastDigest = { text, digest: `… (${text.length} characters, ${sha1})` };
  }
  return lastDigest.digest;
}

/** Returns a text, or the digest of a long one, which is different for different texts. */
export const shortText = (text: string): string =>
  text.length <= COMPACT.shortText ? text : digestOf(text);

/** The response to the retrieval of a user. */
export interface Read {
  exchange: Exchange;
  /** Whether the status is a 2xx. */
  ok: boolean;
  /** The record of the user; absent if the response does not show the user. */
  record?: Item;
  /** The place of that record in the body. */
  place: string;
  /** The emails of other users beside the record, not nested in it. */
  others: string[];
  /** The email of the first record in a response that does not show the user. */
  instead?: string;
  /** Whether the body is not JSON, or is longer than the suite reads. */
  isUnreadable: boolean;
}

/** Whether a response shows the user and nobody else. */
export const showsOnlyUser = ({ ok, record, others }: Read): boolean =>
  ok && record !== undefined && others.length === 0;
