import type { Identifier } from '../history/creation.ts';
import { identifierRank, USUAL_NAME } from '../history/identifier-member.ts';
import { valuesIn } from '../history/record.ts';
import { type Exchange, header } from '../http/exchange.ts';
import { isNumber, textOf } from '../http/value.ts';

export type IdentifierKind = 'integer' | 'UUID' | 'email' | 'text';

/** Returns the kind of an identifier by its form. */
export function kindOf(text: string): IdentifierKind {
  if (/^-?\d+$/.test(text)) return 'integer';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return 'UUID';
  return /^[^@\s]+@[^@\s]+$/.test(text) ? 'email' : 'text';
}

/** Returns an identifier as a path segment, percent-encoded as RFC 3986 section 3.3 requires. */
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

/** Returns the values of a create response that may be the identifier: in its Location and body. */
export function candidatesOf(exchange: Exchange, body: unknown): Identifier[] {
  const location = header(exchange, 'location') ?? '';
  // The Location of a 202 may be that of a job.
  const isOfUser = /^([^/?#]*|.*users\/[^/?#]*\/?)([?#].*)?$/i.test(location);
  const place = isOfUser ? 'Location' : 'Location elsewhere';
  return [...fromSegment(lastSegment(location), place), ...candidatesIn(body, 'create response')];
}

/** Values of one response that are tried, at most: a record may have three dozen members. */
export const MOST_CANDIDATES = 40;

/** Values of a body that are searched, at most. */
const SEARCHED_VALUES = 1000;
const SEARCHED_DEPTH = 12;

/** The rank of a link whose member has no likelier name. */
const LINK_RANK = 4;

/** The suffix of a place whose value is a link that ends with the identifier. */
const LINK_END = ' (its end)';

/**
 * Returns the values of a body that may be the identifier, the likeliest first: strings and
 * numbers, and the last segments of links. A value may be in several places.
 */
export function candidatesIn(body: unknown, source: string): Identifier[] {
  const candidates: { identifier: Identifier; rank: number }[] = [];
  for (const { value, path } of valuesIn(body, SEARCHED_VALUES, SEARCHED_DEPTH)) {
    const text = textOf(value);
    if (text === undefined) continue;
    const pathText = path.join('.');
    const place = `${source}: ${pathText || 'the whole body'}`;
    const rank = identifierRank(`${path.at(-1) ?? ''}`, text, pathText);
    if (/\/[^/]+\/?$/.test(text)) {
      const linkRank = Math.min(rank, LINK_RANK);
      for (const identifier of fromSegment(lastSegment(text), `${place}${LINK_END}`)) {
        candidates.push({ identifier, rank: linkRank });
      }
    }
    for (const identifier of fromText(text, place)) candidates.push({ identifier, rank });
    const [, integer] = /^(-?\d+)\.0+$/.exec(text) ?? [];
    if (integer !== undefined && isNumber(value)) {
      const identifier = { text: integer, segment: integer, place: `${place} (as an integer)` };
      candidates.push({ identifier, rank });
    }
  }
  candidates.sort((a, b) => a.rank - b.rank);
  const ranked = candidates.map(({ identifier }) => identifier);
  const segments = [...new Set(ranked.map(({ segment }) => segment))];
  const likeliest = new Set(segments.slice(0, MOST_CANDIDATES));
  return ranked.filter(({ segment }) => likeliest.has(segment));
}

/** Returns the identifier that a text may be, in an array; an empty array if it may be none. */
function fromText(text: string, place: string): Identifier[] {
  if (!mayBeSegment(text) || isDots(text)) return [];
  return [{ text, segment: segmentOf(text), place }];
}

/** Does the same for a path segment, which stays as the service has encoded it. */
function fromSegment(segment: string, place: string): Identifier[] {
  const text = decodeSegment(segment);
  if (!mayBeSegment(segment) || text === undefined || isDots(text)) return [];
  return [{ text, segment, place }];
}

/** Characters of a segment that servers accept in a path. */
const LONGEST_SEGMENT = 6000;

const mayBeSegment = (text: string): boolean =>
  text.trim() !== '' && text.length <= LONGEST_SEGMENT && text.isWellFormed();

/** Whether a text is a segment that URLs leave out. */
const isDots = (text: string): boolean => text === '.' || text === '..';

/** Returns the last segment of the path of an address; empty if it is not a valid segment. */
function lastSegment(address: string): string {
  const path = address.replace(/[?#].*$/s, '').replace(/\/$/, '');
  const segment = path.slice(path.lastIndexOf('/') + 1);
  return /[^\x21-\x7e]|[<>]/.test(segment) ? '' : segment;
}

/** After a member `id` or `_id`, which more responses have. */
const LOCATION_RANK = 0.5;

/** Before any other member: a service may show the email as sent and identify by the lower case. */
const REQUEST_RANK = 4.5;

/** Ranks a place of identifiers; lower is likelier. */
export function placeRank(place: string): number {
  if (place.endsWith('the whole body')) return 0;
  if (place === 'Location') return LOCATION_RANK;
  if (place.startsWith('request: ')) return REQUEST_RANK;
  if (place.endsWith(LINK_END)) return 1;
  const path = place.slice(place.lastIndexOf(': ') + 2);
  const member = path.slice(path.lastIndexOf('.') + 1);
  // Outer members are likelier than nested ones. A create response needs no further request, and a
  // list may have pages.
  const depth = path.split('.').length - 1;
  const listPenalty = place.startsWith('list item') ? 0.55 : 0;
  return identifierRank(member) + depth / 10 + listPenalty;
}

/** Whether the name of a place suggests an identifier: a Location, a link, a usual member. */
export const isUsualPlace = (place: string): boolean =>
  place.endsWith(LINK_END) || placeRank(place) < USUAL_NAME + 1;

/** Random-looking identifiers that are made: a single short one may belong to a user after all. */
const ALTERNATIVES = 3;

/**
 * Returns identifiers that have the form of known ones but should belong to no user: an integer far
 * above them, another UUID, or as many characters of the same kinds. None begins with a known one,
 * because lenient lookups (12x for 12) are allowed. The same known ones give the same result.
 */
export function unknownIdentifiers(known: readonly string[]): string[] {
  const [sample = ''] = known;
  if (kindOf(sample) === 'integer') return [unknownInteger(known)];
  const start = sharedLength(known);
  const kept = sample.slice(0, start);
  const varied = kindOf(sample) === 'UUID' ? sample : longEnough(sample.slice(start));
  const shifts = Array.from({ length: 3 * ALTERNATIVES }, (_, index) => index + 1);
  const candidates = shifts.map((shift) => kept + shiftCharacters(varied, shift));
  return candidates.filter((text) => beginsWithNone(text, known)).slice(0, ALTERNATIVES);
}

/** Returns an integer of nine digits, which fits into 32 bits, unless known ones are longer. */
function unknownInteger(known: readonly string[]): string {
  const longest = Math.max(...known.map((text) => text.replace('-', '').length));
  const length = longest < 8 ? 9 : longest + 1;
  const integers = [...'987654321'].map((digit) => digit.repeat(length));
  return integers.find((text) => beginsWithNone(text, known)) ?? '987654321';
}

const beginsWithNone = (text: string, known: readonly string[]): boolean =>
  known.every((identifier) => !text.startsWith(identifier));

/** Returns the length of the common beginning, up to its last separator: 4 for `usr_x1`, `usr_y2`. */
function sharedLength([sample = '', ...others]: readonly string[]): number {
  if (others.length === 0 || kindOf(sample) !== 'text') return 0;
  const isShared = (end: number) => others.every((text) => text.startsWith(sample.slice(0, end)));
  const ends = [...sample.matchAll(/[^\p{L}\p{N}]/gu)].map(({ index }) => index + 1);
  return ends.findLast(isShared) ?? 0;
}

/** Lengthens a text such as `3`: an identifier as short would soon belong to a user. */
function longEnough(text: string): string {
  const varied = text.match(/[\p{L}\p{N}\p{Extended_Pictographic}]/gu) ?? [];
  return varied.length < 6 ? text + (varied.at(-1) ?? '0').repeat(8 - varied.length) : text;
}

/** Characters that replace each other. */
const ALPHABETS = ['0123456789', 'abcdef', 'ABCDEF'];
const LETTERS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The positions of the version and the variant in a UUID. */
const UUID_FIXED = [14, 19];

/** Replaces each character by a later one of the same alphabet, a letter of another script by the next. */
function shiftCharacters(text: string, shift: number): string {
  const isUuid = kindOf(text) === 'UUID';
  const isHexadecimal = isUuid || /^[0-9a-f]{8,}$/.test(text);
  const alphabets = isHexadecimal ? ALPHABETS : [...ALPHABETS.slice(0, 1), ...LETTERS];
  const shifted = [...text].map((character, index) => {
    if (isUuid && UUID_FIXED.includes(index)) return character;
    const alphabet = alphabets.find((letters) => letters.includes(character));
    if (alphabet) {
      const position = alphabet.indexOf(character) + shift + 3 * index;
      return alphabet.charAt(position % alphabet.length);
    }
    const next = String.fromCodePoint((character.codePointAt(0) ?? 0) + shift);
    return /[^\p{ASCII}]/u.test(character) && /[\p{L}\p{Extended_Pictographic}]/u.test(next)
      ? next
      : character;
  });
  return shifted.join('').normalize('NFC');
}

/**
 * Whether a text is an identifier in another form, or begins with it, so that a lenient lookup may
 * find it: other digits (٣ for 3), full-width letters, another case, outer white space, a sign,
 * leading zeros.
 */
export function isFormOf(text: string, identifier: string): boolean {
  if (identifier === '') return false;
  if (normalize(text) === normalize(identifier)) return true;
  // A number with more digits is another number.
  const isLongerNumber = /^\d+$/.test(identifier) && /^\d/.test(text.slice(identifier.length));
  return text.startsWith(identifier) && !isLongerNumber;
}

function normalize(text: string): string {
  const folded = text.normalize('NFKC').trim().toLowerCase();
  const plain = folded.replaceAll(/\p{Nd}/gu, digitValue);
  if (!/^[+-]?[\d_]+(\.0*)?$/.test(plain)) return plain;
  return plain.replaceAll(/_|^[+-]|\..*/g, '').replace(/^0+(?=\d)/, '');
}

/** Returns the value of a digit of any script: the digits of each have consecutive code points. */
function digitValue(character: string): string {
  const code = character.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return `${value}`;
}
