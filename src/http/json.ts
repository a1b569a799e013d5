import { parse } from 'lossless-json';
import { isObject, numberOf } from './value.ts';

/** What the suite reads of a JSON text; no sentence of the interface comes near to these. */
const LIMITS = {
  /** Levels of nesting: deeper ones overflow parsers that recurse. */
  depth: 1000,
  /** Values: 200,000 users of a dozen members, within 500 MiB. */
  values: 3_000_000,
  /** Digits of one number: the time to parse one grows with their square. */
  digits: 1000,
};

/** A JSON text that may well be valid, but is more than the suite reads. */
export class TooMuch extends Error {}

/**
 * Parses a JSON text (RFC 8259). A number that a double does not hold as it was written keeps its text. Throws TooMuch
 * beyond the suite's own limits, and a SyntaxError where it is no JSON.
 */
export function parseJson(text: string): unknown {
  const { odd } = scan(text);
  const value: unknown = JSON.parse(text);
  if (!odd) return value;
  // Ten times slower, so only where a number asks for it. It refuses duplicate members, which the first parser takes.
  try {
    const exact = parse(text, undefined, numberOf);
    // A total is judged as the number that it is: 3.0 and 1e2 are integers.
    if (isObject(exact) && isObject(value) && Object.hasOwn(exact, 'total')) exact.total = value.total;
    return exact;
  } catch {
    return value;
  }
}

const [QUOTE, BACKSLASH, MINUS, POINT] = [0x22, 0x5c, 0x2d, 0x2e];

/** Looks at a text before it is parsed. Throws TooMuch. */
function scan(text: string): { odd: boolean } {
  let [depth, values, odd] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
      if (depth > LIMITS.depth) throw new TooMuch(`it is nested more than ${LIMITS.depth} levels deep`);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === 0x2c) values += 1;
    else if (isDigit(code) || code === MINUS) {
      const end = endOfNumber(text, at);
      if (end - at > LIMITS.digits) throw new TooMuch(`it has a number of more than ${LIMITS.digits} digits`);
      odd ||= isOdd(text, at, end);
      at = end - 1;
    }
    if (values > LIMITS.values) throw new TooMuch(`it has more than ${LIMITS.values.toLocaleString('en')} values`);
  }
  return { odd };
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote;
  while (text.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (let code = text.charCodeAt(end); isDigit(code) || isInNumber(code); code = text.charCodeAt(end)) end += 1;
  return end;
}

/** A point, a sign, or the letter of an exponent. */
function isInNumber(code: number): boolean {
  return code === POINT || code === MINUS || code === 0x2b || code === 0x65 || code === 0x45;
}

/** Whether a number has a point or an exponent, or more digits than a double is sure to hold. */
function isOdd(text: string, start: number, end: number): boolean {
  if (end - start > 15) return true;
  for (let at = start + 1; at < end; at += 1) if (isInNumber(text.charCodeAt(at))) return true;
  return text.charCodeAt(start) === MINUS && text.charCodeAt(start + 1) === 0x30;
}
