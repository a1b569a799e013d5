import { createRequire } from 'node:module';

// As CommonJS it is one file; as ES modules it is eleven, which take longer to load than all that they do in a run.
const lossless = createRequire(import.meta.url)('lossless-json') as typeof import('lossless-json');
const { isSafeNumber, parse, stringify } = lossless;

/** A number as it was written in a JSON text. */
export const { LosslessNumber } = lossless;
export type LosslessNumber = InstanceType<typeof LosslessNumber>;

/** Whether a value of a JSON body has one text: a string, or a number. */
export const isScalar = (value: unknown): value is string | number | bigint | LosslessNumber =>
  typeof value === 'string' || isNumber(value);

/** Whether a value is a JSON number; one that a double can't hold as it was written is kept as a LosslessNumber. */
export const isNumber = (value: unknown): value is number | bigint | LosslessNumber =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof LosslessNumber;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof LosslessNumber);

/** The text of a string or number, a number as it was written; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof LosslessNumber) return value.value;
  return isNumber(value) ? `${value}` : undefined;
}

/** Digits of a number that is kept as it was written: no identifier has more. */
const MOST_DIGITS = 1000;

/** A number of a JSON text: a double where that is the same number in the same writing, else the text itself. */
export function numberOf(digits: string): number | LosslessNumber {
  const number = Number(digits);
  if (digits.length > MOST_DIGITS) return number;
  return isSafeNumber(digits) && `${number}` === digits ? number : new LosslessNumber(digits);
}

/**
 * A number that a double may not hold as it was written: with a point or an exponent, with many digits, or a negative
 * zero.
 */
const ODD_NUMBER = /(?:^|[[,]|"[ \t\r\n]*:)[ \t\r\n]*(?:-0|-?\d+[.eE]|-?\d{16})/;

/**
 * Parses a JSON text (RFC 8259). A number that a double does not hold as it was written keeps its text. Throws a
 * SyntaxError where it is no JSON.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  // Ten times slower, so only where a number asks for it.
  if (!ODD_NUMBER.test(text)) return value;
  // It refuses duplicate members, and overflows in what is nested deep; the first parser takes both.
  try {
    return parse(text, undefined, numberOf);
  } catch {
    return value;
  }
}

/** Shortens a long text and says how long it was. Never splits a character. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}… (${text.length} characters)`;
}

/** Shortens a long text in the middle: two that differ at their ends still do. Never splits a character. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const begin = text.slice(0, Math.ceil(limit / 2)).replace(/[\ud800-\udbff]$/, '');
  const end = text.slice(-Math.floor(limit / 2)).replace(/^[\udc00-\udfff]/, '');
  return `${begin} … ${end} (${text.length} characters)`;
}

/** Members of a value that a sentence has room for, how deep it goes, and characters of all its texts. */
const [WIDTH, DEPTH, CHARACTERS] = [20, 4, 20_000];

/**
 * A value from a target as JSON for a sentence. Its texts are whole as far as that goes: the sentence is shortened when
 * the key is out of it, because what is cut before could end with a part of the key.
 */
export function show(value: unknown): string {
  let left = CHARACTERS;
  const text = (whole: string) => {
    const part = whole.slice(0, left);
    left -= part.length;
    return part;
  };
  const cut = (part: unknown, depth: number): unknown => {
    if (typeof part === 'string') return text(part);
    if (isNumber(part) || typeof part !== 'object' || part === null) return part;
    if (depth === 0) return '…';
    if (Array.isArray(part)) return part.slice(0, WIDTH).map((item) => cut(item, depth - 1));
    const members = Object.entries(part).slice(0, WIDTH);
    return Object.fromEntries(
      members.map(([name, member]) => [text(name), cut(member, depth - 1)]),
    );
  };
  return stringify(cut(value, DEPTH)) ?? 'nothing';
}
