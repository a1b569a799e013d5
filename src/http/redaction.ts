import { Buffer } from 'node:buffer';
import type { Header } from '../settings/target.ts';
import { isEveryday } from '../settings/target.ts';
import { HEADER_VALUE, KEY } from './key.ts';
import { spellings } from './spellings.ts';

/** Takes secrets out of a text. With a limit, cuts the text afterwards, so that no part of a secret is left at its end. */
export type Redact = (text: string, limit?: number) => string;

export type Redaction = ReturnType<typeof redaction>;

/** From where to where in a text. */
type Range = [start: number, end: number];

/** How one secret, of so many characters, is taken out of a text, and found. */
export type Cleaning = ReturnType<typeof anywhere>;

/**
 * Makes the redaction for a key, the values of headers, and the keys of other runs. All forms in which a target may
 * send one back are taken out, and runs of a third of it: whatever encodings of single characters stand over one
 * another, and base64 and hexadecimal wherever they begin.
 */
export function redaction(key: string, headers: readonly Header[] = [], otherKeys: () => Cleaning[] = () => []) {
  const ofKey = isEveryday(key) ? inCompany(key, CREDENTIALS, KEY) : anywhere(key, KEY);
  const ofHeaders = headers.map(({ name, value }) =>
    isEveryday(value) || !/\d/.test(value) ? inCompany(value, name, HEADER_VALUE) : anywhere(value, HEADER_VALUE),
  );
  const halvesIn = isEveryday(key) ? () => [] : runFinder(key, Math.max(8, Math.floor(key.length / 2) + 1));
  const all = () => [...otherKeys(), ofKey, ...ofHeaders];
  const clean = (text: string, cleanings: Cleaning[]) => cleanings.reduce((left, one) => one.clean(left), text);
  // As long as the longest of them is in the longest of its forms.
  const margin = () => 16 * Math.max(...all().map(({ length }) => length));
  const redact: Redact = (text, limit = text.length) => {
    if (text.length <= limit) return clean(text, all());
    const end = limit + 2 * margin();
    const cleaned = clean(text.slice(0, end), all());
    // Where more follows, the end of what is looked at may hold the beginning of a secret, and goes with a margin.
    return cleaned.slice(0, text.length < end ? limit : Math.min(limit, Math.max(0, cleaned.length - margin())));
  };
  return {
    redact,
    /** Whether a text holds the key, in any of its forms. Never for an everyday key (see isEveryday). */
    finds: ofKey.finds,
    /**
     * Whether a text holds the key or more than half of it, or the value of a header: it goes into no path. A word of
     * the key, such as `example`, may.
     */
    holds: (text: string) => ofKey.finds(text) || halvesIn(text).length > 0 || clean(text, ofHeaders) !== text,
    /** How much of a text is to be kept, so that it can be redacted and cut at a limit later. */
    ample: (limit: number) => limit + 2 * margin(),
  };
}

/** Finds a secret wherever it stands, and parts of it, over which a target may have split it. */
export function anywhere(secret: string, mark: string, alsoParts = true) {
  const forms = formsOf(secret);
  // A refusal may well repeat these: they are no key, and tell most of it.
  const parts = [secret.replace(/[^a-z0-9]/gi, ''), secret.replace(/[^0-9]/g, '')]
    .filter((part) => part.length >= 6 && part !== secret)
    .map((part) => ({ form: part.toLowerCase(), exact: false }));
  const [hiddenIn, formsIn] = [formFinder(alsoParts ? [...forms, ...parts] : forms), formFinder(forms)];
  const runsIn = alsoParts ? runFinder(secret, Math.max(6, Math.floor(secret.length / 3))) : () => [];
  return {
    length: secret.length,
    clean: (text: string) => {
      const ranges: Range[] = [];
      for (const { text: spelling, origin } of spellings(text)) {
        for (const [start, end] of [...hiddenIn(spelling), ...runsIn(spelling)])
          ranges.push([origin(start), origin(end)]);
      }
      return replaced(text, ranges, mark);
    },
    finds: (text: string) => {
      for (const one of spellings(text)) if (!formsIn(one.text).next().done) return true;
      return false;
    },
  };
}

/** After what a word is the key: a scheme, a name for a key, or as the user of Basic. */
const CREDENTIALS = 'bearer|token|basic|key|secret|auth|authorization|cookie|password|credentials?';

/** A word is a secret only where it stands after one of some names. */
function inCompany(word: string, names: string, mark: string): Cleaning {
  const pattern = new RegExp(`((?:\\b|_)(?:${names})["'\\s:=]{1,4})${escaped(word)}(?![A-Za-z0-9])`, 'gi');
  return { length: word.length, clean: (text) => text.replace(pattern, `$1${mark}`), finds: () => false };
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/**
 * The key as it is and without its first or last character, where that is no everyday word; in base64, by both alphabets and
 * wherever it stands in what was encoded; in hexadecimal and as bytes in a row; the former two also of UTF-16. In lower case,
 * unless that would be an everyday word.
 */
function formsOf(key: string) {
  const written = [...spellings(key)].flatMap(({ text: one }) => [one, one.slice(1), one.slice(0, -1)]);
  const bytes = [Buffer.from(key), Buffer.from(key, 'utf16le'), Buffer.from(key, 'utf16le').swap16()];
  const forms = [
    ...written.filter((one) => !isEveryday(one)),
    ...bytes.flatMap((one) => [0, 1, 2].map((before) => base64At(one, before))),
    ...bytes.flatMap((one) =>
      ['', ' ', '-', ':'].map((between) => (one.toString('hex').match(/../g) ?? []).join(between)),
    ),
    ...[',', ', '].map((between) => [...Buffer.from(key)].join(between)),
  ];
  const inUrls = forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  const asLookedFor = [...forms, ...inUrls].map((form) => (isEveryday(form.toLowerCase()) ? form : form.toLowerCase()));
  return [...new Set(asLookedFor)].map((form) => ({ form, exact: form !== form.toLowerCase() }));
}

/** One form, in lower case; or `exact`, as it is written, where it would be a word in any case. */
type Form = ReturnType<typeof formsOf>[number];

/** The base64 of bytes with others before them, as far as those, and what follows, don't change it. */
function base64At(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
}

/** Characters of a form by which it is looked for. */
const BEGINNING = 6;

/** Finds all places of forms. */
function formFinder(forms: Form[]): (text: string) => Generator<Range> {
  const beginnings = new Set(forms.map(({ form }) => escaped(form.slice(0, BEGINNING))));
  const begins = new RegExp([...beginnings].join('|'), 'gi');
  return function* (text) {
    begins.lastIndex = 0;
    for (let found = begins.exec(text); found; found = begins.exec(text)) {
      const at = found.index;
      for (const { form, exact } of forms) {
        const there = text.slice(at, at + form.length);
        if (there === form || (!exact && there.toLowerCase() === form)) yield [at, at + form.length];
      }
      begins.lastIndex = at + 1;
    }
  };
}

/** Finds runs of so many characters of the key at least: each has one of the parts of half the length in it. */
function runFinder(key: string, characters: number): (text: string) => Range[] {
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
