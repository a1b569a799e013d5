import { Buffer } from 'node:buffer';
import { isEveryday } from '../settings/target.ts';
import { type Range, spellings } from './spellings.ts';

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
  const words = options.parts ? [...forms, ...partsOf(secret)] : forms;
  const runLength = Math.max(BEGINNING, Math.floor(secret.length / 3));
  // Twice, because what is left after one decoding may be encoded still.
  const reach = 2 * Math.max(...words.map(({ length }) => length));
  const mayHold = makeFirstLook([...words, ...windowsOf(secret, runLength)]);
  const findAll = (text: string): Range[] => {
    if (!mayHold(text)) return [];
    return [...rangesOf(words, text), ...(options.parts ? findRuns(text, secret, runLength) : [])];
  };
  const holdsForm = (text: string) => mayHold(text) && !rangesOf(forms, text).next().done;
  return {
    length: secret.length,
    redact: (text) => {
      const ranges = spellings(text, reach).flatMap((spelling) =>
        findAll(spelling.text).map(
          ([start, end]): Range => [spelling.origin(start), spelling.origin(end)],
        ),
      );
      return ranges.length === 0 ? text : replaceRanges(text, ranges, mark);
    },
    finds: (text) => spellings(text, reach).some((spelling) => holdsForm(spelling.text)),
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

/** The characters of a word that a first look compares. No form and no part is shorter. */
const BEGINNING = 6;

/** Returns parts of a secret, one of which begins in each run of so many characters of it. */
function windowsOf(secret: string, runLength: number): string[] {
  const step = runLength - BEGINNING + 1;
  const count = Math.ceil((secret.length - BEGINNING + 1) / step);
  return Array.from({ length: count }, (_, index) => secret.slice(index * step));
}

/**
 * Makes a first look at texts: whether the beginning of one of some words is in a text, in any
 * case. Most texts have none. No loop in JavaScript is as quick as a regular expression.
 */
function makeFirstLook(words: readonly string[]): (text: string) => boolean {
  const beginnings = new Set(words.map((word) => escapePattern(word.slice(0, BEGINNING))));
  const pattern = new RegExp([...beginnings].join('|'), 'i');
  return (text) => pattern.test(text);
}

/** Yields the ranges of words in a text. A word in lower case is found in any case. */
function* rangesOf(words: readonly string[], text: string): Generator<Range> {
  // The only character that has another length in lower case.
  const lowerText = text.replaceAll('İ', 'I').toLowerCase();
  for (const word of words) {
    const searched = word === word.toLowerCase() ? lowerText : text;
    let start = searched.indexOf(word);
    while (start >= 0) {
      const end = start + word.length;
      yield [start, end];
      start = searched.indexOf(word, end);
    }
  }
}

/**
 * Returns the ranges in a text of at least so many adjacent characters of a key. Each of them
 * contains a chunk of half the length, so only these are searched for. The search goes on behind
 * each range, so that a key of the same character again and again takes no longer.
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
      index = text.indexOf(chunk, end);
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
