import { Buffer } from 'node:buffer';
import { isEveryday } from '../settings/target.ts';
import { linesOf } from './lists.ts';

/** From where to where in a text. */
type Range = [start: number, end: number];

/** How one secret, of so many characters, is taken out of a text, and found. */
export type Cleaning = ReturnType<typeof anywhere>;

/** Finds a secret wherever it stands, and parts of it, over which a target may have split it. */
export function anywhere(secret: string, mark: string, alsoParts = true) {
  const forms = formsOf(secret);
  // A refusal may well repeat these: they are no key, and tell most of it.
  const parts = [secret.replace(/[^a-z0-9]/gi, ''), secret.replace(/[^0-9]/g, '')]
    .filter((part) => part.length >= 6 && part !== secret)
    .map((part) => part.toLowerCase());
  const [hiddenIn, formsIn] = [
    formFinder(alsoParts ? [...forms, ...parts] : forms),
    formFinder(forms, 1),
  ];
  const runsIn = alsoParts
    ? runFinder(secret, Math.max(6, Math.floor(secret.length / 3)))
    : () => [];
  return {
    length: secret.length,
    clean: (text: string) => {
      const ranges = spellings(text).flatMap(({ text: spelling, origin }) =>
        [...hiddenIn(spelling), ...runsIn(spelling)].map(
          ([start, end]): Range => [origin(start), origin(end)],
        ),
      );
      return replaced(text, ranges, mark);
    },
    finds: (text: string) => spellings(text).some((one) => formsIn(one.text).length > 0),
  };
}

/** A word is a secret only where it stands after one of some names. */
export function inCompany(word: string, names: string, mark: string): Cleaning {
  const pattern = new RegExp(
    `((?:\\b|_)(?:${names})["'\\s:=]{1,4})${escaped(word)}(?![A-Za-z0-9])`,
    'gi',
  );
  return {
    length: word.length,
    clean: (text) => text.replace(pattern, `$1${mark}`),
    finds: () => false,
  };
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * The key as it is and without its first or last character, where that is no everyday word; in base64, by both
 * alphabets and wherever it stands in what was encoded; in hexadecimal and as bytes in a row; the former two also of
 * UTF-16. In lower case, unless that would be an everyday word.
 */
function formsOf(key: string) {
  const written = spellings(key).flatMap(({ text: one }) => [one, one.slice(1), one.slice(0, -1)]);
  const bytes = [
    Buffer.from(key),
    Buffer.from(key, 'utf16le'),
    Buffer.from(key, 'utf16le').swap16(),
  ];
  const forms = [
    ...written.filter((one) => !isEveryday(one)),
    ...bytes.flatMap((one) => [0, 1, 2].map((before) => base64At(one, before))),
    ...bytes.flatMap((one) =>
      ['', ' ', '-', ':'].map((between) => (one.toString('hex').match(/../g) ?? []).join(between)),
    ),
    ...[',', ', '].map((between) => [...Buffer.from(key)].join(between)),
  ];
  const inUrls = forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const asLookedFor = [...forms, ...inUrls].map((form) =>
    isEveryday(form.toLowerCase()) ? form : form.toLowerCase(),
  );
  return [...new Set(asLookedFor)];
}

/** The base64 of bytes with others before them, as far as those, and what follows, don't change it. */
function base64At(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
}

/** Characters of a form by which it is looked for. */
const BEGINNING = 6;

/** Finds the places of forms, or the first ones, in any case of those in lower case. */
function formFinder(forms: string[], most = Number.POSITIVE_INFINITY): (text: string) => Range[] {
  const beginnings = new Set(forms.map((form) => escaped(form.slice(0, BEGINNING))));
  const begins = new RegExp([...beginnings].join('|'), 'gi');
  return (text) => {
    const found: Range[] = [];
    begins.lastIndex = 0;
    for (let next = begins.exec(text); next && found.length < most; next = begins.exec(text)) {
      const at = next.index;
      for (const form of forms) {
        const there = text.slice(at, at + form.length);
        if (there === form || there.toLowerCase() === form) found.push([at, at + form.length]);
      }
      // One may begin within another.
      begins.lastIndex = at + 1;
    }
    return found;
  };
}

/** Finds runs of so many characters of the key at least: each has one of the parts of half the length in it. */
export function runFinder(key: string, characters: number): (text: string) => Range[] {
  const least = Math.min(key.length, characters);
  const size = Math.ceil(least / 2);
  const starts = Array.from({ length: Math.floor(key.length / size) }, (_, index) => index * size);
  return (text) => {
    const found: Range[] = [];
    for (const start of starts) {
      const part = key.slice(start, start + size);
      for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
        let [before, after] = [0, size];
        while (before < start && text[at - before - 1] === key[start - before - 1]) before += 1;
        while (start + after < key.length && text[at + after] === key[start + after]) after += 1;
        if (before + after >= least) found.push([at - before, at + after]);
      }
    }
    return found;
  };
}

