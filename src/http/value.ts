import { createRequire } from 'node:module';

// The CommonJS build is one file. The ES modules are eleven, which take longer to load than to run.
const lossless = createRequire(import.meta.url)('lossless-json') as typeof import('lossless-json');
const { isSafeNumber, parse, stringify } = lossless;

/** A number with the digits of its JSON text. */
export const { LosslessNumber } = lossless;
export type LosslessNumber = InstanceType<typeof LosslessNumber>;

/** Whether a value is a JSON number. It is a LosslessNumber if a double can't hold its digits. */
export const isNumber = (value: unknown): value is number | bigint | LosslessNumber =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof LosslessNumber;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof LosslessNumber);

/** Returns the text of a string or number, a number with its digits as written. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof LosslessNumber) return value.value;
  return isNumber(value) ? `${value}` : undefined;
}

/** The most digits of a number that is preserved as written: no identifier has more. */
const MOST_DIGITS = 1000;

/** Returns a number of a JSON text: a double if it has the same digits, else the digits. */
export function numberOf(digits: string): number | LosslessNumber {
  const number = Number(digits);
  if (digits.length > MOST_DIGITS) return number;
  const isSame = isSafeNumber(digits) && `${number}` === digits;
  return isSame ? number : new LosslessNumber(digits);
}

/**
 * A number whose digits a double may lose: with a point or an exponent, with many digits, or a
 * negative zero.
 */
const ODD_NUMBER = /(?:^|[[,]|"[ \t\r\n]*:)[ \t\r\n]*(?:-0|-?\d+[.eE]|-?\d{16})/;

/**
 * Parses a JSON text (RFC 8259) and preserves the digits of numbers that a double can't hold.
 * Throws a SyntaxError.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // The second parser is ten times slower.
  if (!ODD_NUMBER.test(text)) return value;
  // It rejects duplicate members, and overflows if they are nested deep. JSON.parse does neither.
  try {
    return parse(text, undefined, numberOf);
  } catch {
    return value;
  }
}

/** Shortens a long text and appends its length. Never splits a character. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const beginning = withoutHalfAtEnd(text.slice(0, limit));
  return `${beginning}… (${text.length} characters)`;
}

/** Shortens a long text in the middle, so that its ends still show. Never splits a character. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const beginning = withoutHalfAtEnd(text.slice(0, Math.ceil(limit / 2)));
  const end = text.slice(-Math.floor(limit / 2)).replace(/^[\udc00-\udfff]/, '');
  return `${beginning} … ${end} (${text.length} characters)`;
}

/** Removes the first half of a surrogate pair from the end of a text. */
const withoutHalfAtEnd = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');

/** The most members of an object or array in a sentence. */
const WIDTH = 20;

/** The most levels of a value in a sentence. */
const DEPTH = 4;

/** The most characters of all texts of a value in a sentence. */
const CHARACTERS = 20_000;

/**
 * Returns a value of a response as JSON for a sentence. A text is whole or left out, and so are
 * numbers in a row, which may be bytes: the key must be removed before anything is cut, as the end
 * could be a part of the key.
 */
export function show(value: unknown): string {
  let charactersLeft = CHARACTERS;
  const limitText = (text: string) => {
    if (text.length > charactersLeft) return `… (${text.length} characters)`;
    charactersLeft -= text.length;
    return text;
  };
  const limit = (part: unknown, depth: number): unknown => {
    if (typeof part === 'string') return limitText(part);
    if (isNumber(part) || typeof part !== 'object' || part === null) return part;
    if (depth === 0) return '…';
    if (Array.isArray(part)) {
      if (part.length > WIDTH && part.every(isNumber)) return `… (${part.length} numbers)`;
      return part.slice(0, WIDTH).map((item) => limit(item, depth - 1));
    }
    const members = Object.entries(part).slice(0, WIDTH);
    return Object.fromEntries(
      members.map(([name, member]) => [limitText(name), limit(member, depth - 1)]),
    );
  };
  return stringify(limit(value, DEPTH)) ?? 'nothing';
}
