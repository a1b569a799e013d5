import { CANDIDATES } from '../settings/limits.ts';
import { isObject } from './record.ts';

/** A user's identifier, or what may be one. */
export interface Identifier {
  /** Compared as text; a number keeps all its digits. */
  text: string;
  /** The path segment that stands for it. */
  segment: string;
  /** Where it was found, such as `create answer: data.id`, `Location` or `list item: id`. */
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
  return encodeURIComponent(text).replace(/%40/g, '@').replace(/%3A/g, ':');
}

/** The identifier that a Location may end in, as it stands there. */
export function candidateInLocation(location: string): Identifier[] {
  const segment = lastSegment(location);
  if (segment === undefined) return [];
  try {
    return [{ text: decodeURIComponent(segment), segment, place: 'Location' }];
  } catch {
    return [];
  }
}

function lastSegment(address: string): string | undefined {
  const path = address.replace(/[?#].*$/s, '').replace(/\/$/, '');
  const segment = path.slice(path.lastIndexOf('/') + 1);
  return segment === '' || segment === '.' || segment === '..' || /[^\x21-\x7e]|[<>]/.test(segment)
    ? undefined
    : segment;
}

function isScalar(value: unknown): value is string | number | bigint {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/** Lower is likelier. The names are those that APIs use for identifiers; any other member may still be it. */
function likelihood(name: string, value: string, path: string): number {
  if (/^_?id$/i.test(name)) return path.includes('.') ? 1 : 0;
  if (/^(uuid|guid|uid|user_?id|user_?uuid|identifier|key|pk)$/i.test(name)) return 2;
  if (/id$/i.test(name)) return 3;
  if (value.includes('@')) return 6;
  return /\s/.test(value) ? 7 : 5;
}

/**
 * The values of a JSON body that may be the identifier, the likeliest first and a bounded number of them: strings and
 * numbers by the name of their member, and the last segments of links to a user.
 */
export function candidatesIn(body: unknown, source: string): Identifier[] {
  const found: { identifier: Identifier; rank: number }[] = [];
  const open: { value: unknown; name: string; path: string }[] = [{ value: body, name: '', path: '' }];
  for (let looked = 0; looked < open.length && looked < 500; looked += 1) {
    const { value, name, path } = open[looked] as (typeof open)[number];
    if (isScalar(value)) {
      const place = `${source}: ${path === '' ? 'the whole body' : path}`;
      const text = String(value);
      if (text.trim() === '' || text.length > 300 || text === '.' || text === '..') continue;
      const linked = /\/users\/[^/]+\/?$/.test(text) ? lastSegment(text) : undefined;
      if (linked === undefined) {
        found.push({ identifier: { text, segment: segmentOf(text), place }, rank: likelihood(name, text, path) });
      } else {
        const [identifier] = candidateInLocation(text);
        if (identifier) found.push({ identifier: { ...identifier, place }, rank: 4 });
      }
    } else if (Array.isArray(value) || isObject(value)) {
      for (const [member, inner] of Object.entries(value)) {
        open.push({ value: inner, name: member, path: path === '' ? member : `${path}.${member}` });
      }
    }
  }
  return found
    .sort((a, b) => a.rank - b.rank)
    .map(({ identifier }) => identifier)
    .slice(0, CANDIDATES);
}

/**
 * The member by which a record shows the identifier, likeliest name first, or undefined where it shows none.
 */
export function memberShowing(record: Record<string, unknown>, identifier: string): string | undefined {
  return Object.entries(record)
    .filter(([, value]) => isScalar(value) && String(value) === identifier)
    .map(([name, value]) => ({ name, rank: likelihood(name, String(value), name) }))
    .sort((a, b) => a.rank - b.rank)[0]?.name;
}

/** How many identifiers are made of characters drawn by lot: a short one may belong to somebody after all. */
const UNKNOWN_TRIES = 3;

/**
 * Identifiers that have the shape of the known ones but should belong to nobody; none begins with a known one, because
 * a lenient lookup (`12x` read as 12) is free. For integers each is to be tried; of others, the next only when the one
 * before turned out to be somebody's.
 */
export function unknownIdentifiers(known: string[], random: () => number = Math.random): string[] {
  const [sample = ''] = known;
  const kind = kindOf(sample);
  if (kind === 'integer') {
    // The nine digits stay within a 32-bit integer, so that a service which keeps one need not fail on them.
    const far = ['9', '8', '7', '6', '5', '4', '3', '2', '1'].map((digit) => farAbove(known, digit));
    return [far.find((text) => beginsWithNone(text, known)) ?? (far[0] as string), '0', '-1'].filter(
      (text) => !known.includes(text),
    );
  }
  const others = Array.from({ length: UNKNOWN_TRIES * 3 }, () => sameShape(longEnough(sample), random));
  return others.filter((other) => beginsWithNone(other, known)).slice(0, UNKNOWN_TRIES);
}

function farAbove(known: string[], digit: string): string {
  const longest = Math.max(...known.map((text) => text.replace('-', '').length));
  return digit.repeat(longest < 8 ? 9 : longest + 1);
}

function beginsWithNone(text: string, known: string[]): boolean {
  return known.every((identifier) => !text.startsWith(identifier));
}

/** Of a short one, such as `u-3`, one drawn by lot would soon be somebody's: it is made longer, as when numbers grow. */
function longEnough(sample: string): string {
  const drawn = sample.match(/[a-z0-9]/gi) ?? [];
  return drawn.length < 6 ? sample + (drawn.at(-1) ?? '0').repeat(8 - drawn.length) : sample;
}

/** As many characters of the same kinds; a UUID keeps its version and variant. */
function sameShape(sample: string, random: () => number): string {
  const pick = (from: string) => from.charAt(Math.floor(random() * from.length));
  const hexadecimal = kindOf(sample) === 'UUID' || /^[0-9a-f]{8,}$/.test(sample);
  const fixed = kindOf(sample) === 'UUID' ? [14, 19] : [];
  return [...sample]
    .map((character, index) => {
      if (fixed.includes(index)) return character;
      if (/[0-9]/.test(character)) return pick(hexadecimal ? '0123456789abcdef' : '0123456789');
      if (/[a-z]/.test(character)) return pick(hexadecimal ? '0123456789abcdef' : 'abcdefghijklmnopqrstuvwxyz');
      return /[A-Z]/.test(character) ? pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ') : character;
    })
    .join('');
}

/** Identifiers that nobody would give to a user, as path segments, each with the name that a report shows. */
export const oddIdentifiers: { what: string; segment: string }[] = [
  { what: 'the word null', segment: 'null' },
  { what: 'the word undefined', segment: 'undefined' },
  { what: 'a quote', segment: '%27' },
  { what: 'a percent sign', segment: '%25' },
  { what: 'a NUL', segment: '%00' },
  { what: 'a slash', segment: '%2F' },
  { what: '4,000 letters', segment: 'x'.repeat(4000) },
];
