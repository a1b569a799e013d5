import { createHash } from 'node:crypto';
import type { Exchange } from '../http/exchange.ts';
import { isObject } from '../http/value.ts';

/** An object of a JSON body. */
export type Item = Record<string, unknown>;

/** The way to a value from the top of a body: names of members, and indexes of array items. */
export type Path = readonly (string | number)[];

/** Users' records are not nested deeper than this. */
const DEPTH = 8;

/** A retrieve response has few values; a list may have very many. */
const MOST_VALUES = 20_000;

/** Returns the email and name of an object; undefined if it has none of its own. */
export function members(object: Item): { email: unknown; name: unknown } {
  const own = (name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
  return { email: own('email'), name: own('name') };
}

/** Whether a record shows exactly this email and this name. */
export function showsUser(record: Item | undefined, user: { email: unknown; name: unknown }) {
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
  const found: PlacedValue[] = [{ value: body, path: [] }];
  for (const placed of found) {
    yield placed;
    const { value: outer, path } = placed;
    if (path.length === depth) continue;
    const room = most - found.length;
    if (Array.isArray(outer)) {
      for (const [index, value] of outer.slice(0, room).entries())
        found.push({ value, path: [...path, index], outer });
    } else if (isObject(outer)) {
      for (const [name, value] of Object.entries(outer).slice(0, room))
        found.push({ value, path: [...path, shortName(name)], outer });
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
 * Finds the objects of a body that have an email or a name, outer ones first: at the top, in an envelope, in an array,
 * or nested. Which of them is the user's own record is decided later.
 */
export function recordsIn(body: unknown): PlacedRecord[] {
  const records: PlacedRecord[] = [];
  for (const { value, path, outer } of valuesIn(body, MOST_VALUES, DEPTH)) {
    if (!isObject(value)) continue;
    const { email, name } = members(value);
    if (email === undefined && name === undefined) continue;
    const steps = path.map((step) => (typeof step === 'number' ? '[]' : `.${step}`));
    records.push({ value, path, place: steps.join('').replace(/^\./, ''), outer });
  }
  return records;
}

/** Limits of a compact record: values, depth, and characters of texts that are not short. */
const COMPACT = { values: 200, depth: DEPTH, shortText: 100, characters: 20_000 };

/** More characters than the longest email or name that the suite sends. */
const LONGEST_SENT = 100_000;

/**
 * Returns a copy of a record that is limited to what checks read, so that memory stays bounded. Email and name stay
 * whole; another very long text becomes a digest that still tells two texts apart.
 */
export function compactRecord(record: Item): Item {
  let { values, characters } = COMPACT;
  const copy = (value: unknown, depth: number): unknown => {
    values -= 1;
    if (typeof value === 'string') {
      if (value.length <= COMPACT.shortText) return value;
      characters -= value.length;
      return characters < 0 ? digestOf(value) : value;
    }
    const room = depth === 0 ? 0 : Math.max(0, values);
    if (Array.isArray(value)) return value.slice(0, room).map((item) => copy(item, depth - 1));
    if (!isObject(value)) return value;
    const kept = Object.entries(value).slice(0, room);
    return Object.fromEntries(kept.map(([name, own]) => [shortName(name), copy(own, depth - 1)]));
  };
  const user = Object.entries(members(record)).filter(([, value]) => value !== undefined);
  const whole = user.filter(
    ([, value]) => typeof value === 'string' && value.length <= LONGEST_SENT,
  );
  // A long name must not use up the room of a long identifier behind it.
  const blanked = Object.fromEntries(whole.map(([name]) => [name, '']));
  const others = copy({ ...Object.fromEntries(user), ...record, ...blanked }, COMPACT.depth);
  return { ...(others as Item), ...Object.fromEntries(whole) };
}

function digestOf(text: string): string {
  // The beginning is left out: it could end with a part of the key.
  return `… (${text.length} characters, ${createHash('sha1').update(text).digest('hex')})`;
}

/** Shortens the name of a member, so that a path stays readable. */
const shortName = (name: string) => (name.length <= COMPACT.shortText ? name : digestOf(name));

/** What a response shows of a user who was requested. */
export interface Read {
  exchange: Exchange;
  /** Whether the status is a 2xx. */
  ok: boolean;
  /** The user's own record; absent if the response does not show the user. */
  record?: Item;
  /** Where that record is in the body. */
  place: string;
  /** Other users beside the record, not nested in it: an email for each. */
  others: string[];
  /** Whether the body is not JSON, or was not read to its end. */
  isUnreadable: boolean;
}

/** Whether a response shows the user and nobody else. */
export const showsOnlyUser = ({ ok, record, others }: Read): boolean =>
  ok && record !== undefined && others.length === 0;
