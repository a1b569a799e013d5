import { linesOf } from './lists.ts';

/** A part of a text, by its offsets. */
export type Range = [start: number, end: number];

/** A text as received, or with character encodings undone once or several times. */
interface Spelling {
  text: string;
  /** Returns the offset in the received text of a character of this one. */
  origin: (offset: number) => number;
}

/**
 * The most nested encodings that are undone: a proxy's log of a framework's JSON of a template's
 * HTML has three.
 */
const ROUNDS = 5;

/**
 * Returns a text, and its decoded spellings while there are encodings to undo. They lack characters
 * that are further than `reach` from an encoded one: a long list has few.
 */
export function spellings(text: string, reach = Number.POSITIVE_INFINITY): Spelling[] {
  let latest: Spelling[] = [{ text, origin: (offset) => offset }];
  let all: Spelling[] = [];
  for (let round = 0; round <= ROUNDS && latest.length > 0; round += 1) {
    all = all.concat(latest);
    latest = latest.flatMap((spelling) => decodeOnce(spelling, reach));
  }
  return all;
}

/** The characters of HTML, by their names. */
const ENTITIES = new Map(
  linesOf('entities').map((line) => {
    const [name = '', character = ''] = line.split(' ');
    return [name, character];
  }),
);

/**
 * An encoded character in any of the ways in which programs write it. After backslashes (JSON,
 * JavaScript, shells): `\u002b`, `\x2b`, `\u{2b}`, `\053`, or the character itself. In URLs: `%2b`.
 * In HTML: `&#43;`, `&#x2b;` or `&plus;`. Also each of these encoded again, and the NUL that UTF-16
 * has beside a character, which comes before a backslash. No alternative backtracks, so that long
 * texts stay quick.
 */
const ENCODED = new RegExp(
  [
    String.raw`\\+(?:u00([0-7][\da-f])|x([0-7][\da-f])|u\{0{0,8}([0-7]?[\da-f])\}|([01][0-7]{2})|(?!\0|u[^0{]|u0[^0]))`,
    '%(?:25)*([0-7][\\da-f])',
    `&(?:amp;)*(?:#0*(\\d{1,3})(?!\\d);?|#x0*([0-7]?[\\da-f])(?![\\da-f]);?|(${[...ENTITIES.keys()].join('|')});)`,
    '\\0+',
  ].join('|'),
  'gi',
);

/** Characters of which each encoding has one. Most texts have none, which is quick to check. */
const MARKS = ['\\', '%', '&', '\0'];

/** The text of a match of ENCODED, and its groups. */
type Match = readonly (string | undefined)[];

function decodeMatch(match: Match): string {
  const [, unicode, short, braced, octal, percent, decimal, hexadecimal, name] = match;
  const base16 = unicode ?? short ?? braced ?? percent ?? hexadecimal;
  if (base16 !== undefined) return String.fromCharCode(Number.parseInt(base16, 16));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return name === undefined ? '' : (ENTITIES.get(name.toLowerCase()) as string);
}

/** Undoes one encoding of each character. Returns the parts of the text that have encodings. */
function decodeOnce({ text, origin }: Spelling, reach: number): Spelling[] {
  return partsWithEncodings(text, reach).map(([start, end]) => {
    const part = text.slice(start, end);
    // Computed only for a secret that was found: a long text has many shifts.
    let shifts: Shift[] | undefined;
    return {
      text: part.replace(ENCODED, (...match: Match) => decodeMatch(match)),
      origin: (offset) => {
        shifts ??= shiftsIn(part);
        const shift = shifts.findLast(({ from }) => from <= offset);
        return origin(start + offset + (shift?.by ?? 0));
      },
    };
  });
}

function partsWithEncodings(text: string, reach: number): Range[] {
  if (!MARKS.some((mark) => text.includes(mark))) return [];
  const parts: Range[] = [];
  for (const { 0: encoded, index } of text.matchAll(ENCODED)) {
    const start = Math.max(0, index - reach);
    const end = index + encoded.length + reach;
    const last = parts.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = end;
    else parts.push([start, end]);
  }
  return parts;
}

/** The distance between offsets in the decoded text, from one on, and in the encoded text. */
interface Shift {
  from: number;
  by: number;
}

/** Returns a shift for each encoded character of a text. */
function shiftsIn(text: string): Shift[] {
  let by = 0;
  return Array.from(text.matchAll(ENCODED), (match) => {
    const character = decodeMatch(match);
    const from = match.index - by + character.length;
    by += match[0].length - character.length;
    return { from, by };
  });
}
