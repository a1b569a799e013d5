import { Buffer } from 'node:buffer';
import type { Header } from '../settings/headers.ts';
import { isEveryday } from '../settings/target.ts';
import { HEADER_VALUE, KEY } from './key.ts';
import { spellings, spelt } from './spellings.ts';

/** Takes the key out of a text. With a limit, cuts the text afterwards, so that no part of the key is left at its end. */
export type Redact = (text: string, limit?: number) => string;

export interface Redaction {
  redact: Redact;
  /** Whether a text holds the key, in any of its forms. Never for an everyday key (see isEveryday). */
  finds: (text: string) => boolean;
  /** Whether a text holds the key or more than half of it: it goes into no path. A word of the key, such as `example`, may. */
  holds: (text: string) => boolean;
  /** How much of a text is to be kept, so that it can be redacted and cut at a limit later. */
  ample: (limit: number) => number;
}

/** From where to where in a text. */
type Range = [start: number, end: number];

/**
 * Makes the redaction for a key. All forms in which a target may send it back are taken out, and runs of a third of it:
 * whatever encodings of single characters stand over one another, and base64 and hexadecimal wherever they begin.
 */
export function redaction(key: string): Redaction {
  const everyday = isEveryday(key);
  const { clean, finds } = everyday ? inCompany(key, CREDENTIALS, KEY) : anywhere(key, KEY);
  const halvesIn = runFinder(key, Math.max(8, Math.floor(key.length / 2) + 1));
  // As long as the key is in the longest of its forms.
  const margin = 16 * key.length;
  return {
    redact: cutting(clean, margin),
    finds,
    holds: (text) => finds(text) || (!everyday && halvesIn(text).length > 0),
    ample: (limit) => limit + 2 * margin,
  };
}

/**
 * Takes the values of headers out of a text, in the same ways. For what is shown alone: unlike a key, such a value may be
 * part of what a check has to read, as an address is.
 */
export function headerRedaction(headers: readonly Header[]): Redact {
  const all = headers.map(({ name, value }) =>
    isEveryday(value) || !/\d/.test(value) ? inCompany(value, name, HEADER_VALUE) : anywhere(value, HEADER_VALUE),
  );
  return cutting(
    (text) => all.reduce((cleaned, { clean }) => clean(cleaned), text),
    16 * Math.max(0, ...headers.map(({ value }) => value.length)),
  );
}

/** Takes a key out of a text as a whole alone: what it shares with other words stays. */
export function wholeKeyRedaction(key: string): Redact {
  return isEveryday(key) ? (text) => text : cutting(anywhere(key, KEY, false).clean, 16 * key.length);
}

/** How one secret is taken out of a text, and found. */
type Cleaning = Pick<Redaction, 'finds'> & { clean: (text: string) => string };

function anywhere(secret: string, mark: string, alsoParts = true): Cleaning {
  const forms = formsOf(secret);
  // A refusal may well repeat these: they are no key, and tell most of it.
  const parts = [secret.replace(/[^a-z0-9]/gi, ''), secret.replace(/[^0-9]/g, '')]
    .filter((part) => part.length >= 6 && part !== secret)
    .map((part) => ({ form: part.toLowerCase(), exact: false }));
  const hidden = alsoParts ? [...forms, ...parts] : forms;
  const [mayHoldAny, holdsForm] = [sieve(hidden, 6, true), sieve(forms, 6, true)];
  const runsIn = alsoParts ? runFinder(secret, Math.max(6, Math.floor(secret.length / 3))) : () => [];
  return {
    clean: (text) => {
      const ranges: Range[] = [];
      for (const { text: spelling, origin } of spellings(text)) {
        for (const found of [mayHoldAny(spelling) ? formsIn(spelling, hidden) : [], runsIn(spelling)]) {
          for (const [start, end] of found) ranges.push([origin(start), origin(end)]);
        }
      }
      return replaced(text, ranges, mark);
    },
    finds: (text) => {
      for (const one of spelt(text)) if (holdsForm(one)) return true;
      return false;
    },
  };
}

/** After what a word is the key: a scheme, a name for a key, or as the user of Basic. */
const CREDENTIALS = 'bearer|token|basic|key|secret|auth|authorization|cookie|password|credentials?';

/** A word is a secret only where it stands after one of some names. */
function inCompany(word: string, names: string, mark: string): Cleaning {
  const escaped = word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  const pattern = new RegExp(`((?:\\b|_)(?:${names})["'\\s:=]{1,4})${escaped}(?![A-Za-z0-9])`, 'gi');
  return { clean: (text) => text.replace(pattern, `$1${mark}`), finds: () => false };
}

