import { Buffer } from 'node:buffer';
import { isEveryday } from '../settings/target.ts';
import { linesOf } from './lists.ts';

/** A part of a text, by its offsets. */
type Range = [start: number, end: number];

/** The removal of one secret from texts. */
export interface Redactor {
  /** The number of characters of the secret. */
  length: number;
  /** Replaces the secret by its mark. */
  redact: (text: string) => string;
  /** Whether a text contains the whole secret, or all of it but an end. */
  finds: (text: string) => boolean;
}

/**
 * Returns a redactor that finds a secret anywhere in a text. With `parts`, it also removes parts of
 * the secret, since a target may split it.
 */
export function redactorOf(secret: string, mark: string, options: { parts: boolean }): Redactor {
  const forms = formsOf(secret);
  const findFirst = makeFormFinder(forms, 1);
  const findForms = makeFormFinder(options.parts ? [...forms, ...partsOf(secret)] : forms);
  const runLength = Math.max(6, Math.floor(secret.length / 3));
  const findAll = (text: string) =>
    options.parts ? [...findForms(text), ...findRuns(text, secret, runLength)] : findForms(text);
  return {
    length: secret.length,
    redact: (text) => {
      const ranges = spellings(text).flatMap((spelling) =>
        findAll(spelling.text).map(
          ([start, end]): Range => [spelling.origin(start), spelling.origin(end)],
        ),
      );
      return replaceRanges(text, ranges, mark);
    },
    finds: (text) => spellings(text).some((spelling) => findFirst(spelling.text).length > 0),
  };
}

/** Returns a redactor for a word that is a secret only after certain names. It finds nothing. */
export function redactorAfterNames(word: string, names: string, mark: string): Redactor {
  const pattern = new RegExp(
    `((?:\\b|_)(?:${names})["'\\s:=]{1,4})${escapePattern(word)}(?![A-Za-z0-9])`,
    'gi',
  );
  return {
    length: word.length,
    redact: (text) => text.replace(pattern, `$1${mark}`),
    finds: () => false,
  };
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Returns parts that are no key but reveal most of it: its letters and digits, and its digits. */
function partsOf(secret: string): string[] {
  const parts = [secret.replace(/[^a-z0-9]/gi, ''), secret.replace(/[^0-9]/g, '')];
  return parts
    .filter((part) => part.length >= 6 && part !== secret)
    .map((part) => part.toLowerCase());
}

/**
 * Returns the forms of a key: as written, and without its first or last character unless the rest
 * is an everyday word; in base64 from any offset and in both alphabets; in hexadecimal; and as a
 * list of bytes. Base64 and hexadecimal also of UTF-16. All are in lower case, unless that is an
 * everyday word.
 */
function formsOf(key: string): string[] {
  const utf8 = Buffer.from(key);
  const encodings = [utf8, Buffer.from(key, 'utf16le'), Buffer.from(key, 'utf16le').swap16()];
  const written = spellings(key)
    .flatMap(({ text }) => [text, text.slice(1), text.slice(0, -1)])
    .filter((text) => !isEveryday(text));
  const base64 = encodings.flatMap((bytes) => [0, 1, 2].map((offset) => base64At(bytes, offset)));
  const hexadecimal = encodings.flatMap((bytes) => {
    const pairs = bytes.toString('hex').match(/../g) ?? [];
    return ['', ' ', '-', ':'].map((separator) => pairs.join(separator));
  });
  const byteLists = [',', ', '].map((separator) => [...utf8].join(separator));
  const forms = [...written, ...base64, ...hexadecimal, ...byteLists];
  const urlForms = forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([...forms, ...urlForms].map(lowerUnlessEveryday))];
}

function lowerUnlessEveryday(form: string): string {
  const lower = form.toLowerCase();
  return isEveryday(lower) ? form : lower;
}

