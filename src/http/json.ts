import { parse } from 'lossless-json';
import { numberOf } from './value.ts';

/** What the suite reads of a JSON text; no sentence of the interface comes near to these. */
const LIMITS = {
  /** Levels of nesting: deeper ones overflow parsers that recurse. */
  depth: 1000,
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
  const scanner = new Scanner();
  scanner.push(text);
  return parseScanned(text, scanner.odd);
}

/** The same for a text that was scanned already; `odd` says whether the scanner found odd numbers in it. */
export function parseScanned(text: string, odd: boolean): unknown {
  const value: unknown = JSON.parse(text);
  if (!odd) return value;
  // Ten times slower, so only where a number asks for it. It refuses duplicate members, which the first parser takes.
  try {
    return parse(text, undefined, numberOf);
  } catch {
    return value;
  }
}

export const [COMMA, OPEN_ARRAY, OPEN_OBJECT] = [0x2c, 0x5b, 0x7b];
const QUOTE = 0x22;
const [MINUS, ZERO, NINE] = [0x2d, 0x30, 0x39];
const CLOSE_ARRAY = 0x5d;
const CLOSE_OBJECT = 0x7d;

/** Called with a bracket, brace or comma; the level of what it stands in, 0 for the top; and its place. */
export type Structure = (code: number, level: number, at: number) => void;

/** Looks at a JSON text, which may come in parts, before it is parsed. It need not be valid. */
export class Scanner {
  /** Whether there was a number with a point or an exponent, or with more digits than a double is sure to hold. */
  odd = false;
  #inString = false;
  #depth = 0;
  #escaped = false;
  /** The place of a backslash in the part at hand; before the place that is looked at, it is not known. */
  #backslash = -1;
  #digits = 0;
  #isMinus = false;
  readonly #see: Structure | undefined;
  readonly #levels: number;

  /** With `see`, tells of the structure down to a level. */
  constructor(see?: Structure, levels = -1) {
    this.#see = see;
    this.#levels = levels;
  }

  /** Looks at the next part. Throws TooMuch. */
  push(text: string): void {
    this.#backslash = -1;
    for (let at = 0; at < text.length; at += 1) {
      if (this.#inString) {
        at = this.#endOfString(text, at);
        if (this.#inString) return;
        continue;
      }
      const code = text.charCodeAt(at);
      if ((code >= ZERO && code <= NINE) || code === MINUS || (this.#digits > 0 && isInNumber(code))) {
        this.#number(code);
        continue;
      }
      this.#digits = 0;
      if (code === QUOTE) this.#inString = true;
      else if (code === COMMA) this.#tell(code, at);
      else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
        this.#tell(code, at);
        this.#depth += 1;
        if (this.#depth > LIMITS.depth) throw new TooMuch(`it is nested more than ${LIMITS.depth} levels deep`);
      } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
        this.#depth -= 1;
        this.#tell(code, at);
      }
    }
  }

  #tell(code: number, at: number): void {
    if (this.#depth <= this.#levels) this.#see?.(code, this.#depth, at);
  }

  /** The place of the quote that ends the string, or the end of the part. */
  #endOfString(text: string, from: number): number {
    let at = this.#escaped ? from + 1 : from;
    let quote = -1;
    this.#escaped = false;
    // Both are looked for again only when they are passed, so the time grows with the length alone.
    for (;;) {
      if (quote < at) quote = placeOf(text, '"', at);
      if (this.#backslash < at) this.#backslash = placeOf(text, '\\', at);
      if (quote < this.#backslash) {
        this.#inString = false;
        return quote;
      }
      if (this.#backslash >= text.length) return text.length;
      at = this.#backslash + 2;
      // What is escaped begins the next part.
      this.#escaped = at > text.length;
    }
  }

  #number(code: number): void {
    this.#digits += 1;
    if (this.#digits > LIMITS.digits) throw new TooMuch(`it has a number of more than ${LIMITS.digits} digits`);
    if (this.#digits === 1) this.#isMinus = code === MINUS;
    else if (this.#digits > 15 || code < ZERO || code > NINE) this.odd = true;
    else if (this.#digits === 2 && this.#isMinus && code === ZERO) this.odd = true;
  }
}

/** The place of a character, or the end of the text. */
function placeOf(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at < 0 ? text.length : at;
}

/** A point, a sign, or the letter of an exponent. */
function isInNumber(code: number): boolean {
  return code === 0x2e || code === MINUS || code === 0x2b || code === 0x65 || code === 0x45;
}
