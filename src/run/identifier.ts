import type { Identifier } from '../history/creation.ts';
import { identifierRank, USUAL_NAME } from '../history/identifier-member.ts';
import { valuesIn } from '../history/record.ts';
import { type Exchange, header } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';

/** Values of one response that are tried as the identifier: a record of three dozen members, and an end. */
export const MOST_CANDIDATES = 40;

/** Characters of a percent-encoded value: as many as servers take in a path. */
const LONGEST = 6000;

/** Values of a body that are searched, and how deep. */
const SEARCHED_VALUES = 1000;
const SEARCHED_DEPTH = 12;

export type IdentifierKind = 'integer' | 'UUID' | 'email' | 'text';

/** What an identifier looks like. */
export function kindOf(text: string): IdentifierKind {
  if (/^-?\d+$/.test(text)) return 'integer';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return 'UUID';
  return /^[^@\s]+@[^@\s]+$/.test(text) ? 'email' : 'text';
}

/** The path segment for an identifier, percent-encoded where RFC 3986 section 3.3 asks for it, and not elsewhere. */
export const segmentOf = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/%40/g, '@').replace(/%3A/g, ':');

/** Decodes a percent-encoded text; undefined if it is not encoded correctly. */
export function decodeSegment(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** Returns the values of a create response that may be the identifier: the end of its Location, then its body. */
export function candidatesOf(exchange: Exchange, body: unknown): Identifier[] {
  const location = header(exchange, 'location') ?? '';
  // The Location of a 202 may be that of a job.
  const isUsers = /^([^/?#]*|.*users\/[^/?#]*\/?)([?#].*)?$/i.test(location);
  const inLocation = encodedIdentifier(
    lastSegment(location),
    isUsers ? 'Location' : 'Location elsewhere',
  );
  return [...inLocation, ...candidatesIn(body, 'create response')];
}

/**
 * Returns the values of a body that may be the identifier, the likeliest first: strings and numbers, and the last
 * segments of links. A value may be in several places.
 */
export function candidatesIn(body: unknown, source: string): Identifier[] {
  const found: { identifier: Identifier; rank: number }[] = [];
  for (const { value, path } of valuesIn(body, SEARCHED_VALUES, SEARCHED_DEPTH)) {
    const text = textOf(value);
    if (text === undefined) continue;
    const where = path.join('.');
    const place = `${source}: ${where || 'the whole body'}`;
    const rank = identifierRank(`${path.at(-1) ?? ''}`, text, where);
    if (/\/[^/]+\/?$/.test(text)) {
      const linked = encodedIdentifier(lastSegment(text), `${place}${LINK_END}`);
      found.push(...linked.map((identifier) => ({ identifier, rank: Math.min(rank, 4) })));
    }
    found.push(...plainIdentifier(text, place).map((identifier) => ({ identifier, rank })));
  }
  const ranked = found.sort((a, b) => a.rank - b.rank).map(({ identifier }) => identifier);
  const segments = new Set(
    [...new Set(ranked.map(({ segment }) => segment))].slice(0, MOST_CANDIDATES),
  );
  return ranked.filter(({ segment }) => segments.has(segment));
}

const LINK_END = ' (its end)';

const mayBeSegment = (text: string) =>
  text.trim() !== '' && text.length <= LONGEST && text.isWellFormed();

const isDots = (text: string) => text === '.' || text === '..';

function plainIdentifier(text: string, place: string): Identifier[] {
  if (!mayBeSegment(text) || isDots(text)) return [];
  return [{ text, segment: segmentOf(text), place }];
}

function encodedIdentifier(segment: string, place: string): Identifier[] {
  const text = decodeSegment(segment);
  if (!mayBeSegment(segment) || text === undefined || isDots(text)) return [];
  return [{ text, segment, place }];
}

/** The last segment of an address's path; empty if that can be none. */
function lastSegment(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/\/$/, '');
  const segment = path.slice(path.lastIndexOf('/') + 1);
  return /[^\x21-\x7e]|[<>]/.test(segment) ? '' : segment;
}

/** Ranks a place; lower is likelier. */
export function placeRank(place: string): number {
  if (place === 'Location' || place.endsWith('the whole body')) return 0;
  if (place.startsWith('request: ')) return 9;
  if (place.endsWith(LINK_END)) return 1;
  const name = place.slice(place.lastIndexOf(': ') + 2);
  const last = name.slice(name.lastIndexOf('.') + 1);
  // Of two members of one name the outer one is likelier, and a create response is there without another request.
  const depth = name.split('.').length - 1;
  return identifierRank(last) + depth / 10 + (place.startsWith('list item') ? 0.05 : 0);
}

/** Whether a place says by its name that an identifier is there: a Location, a link, or a usual member. */
export const isUsualPlace = (place: string): boolean =>
  place.endsWith(LINK_END) || placeRank(place) < USUAL_NAME + 1;

/** How many identifiers of random-looking characters are made: a short one may belong to somebody after all. */
const ALTERNATIVES = 3;

/**
 * Makes identifiers that have the form of known ones but should belong to nobody. None begins with a known one, because
 * lenient lookups (12x for 12) are free. The same known ones give the same result.
 */
export function unknownIdentifiers(known: readonly string[]): string[] {
  const [sample = ''] = known;
  if (kindOf(sample) === 'integer') {
    // Nine digits fit into 32 bits, so that a service with such integers need not fail on them.
    const longest = Math.max(...known.map((text) => text.replace('-', '').length));
    const length = longest < 8 ? 9 : longest + 1;
    const far = [...'987654321'].map((digit) => digit.repeat(length));
    return [far.find((text) => beginsWithNone(text, known)) ?? '987654321'];
  }
  const prefix = commonPrefix(known);
  const long = prefix + longEnough(sample.slice(prefix.length));
  const others = Array.from({ length: ALTERNATIVES * 3 }, (_, shift) =>
    sameForm(long, [...prefix].length, shift + 1),
  );
  return others.filter((text) => beginsWithNone(text, known)).slice(0, ALTERNATIVES);
}

const beginsWithNone = (text: string, known: readonly string[]) =>
  known.every((identifier) => !text.startsWith(identifier));

/** The common beginning of several identifiers up to its last separator: `usr_` for `usr_x1` and `usr_y2`. */
function commonPrefix([sample = '', ...more]: readonly string[]): string {
  if (more.length === 0 || kindOf(sample) !== 'text') return '';
  const characters = [...sample];
  const differs = characters.findIndex((one, at) => more.some((other) => [...other][at] !== one));
  const shared = characters.slice(0, Math.max(0, differs)).join('');
  return shared.match(/^.*[^\p{L}\p{N}]/su)?.[0] ?? '';
}

/** Lengthens a short identifier such as `u-3`: another one of its length would soon be somebody's. */
function longEnough(sample: string): string {
  const varied = sample.match(/[\p{L}\p{N}\p{Extended_Pictographic}]/gu) ?? [];
  return varied.length < 6 ? sample + (varied.at(-1) ?? '0').repeat(8 - varied.length) : sample;
}

/** Kinds of characters of which one may stand for another; of hexadecimal digits only these. */
const HEXADECIMAL = [/[0-9]/, /[a-f]/, /[A-F]/];
const ANY_KIND = [/\p{Ll}/u, /\p{Lu}/u, /\p{L}/u, /\p{N}/u, /\p{Extended_Pictographic}/u];

/** Other characters of the same kinds, after a beginning that is kept. A UUID keeps its version and variant. */
function sameForm(sample: string, keptCharacters: number, shift: number): string {
  const isUuid = kindOf(sample) === 'UUID';
  const kinds = isUuid || /^[0-9a-f]{8,}$/.test(sample) ? HEXADECIMAL : ANY_KIND;
  const isKept = (at: number) => at < keptCharacters || (isUuid && [14, 19].includes(at));
  const characters = [...sample].map((character, at) => {
    return isKept(at) ? character : another(character, kinds, shift + 3 * at);
  });
  return characters.join('');
}

/** Another character of the same alphabet: one of the 64 around it that is of the same kind. */
function another(character: string, kinds: RegExp[], shift: number): string {
  const code = character.codePointAt(0) ?? 0;
  const kind = kinds.find((one) => one.test(character));
  const around = Array.from({ length: 64 }, (_, offset) =>
    String.fromCodePoint((code & ~63) + offset),
  );
  const alike = around.filter(
    (one) => one !== character && kind?.test(one) && one.normalize('NFC') === one,
  );
  return alike[shift % alike.length] ?? character;
}

/**
 * Whether a text is an identifier in another form, or begins with it, so that a lenient lookup may find it: other digits
 * (٣ for 3), full-width letters, another case, outer white space, a sign, leading zeros.
 */
export function isFormOf(text: string, identifier: string): boolean {
  if (identifier === '') return false;
  if (normalize(text) === normalize(identifier)) return true;
  // More digits are another number.
  const isLongerNumber = /^\d+$/.test(identifier) && /^\d/.test(text.slice(identifier.length));
  return text.startsWith(identifier) && !isLongerNumber;
}

function normalize(text: string): string {
  const folded = text.normalize('NFKC').trim().toLowerCase();
  const plain = folded.replaceAll(/\p{Nd}/gu, digitValue);
  if (!/^[+-]?[\d_]+(\.0*)?$/.test(plain)) return plain;
  return plain.replaceAll(/_|^[+-]|\..*/g, '').replace(/^0+(?=\d)/, '');
}

/** The value of a digit of any script: its digits stand in a row, from 0 to 9. */
function digitValue(character: string): string {
  const code = character.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return `${value}`;
}