/** The text with each of the ranges replaced; those that touch become one. */
function replaced(text: string, ranges: Range[], mark: string): string {
  let result = '';
  let last = -1;
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    if (start > last) result += text.slice(Math.max(0, last), start) + mark;
    last = Math.max(last, end);
  }
  return result + text.slice(Math.max(0, last));
}

/** A text as it came, or with the encodings of its characters undone once or several times. */
interface Spelling {
  text: string;
  /** The place in the text as it came where the character at a place of this one begins. */
  origin: (at: number) => number;
}

/**
 * So often are encodings within encodings undone: a proxy's log of a framework's JSON of a template's HTML has three.
 */
const ROUNDS = 5;

/** Names by which HTML writes characters. */
const ENTITIES = new Map(
  linesOf('entities').map((line) => line.split(' ') as [name: string, character: string]),
);

/**
 * One character in any of the ways in which programs write it: behind backslashes (JSON, JavaScript, shells), as
 * `\u002b`, `\x2b`, `\u{2b}` or `\053`, as `%2b`, as `&#43;`, `&#x2b;` or `&plus;`, each also encoded again; or the NUL
 * that stands beside a character in UTF-16, which goes before a backslash that it stands behind. Nothing is tried twice
 * on a long text.
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

/** What is in every text that has an encoded character: most have none of them, and that is faster to see. */
const MARKS = ['\\', '%', '&', '\0'];

type Groups = [string, ...(string | undefined)[]];

function decoded([, u, x, braced, octal, percent, decimal, hex, name]: Groups): string {
  const base16 = u ?? x ?? braced ?? percent ?? hex;
  if (base16 !== undefined) return String.fromCharCode(Number.parseInt(base16, 16));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return name === undefined ? '' : (ENTITIES.get(name.toLowerCase()) as string);
}

/** The spellings of a text: itself, and what is left when its encodings are undone, as long as there are any. */
export function spellings(text: string): Spelling[] {
  const all: Spelling[] = [{ text, origin: (at) => at }];
  // A list that grows is walked to its end.
  for (const last of all) if (all.length <= ROUNDS) all.push(...undone(last));
  return all;
}

function undone({ text, origin }: Spelling): Spelling[] {
  if (!MARKS.some((mark) => text.includes(mark))) return [];
  const plain = text.replace(ENCODED, (...groups) => decoded(groups as Groups));
  if (plain.length === text.length) return [];
  // Seldom asked for, and a long text has many.
  let shifts: ReturnType<typeof shiftsIn> | undefined;
  const ownOrigin = (at: number) => {
    shifts ??= shiftsIn(text);
    return origin(at + (shifts.findLast(({ from }) => from <= at)?.by ?? 0));
  };
  return [{ text: plain, origin: ownOrigin }];
}

/** Behind each encoded character the places shift: from where on, and by how much. */
function shiftsIn(text: string) {
  let by = 0;
  return Array.from(text.matchAll(ENCODED), (match) => {
    const character = decoded(match as unknown as Groups);
    const from = match.index - by + character.length;
    by += match[0].length - character.length;
    return { from, by };
  });
}
