import { type Exchange, header } from '../http/exchange.ts';
import { isObject, isScalar, textOf } from '../http/value.ts';
import { shortName } from './record.ts';

/** How many values of one answer are tried as the identifier: a record of three dozen members, and an end. */
export const CANDIDATES = 40;

/** A user's identifier, or what may be one. */
export interface Identifier {
  /** Compared as text; a number keeps the digits with which it was written. */
  text: string;
  /** The path segment that stands for it. */
  segment: string;
  /** Where it was found, such as `create response: data.id`, `Location` or `list item: id`. */
  place: string;
}

export type IdentifierKind = 'integer' | 'UUID' | 'email' | 'text';

export function kindOf(text: string): IdentifierKind {
  if (/^-?\d+$/.test(text)) return 'integer';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return 'UUID';
  return /^[^@\s]+@[^@\s]+$/.test(text) ? 'email' : 'text';
}

/** The path segment for an identifier: percent-encoded where RFC 3986, section 3.3, asks for it, not where it doesn't. */
export function segmentOf(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%40/g, '@').replace(/%3A/g, ':');
}

/** Characters of a value that may be an identifier: percent-encoded, as much as servers take as a path. */
const LONGEST = 2500;

/** Values of one body that are looked at for the identifier, and how deep it may stand. */
const LOOKED_AT = 1000;
const DEPTH = 12;

/** What may be the identifier in the answer of a creation: the end of its Location, then what its body holds. */
export function candidatesOf(exchange: Exchange, body: unknown): Identifier[] {
  const location = header(exchange, 'location');
  const linked = location === undefined ? undefined : lastSegment(location);
  // What a 202 names may be a job.
  const place = /^([^/?#]*|.*users\/[^/?#]*\/?)([?#].*)?$/i.test(location ?? '') ? 'Location' : 'Location elsewhere';
  const named = linked === undefined ? [] : identifiers(linked, place, true);
  return [...named, ...candidatesIn(body, 'create response')];
}

/**
 * The values of a body that may be the identifier, the likeliest first and a bounded number of them: strings and numbers by
 * the name of their member. An address may be one as a whole, or by its last segment. One value may stand in several places.
 */
export function candidatesIn(body: unknown, source: string): Identifier[] {
  const found: { identifier: Identifier; rank: number }[] = [];
  const open = [{ value: body, name: '', path: '', depth: 0 }];
  for (let looked = 0; looked < open.length && looked < LOOKED_AT; looked += 1) {
    const { value, name, path, depth } = open[looked] as (typeof open)[number];
    if (isScalar(value)) {
      const place = `${source}: ${path === '' ? 'the whole body' : path}`;
      const text = textOf(value) as string;
      const linked = /\/[^/]+\/?$/.test(text) ? lastSegment(text) : undefined;
      const rank = likelihood(name, text, path);
      for (const identifier of linked === undefined ? [] : identifiers(linked, `${place} (its end)`, true)) {
        found.push({ identifier, rank: Math.min(rank, 4) });
      }
      for (const identifier of identifiers(text, place, false)) found.push({ identifier, rank });
    } else if ((Array.isArray(value) || isObject(value)) && depth < DEPTH) {
      for (const [member, inner] of Object.entries(value).slice(0, LOOKED_AT - open.length)) {
        const below = path === '' ? shortName(member) : `${path}.${shortName(member)}`;
        open.push({ value: inner, name: member, path: below, depth: depth + 1 });
      }
    }
  }
  const ranked = found.sort((a, b) => a.rank - b.rank).map(({ identifier }) => identifier);
  const segments = [...new Set(ranked.map(({ segment }) => segment))].slice(0, CANDIDATES);
  return ranked.filter(({ segment }) => segments.includes(segment));
}

/** An identifier, if the text can be one: as it is, or percent-encoded already as in an address. */
function identifiers(shown: string, place: string, encoded: boolean): Identifier[] {
  if (shown.trim() === '' || shown.length > LONGEST || !shown.isWellFormed()) return [];
  const text = encoded ? decoded(shown) : shown;
  if (text === undefined || text === '.' || text === '..') return [];
  return [{ text, segment: encoded ? shown : segmentOf(text), place }];
}

/** What is percent-encoded in an address, as text; undefined where it is not encoded as it should be. */
export function decoded(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Each value once, where it stands first. */
export function distinct(all: Identifier[]): Identifier[] {
  return all.filter(({ segment }, index) => all.findIndex((one) => one.segment === segment) === index);
}

function lastSegment(address: string): string | undefined {
  const path = address.replace(/[?#].*$/s, '').replace(/\/$/, '');
  const segment = path.slice(path.lastIndexOf('/') + 1);
  return segment === '' || /[^\x21-\x7e]|[<>]/.test(segment) ? undefined : segment;
}

/** Lower is likelier. The names are those that APIs use for identifiers; any other member may still be it. */
function likelihood(name: string, value: string, path: string): number {
  if (/^_?id$/i.test(name)) return path.includes('.') ? 1 : 0;
  if (/^(uuid|guid|uid|user_?id|user_?uuid|identifier|key|pk)$/i.test(name)) return 2;
  if (/id$/i.test(name)) return 3;
  if (value.includes('@')) return 6;
  return /\s/.test(value) ? 7 : 5;
}

/** Whether an identifier stands where one is expected: in a Location or a link, under a usual name, or alone. */
export function isLikely(identifier: Identifier): boolean {
  return identifier.place.endsWith('(its end)') || likelihoodAt(identifier) <= 3;
}

/** Whether several users may well have the same there: not what is called an identifier, nor their email and name. */
export function mayBeShared(identifier: Identifier): boolean {
  return !/[:.] ?(email|name)$/.test(identifier.place) && likelihoodAt(identifier) > 2;
}

function likelihoodAt({ place }: Identifier): number {
  if (place === 'Location' || place.endsWith('the whole body')) return 0;
  return likelihood(place.split(/[.: ]/).at(-1) ?? '', '', '');
}

/**
 * The member by which records show the identifier of their users: the likeliest that does so in all of them. One record alone
 * tells it by a usual name only: a count may equal the identifier by chance.
 */
export function memberOf(all: readonly { record: Record<string, unknown>; text: string }[]): string | undefined {
  const [{ record: first = {}, text = '' } = {}] = all;
  const rank = (name: string) => likelihood(name, text, name);
  const names = Object.keys(first).filter((name) => all.every(({ record, text }) => textOf(record[name]) === text));
  const [name] = names.sort((a, b) => rank(a) - rank(b));
  return name !== undefined && (all.length > 1 || likelihood(name, '', '') <= 3) ? name : undefined;
}