/** Redacts first and cuts then: the end of what is looked at may hold the beginning of a key, and goes with a margin. */
function cutting(clean: (text: string) => string, margin: number): Redact {
  return (text, limit = text.length) => {
    if (text.length <= limit) return clean(text);
    const cleaned = clean(text.slice(0, limit + 2 * margin));
    return cleaned.slice(0, Math.min(limit, Math.max(0, cleaned.length - margin)));
  };
}

/**
 * The key as it is and without its first or last character, where that is no everyday word; in base64, by both alphabets and
 * wherever it stands in what was encoded; in hexadecimal and as bytes in a row; the former two also of UTF-16. In lower case,
 * unless that would be an everyday word.
 */
function formsOf(key: string): Form[] {
  const written = [...spelt(key)].flatMap((one) => [one, one.slice(1), one.slice(0, -1)]);
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
interface Form {
  form: string;
  exact: boolean;
}

/** The base64 of bytes with others before them, as far as those, and what follows, don't change it. */
function base64At(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
}

function formsIn(text: string, forms: Form[]): Range[] {
  // Letters outside ASCII may become longer in lower case, and the places would shift.
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const found: Range[] = [];
  for (const { form, exact } of forms) {
    const within = exact ? text : lower;
    for (let at = within.indexOf(form); at >= 0; at = within.indexOf(form, at + form.length)) {
      found.push([at, at + form.length]);
    }
  }
  return found;
}

/** Finds runs of so many characters of the key. */
function runFinder(key: string, characters: number): (text: string) => Range[] {
  const width = Math.min(key.length, characters);
  const runs = windowsOf(key, width);
  const holdsAny = sieve(
    [...runs].map((form) => ({ form, exact: true })),
    3,
  );
  return (text) => {
    if (!holdsAny(text)) return [];
    const found: Range[] = [];
    for (let at = 0; at + width <= text.length; at += 1) {
      if (runs.has(text.slice(at, at + width))) found.push([at, at + width]);
    }
    return found;
  };
}

/**
 * Tells quickly whether a text holds one of some forms, which a search for each would take long for: of each form that is
 * there, so many characters begin at a multiple of the stride. With `anyCase` forms that are not exact are in lower case, and
 * the texts in any.
 */
function sieve(forms: Form[], width: number, anyCase = false): (text: string) => boolean {
  const fold = anyCase ? (text: string) => text.toLowerCase() : (text: string) => text;
  const stride = Math.min(...forms.map(({ form }) => form.length)) - width + 1;
  /** By each part of a form: the forms that have it. */
  const parts = new Map<string, Form[]>();
  for (const one of forms) {
    for (const part of windowsOf(fold(one.form), width)) parts.set(part, [...(parts.get(part) ?? []), one]);
  }
  // Of most places the last characters are enough to see that no part is there, without making a text of them.
  const ends = new Uint8Array(0x10000);
  const bit = anyCase ? 0x20 : 0;
  const end = (text: string, at: number) => {
    const two = (text.charCodeAt(at + width - 1) | bit) * 61 + (text.charCodeAt(at + width - 2) | bit);
    const three = two * 61 + (text.charCodeAt(at + width - 3) | bit);
    return (width === 3 ? three : three * 61 + (text.charCodeAt(at + width - 4) | bit)) & 0xffff;
  };
  for (const part of parts.keys()) ends[end(part, 0)] = 1;
  return (text) => {
    for (let at = 0; at + width <= text.length; at += stride) {
      if (ends[end(text, at)] !== 1) continue;
      const isThere = parts.get(fold(text.slice(at, at + width)))?.some(({ form, exact }) => {
        const around = text.slice(Math.max(0, at + width - form.length), at + form.length);
        return (exact ? around : fold(around)).includes(form);
      });
      if (isThere) return true;
    }
    return false;
  };
}

/** All parts of a text that are so long. */
function windowsOf(text: string, width: number): Set<string> {
  return new Set(Array.from({ length: text.length - width + 1 }, (_, at) => text.slice(at, at + width)));
}

/** The text with each of the ranges replaced; those that touch become one. */
function replaced(text: string, ranges: Range[], mark: string): string {
  let result = '';
  let kept = 0;
  let last = -1;
  for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
    if (start > last) {
      result += text.slice(kept, Math.max(kept, start)) + mark;
    }
    last = Math.max(last, end);
    kept = last;
  }
  return result + text.slice(kept);
}
