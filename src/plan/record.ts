import type { Exchange } from '../http/exchange.ts';
import { isObject } from '../http/value.ts';

/** A user's record in an answer. */
export interface FoundRecord {
  record: Record<string, unknown>;
  /** The way to it from the top of the body, such as `data.user` or `data[]`; empty for the top itself. */
  path: string;
  /** The same with the place in each array, such as `data[0]`: no two have one. */
  at: string;
  /** How many users' records the array that holds it has; 1 outside an array. */
  siblings: number;
}

/** Envelopes deeper than this hold no user's record. */
const DEPTH = 8;
/** Values looked at in one body: a retrieve answer has few, a list's may have very many. */
const VALUES = 20_000;

/** The email and name of an object, undefined where it has none of its own. */
export function members(object: Record<string, unknown>): { email: unknown; name: unknown } {
  const own = (name: string) => (Object.hasOwn(object, name) ? object[name] : undefined);
  return { email: own('email'), name: own('name') };
}

/** Whether a value is an object that has an email and a name: a person's record. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.hasOwn(value, 'email') && Object.hasOwn(value, 'name');
}

/**
 * Finds the objects of a body that have an email or a name, the outer ones first: at the top, in an envelope, in an array, and
 * also within one another, because nobody knows yet which of them is the user's record.
 */
export function recordsIn(body: unknown): FoundRecord[] {
  const found: FoundRecord[] = [];
  const open = [{ value: body, path: '', at: '', depth: 0, siblings: 1 }];
  for (let looked = 0; looked < open.length && looked < VALUES; looked += 1) {
    const { value, path, at, depth, siblings } = open[looked] as (typeof open)[number];
    if (Array.isArray(value)) {
      const records = value.filter(isRecord).length;
      for (const [index, item] of depth < DEPTH ? value.slice(0, VALUES).entries() : []) {
        open.push({ value: item, path: `${path}[]`, at: `${at}[${index}]`, depth: depth + 1, siblings: records });
      }
    } else if (isObject(value)) {
      const { email, name } = members(value);
      if (email !== undefined || name !== undefined) found.push({ record: value, path, at, siblings });
      for (const [member, inner] of depth < DEPTH ? Object.entries(value).slice(0, VALUES) : []) {
        const below = (outer: string) => (outer === '' ? member : `${outer}.${member}`);
        open.push({ value: inner, path: below(path), at: below(at), depth: depth + 1, siblings: 1 });
      }
    }
  }
  return found;
}

/** Whether one place in a body lies within another. */
export function isWithin(at: string, outer: string): boolean {
  return at !== outer && (outer === '' || at.startsWith(`${outer}.`) || at.startsWith(`${outer}[`));
}

/** What an answer shows of a user who was asked for. */
export interface Read {
  exchange: Exchange;
  ok: boolean;
  /** The user's own record, with the place where it stands; undefined where it is not there. */
  record?: Record<string, unknown>;
  path: string;
  /** Other users beside it, not within it: an email for each. */
  others: string[];
  /** Whether the answer could not be read as JSON, or not to its end. */
  unreadable: boolean;
}

/** Whether a read shows its user, and nobody else. */
export function isFine({ ok, record, others }: Read): boolean {
  return ok && record !== undefined && others.length === 0;
}
