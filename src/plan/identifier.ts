import { type Exchange, header } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import { valuesIn } from './record.ts';

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

/** What an identifier looks like. */
export function kindOf(text: string) {
  if (/^-?\d+$/.test(text)) return 'integer';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return 'UUID';
  return /^[^@\s]+@[^@\s]+$/.test(text) ? 'email' : 'text';
}

/**
 * The path segment for an identifier: percent-encoded where RFC 3986, section 3.3, asks for it, not where it doesn't.
 */
export const segmentOf = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/%40/g, '@').replace(/%3A/g, ':');

/** Characters of a value that may be an identifier: percent-encoded, as much as servers take as a path. */
const LONGEST = 6000;

/** Values of one body that are looked at for the identifier, and how deep it may stand. */
const LOOKED_AT = 1000;
const DEPTH = 12;

/** What may be the identifier in the answer of a creation: the end of its Location, then what its body holds. */
export function candidatesOf(exchange: Exchange, body: unknown): Identifier[] {
  const location = header(exchange, 'location') ?? '';
  // What a 202 names may be a job.
  const place = /^([^/?#]*|.*users\/[^/?#]*\/?)([?#].*)?$/i.test(location) ? 'Location' : 'Location elsewhere';
  return [...identifiers(lastSegment(location), place, true), ...candidatesIn(body, 'create response')];
}

/**
 * The values of a body that may be the identifier, the likeliest first and a bounded number of them: strings and
 * numbers by the name of their member. An address may be one as a whole, or by its last segment. One value may stand in
 * several places.
 */
export function candidatesIn(body: unknown, source: string): Identifier[] {
  const found: { identifier: Identifier; rank: number }[] = [];
  for (const { value, way } of valuesIn(body, LOOKED_AT, DEPTH)) {
    const [text, path] = [textOf(value) ?? '', way.join('.')];
    const place = `${source}: ${path || 'the whole body'}`;
    const rank = likelihood(`${way.at(-1) ?? ''}`, text, path);
    const linked = /\/[^/]+\/?$/.test(text) ? lastSegment(text) : '';
    for (const identifier of identifiers(linked, `${place} (its end)`, true))
      found.push({ identifier, rank: Math.min(rank, 4) });
    for (const identifier of identifiers(text, place, false)) found.push({ identifier, rank });
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
export const distinct = (all: Identifier[]): Identifier[] =>
  all.filter(({ segment }, index) => all.findIndex((one) => one.segment === segment) === index);

/** The last segment of an address's path; empty where that is none. */
function lastSegment(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/\/$/, '');
  const segment = path.slice(path.lastIndexOf('/') + 1);
  return /[^\x21-\x7e]|[<>]/.test(segment) ? '' : segment;
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
export const isLikely = (identifier: Identifier): boolean =>
  identifier.place.endsWith('(its end)') || likelihoodAt(identifier) <= 3;

/** Whether several users may well have the same there: not what is called an identifier, nor their email and name. */
export const mayBeShared = (identifier: Identifier): boolean =>
  !/[:.] ?(email|name)$/.test(identifier.place) && likelihoodAt(identifier) > 2;

function likelihoodAt({ place }: Identifier): number {
  if (place === 'Location' || place.endsWith('the whole body')) return 0;
  return likelihood(place.split(/[.: ]/).at(-1) ?? '', '', '');
}

/** What shows a user, who may have been retrieved. */
interface ShownUser {
  identifier?: Pick<Identifier, 'text'> | undefined;
  read?: { record?: Record<string, unknown> | undefined };
}

/**
 * The member by which records show the identifiers of their users, where these are known: the likeliest that does so in
 * all of them. One record alone tells it by a usual name only: a count may equal the identifier by chance.
 */
export function identifierMember(users: readonly ShownUser[]): string | undefined {
  const known = users.filter(({ identifier }) => identifier !== undefined);
  const isIn = (name: string) => known.every((one) => textOf(one.read?.record?.[name]) === one.identifier?.text);
  const names = Object.keys(known[0]?.read?.record ?? {}).filter(isIn);
  const [name] = names.sort((a, b) => likelihood(a, '', a) - likelihood(b, '', b));
  return name !== undefined && (known.length > 1 || likelihood(name, '', '') <= 3) ? name : undefined;
}

/** How many identifiers of random characters are made: a short one may belong to somebody after all. */
const TRIES = 3;

/**
 * Identifiers that have the shape of the known ones but should belong to nobody; none begins with a known one, because
 * a lenient lookup (`12x` read as 12) is free. For integers each is to be tried; of others, the next only when the one
 * before turned out to be somebody's.
 */
export function unknownIdentifiers(known: string[]): string[] {
  const [sample = ''] = known;
  if (kindOf(sample) === 'integer') {
    // The nine digits stay within a 32-bit integer, so that a service which keeps one need not fail on them.
    const longest = Math.max(...known.map((text) => text.replace('-', '').length));
    const far = [...'987654321'].map((digit) => digit.repeat(longest < 8 ? 9 : longest + 1));
    const free = far.find((text) => beginsWithNone(text, known)) ?? (far[0] as string);
    return [free, '0', '-1'].filter((text) => !known.includes(text));
  }
  const prefix = prefixOf(known);
  const long = prefix + longEnough(sample.slice(prefix.length));
  const others = Array.from({ length: TRIES * 3 }, () => sameShape(long, [...prefix].length));
  return others.filter((other) => beginsWithNone(other, known)).slice(0, TRIES);
}

/** What all of several known ones begin with, up to its last separator: `usr_` of `usr_x1` and `usr_y2`. */
function prefixOf([sample = '', ...more]: string[]): string {
  if (more.length === 0 || kindOf(sample) !== 'text') return '';
  const differs = [...sample].findIndex((one, index) => more.some((other) => [...other][index] !== one));
  const shared = [...sample].slice(0, Math.max(0, differs)).join('');
  return shared.match(/^.*[^\p{L}\p{N}]/su)?.[0] ?? '';
}

const beginsWithNone = (text: string, known: string[]) => known.every((identifier) => !text.startsWith(identifier));

/** Of a short one, such as `u-3`, a random one would soon be somebody's: it is made longer, as when numbers grow. */
function longEnough(sample: string): string {
  const varied = sample.match(/[\p{L}\p{N}\p{Extended_Pictographic}]/gu) ?? [];
  return varied.length < 6 ? sample + (varied.at(-1) ?? '0').repeat(8 - varied.length) : sample;
}

/** Characters of which one may stand for another; of hexadecimal digits none but these. */
const HEXADECIMAL = [/[0-9]/, /[a-f]/, /[A-F]/];
const ANY = [/\p{Ll}/u, /\p{Lu}/u, /\p{L}/u, /\p{N}/u, /\p{Extended_Pictographic}/u];

/** As many characters of the same kinds, after some that are kept; a UUID keeps its version and variant. */
function sameShape(sample: string, kept: number): string {
  const isUuid = kindOf(sample) === 'UUID';
  const kinds = isUuid || /^[0-9a-f]{8,}$/.test(sample) ? HEXADECIMAL : ANY;
  const isKept = (index: number) => index < kept || (isUuid && [14, 19].includes(index));
  return [...sample].map((character, index) => (isKept(index) ? character : another(character, kinds))).join('');
}

/** Another character of the same alphabet: one of the 64 around it that is of the same kind. */
function another(character: string, kinds: RegExp[]): string {
  const code = character.codePointAt(0) ?? 0;
  const kind = kinds.find((one) => one.test(character));
  const around = Array.from({ length: 64 }, (_, offset) => String.fromCodePoint((code & ~63) + offset));
  const alike = around.filter((one) => one !== character && kind?.test(one) && one.normalize('NFC') === one);
  return alike[Math.floor(Math.random() * alike.length)] ?? character;
}

/**
 * Whether a text is an identifier in another writing, or begins with it, so that a lenient lookup may find it: other
 * digits (٣ for 3), full-width letters, another case, white space around, a sign, leading zeros. Digits that go on are
 * another number.
 */
export function isWritingOf(text: string, identifier: string): boolean {
  if (identifier === '') return false;
  if (normalised(text) === normalised(identifier)) return true;
  const isNumber = /^\d+$/.test(identifier) && /^\d/.test(text.slice(identifier.length));
  return text.startsWith(identifier) && !isNumber;
}

function normalised(text: string): string {
  const folded = text.normalize('NFKC').trim().toLowerCase();
  const plain = folded.replaceAll(/\p{Nd}/gu, digit);
  return /^[+-]?[\d_]+(\.0*)?$/.test(plain) ? plain.replaceAll(/_|^[+-]|\..*/g, '').replace(/^0+(?=\d)/, '') : plain;
}

/** The value of a digit of any script: its digits stand in a row, from 0 to 9. */
function digit(character: string): string {
  const code = character.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return `${value}`;
}