/** Returns the characters of base64 that depend on these bytes alone, at an offset in a group. */
function base64At(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const start = Math.ceil((offset * 4) / 3);
  const end = Math.floor(((offset + bytes.length) * 4) / 3);
  return encoded.slice(start, end);
}

/** Returns the ranges of forms in a text. */
type FormFinder = (text: string) => Range[];

/** Characters at the beginning of a form that a first search looks for. */
const BEGINNING = 6;

/** Makes a finder of at most so many ranges. It finds forms in lower case in any case. */
function makeFormFinder(forms: readonly string[], most = Number.POSITIVE_INFINITY): FormFinder {
  const beginnings = new Set(forms.map((form) => escapePattern(form.slice(0, BEGINNING))));
  const pattern = new RegExp([...beginnings].join('|'), 'gi');
  return (text) => {
    const ranges: Range[] = [];
    pattern.lastIndex = 0;
    while (ranges.length < most) {
      const match = pattern.exec(text);
      if (match === null) break;
      const start = match.index;
      for (const form of forms) {
        const end = start + form.length;
        const candidate = text.slice(start, end);
        if (candidate === form || candidate.toLowerCase() === form) ranges.push([start, end]);
      }
      // A form may begin within another.
      pattern.lastIndex = start + 1;
    }
    return ranges;
  };
}

/**
 * Returns the ranges in a text of at least so many adjacent characters of a key. Each of them
 * contains a chunk of half the length, so only these are searched for.
 */
export function findRuns(text: string, key: string, runLength: number): Range[] {
  const least = Math.min(key.length, runLength);
  const size = Math.ceil(least / 2);
  const ranges: Range[] = [];
  for (let keyStart = 0; keyStart + size <= key.length; keyStart += size) {
    const chunk = key.slice(keyStart, keyStart + size);
    let index = text.indexOf(chunk);
    while (index >= 0) {
      const [start, end] = widen(text, key, index, keyStart, size);
      if (end - start >= least) ranges.push([start, end]);
      index = text.indexOf(chunk, index + 1);
    }
  }
  return ranges;
}

/** Widens a match of a chunk of the key as far as text and key are equal. */
function widen(text: string, key: string, index: number, keyStart: number, size: number): Range {
  let before = 0;
  while (before < keyStart && text[index - before - 1] === key[keyStart - before - 1]) {
    before += 1;
  }
  let after = size;
  while (keyStart + after < key.length && text[index + after] === key[keyStart + after]) {
    after += 1;
  }
  return [index - before, index + after];
}

/** Replaces each range of a text. Adjacent ranges become one. */
function replaceRanges(text: string, ranges: Range[], mark: string): string {
  let result = '';
  let lastEnd = -1;
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    if (start > lastEnd) result += text.slice(Math.max(0, lastEnd), start) + mark;
    lastEnd = Math.max(lastEnd, end);
  }
  return result + text.slice(Math.max(0, lastEnd));
}

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

/** Returns a text and its decoded spellings, while there are encodings to undo. */
export function spellings(text: string): Spelling[] {
  let spelling: Spelling | undefined = { text, origin: (offset) => offset };
  const all: Spelling[] = [];
  while (spelling !== undefined) {
    all.push(spelling);
    spelling = all.length <= ROUNDS ? decodeOnce(spelling) : undefined;
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

/** Undoes one encoding of each character; undefined if there is none. */
function decodeOnce({ text, origin }: Spelling): Spelling | undefined {
  if (!MARKS.some((mark) => text.includes(mark))) return undefined;
  const decoded = text.replace(ENCODED, (...match: Match) => decodeMatch(match));
  if (decoded.length === text.length) return undefined;
  // Computed only for a secret that was found: a long text has many shifts.
  let shifts: Shift[] | undefined;
  return {
    text: decoded,
    origin: (offset) => {
      shifts ??= shiftsIn(text);
      const shift = shifts.findLast(({ from }) => from <= offset);
      return origin(offset + (shift?.by ?? 0));
    },
  };
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
