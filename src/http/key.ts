import { Buffer } from 'node:buffer';

/**
 * Stands in a request for the API key, as in the interface document's `Authorization: Bearer <API_KEY>`. Only the
 * client knows the key and puts it in at the moment of sending, so whatever keeps or prints a request can't leak it.
 */
export const KEY = '<API_KEY>';
export const KEY_CUT_AT_END = '<API_KEY without its last character>';
export const KEY_CUT_AT_START = '<API_KEY without its first character>';
export const KEY_CASE_SWAPPED = '<API_KEY in swapped case>';
export const KEY_AS_BASIC = '<base64 of API_KEY and a colon>';

interface KeyForm {
  mark: string;
  of: (key: string) => string;
  /** The same value as a POSIX shell expression of the variable API_KEY, for use between double quotes. */
  shell: string;
}

const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

const forms: KeyForm[] = [
  { mark: KEY, of: (key) => key, shell: '$API_KEY' },
  { mark: KEY_CUT_AT_END, of: (key) => key.slice(0, -1), shell: '${API_KEY%?}' },
  { mark: KEY_CUT_AT_START, of: (key) => key.slice(1), shell: '${API_KEY#?}' },
  { mark: KEY_CASE_SWAPPED, of: swapCase, shell: `$(printf %s "$API_KEY" | tr 'a-zA-Z' 'A-Za-z')` },
  {
    mark: KEY_AS_BASIC,
    of: (key) => Buffer.from(`${key}:`).toString('base64'),
    shell: `$(printf %s: "$API_KEY" | base64 | tr -d '\\n')`,
  },
];

const anyMark = new RegExp(forms.map((form) => form.mark).join('|'), 'g');
const formOf = (mark: string) => forms.find((form) => form.mark === mark) as KeyForm;

/** Puts the key into a text with marks, each value encoded for its place (a query, a JSON string) by `encode`. */
export function fillIn(text: string, key: string, encode: (value: string) => string = (value) => value): string {
  return text.replace(anyMark, (mark) => encode(formOf(mark).of(key)));
}

/** Replaces marks by shell expressions; `quote` quotes the text between them, `expression` what a mark becomes. */
export function toShell(text: string, quote: (text: string) => string, expression = (shell: string) => `"${shell}"`) {
  const marks = text.match(anyMark) ?? [];
  return text
    .split(anyMark)
    .map((piece, index) => {
      const mark = marks[index];
      return (piece === '' ? '' : quote(piece)) + (mark === undefined ? '' : expression(formOf(mark).shell));
    })
    .join('');
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';

/**
 * Another token than the key, drawn by lot, of the same shape (letters for letters, digits for digits), so that it is
 * refused for being wrong and not for its form. A key with little to draw for gets one that shares nothing with it: this
 * token is shown in reports.
 */
export function wrongKey(key: string): string {
  const pick = (from: string) => from.charAt(Math.floor(Math.random() * from.length));
  if (key.replace(/[^a-z0-9]/gi, '').length < 8) {
    return Array.from({ length: 24 }, () => pick(LOWER + UPPER + DIGITS)).join('');
  }
  const other = key
    .replace(/[a-z]/g, () => pick(LOWER))
    .replace(/[A-Z]/g, () => pick(UPPER))
    .replace(/[0-9]/g, () => pick(DIGITS));
  return other.toLowerCase() === key.toLowerCase() ? wrongKey(key) : other;
}

/** Says whether a credential that the marks describe differs from the key itself, so that it must be refused. */
export function differsFromKey(text: string, key: string): boolean {
  const filled = fillIn(text, key);
  return filled !== key && filled.trim() !== '';
}

/** A function that takes the key, in all the ways in which a target may send it back, out of a text. */
export type Redact = (text: string, limit?: number) => string;

/**
 * Makes the redaction for the values of headers, which are short and many: a target may split the key over several, so a
 * third of it, or six characters, is taken out as well.
 */
export function partRedaction(key: string): (text: string) => string {
  const width = Math.min(key.length, Math.max(6, Math.floor(key.length / 3)));
  const parts = new Set(Array.from({ length: key.length - width + 1 }, (_, at) => key.slice(at, at + width)));
  return (text) => {
    let redacted = '';
    for (let at = 0; at < text.length; ) {
      let end = at;
      for (let next = at; next <= end && parts.has(text.slice(next, next + width)); next += 1) end = next + width;
      redacted += end > at ? KEY : text.charAt(at);
      at = Math.max(end, at + 1);
    }
    return redacted;
  };
}

/**
 * Makes the redaction for a key: raw in any case, percent-encoded, JSON-escaped, in base64, and cut short by one
 * character (only where enough is left to tell it from a word). With a limit the text is cut to it, never inside a key.
 */
export function redaction(key: string): Redact {
  const escapedJson = JSON.stringify(key).slice(1, -1);
  const bases = [`${key}`, `${key}:`, `:${key}`].flatMap((text) => {
    const base64 = Buffer.from(text).toString('base64');
    return [base64, base64.replace(/=+$/, ''), Buffer.from(text).toString('base64url'), encodeURIComponent(base64)];
  });
  const cut = key.length > 8 ? [key.slice(1), key.slice(0, -1)] : [];
  const values = [key, encodeURIComponent(key), escapedJson, escapedJson.replaceAll('/', '\\/'), ...bases, ...cut]
    .filter((value) => value !== '')
    .sort((a, b) => b.length - a.length);
  const pattern = new RegExp([...new Set(values)].map((value) => value.replace(/[^\w]/g, '\\$&')).join('|'), 'gi');
  const longest = values[0]?.length ?? 0;
  return (text, limit) => {
    if (limit === undefined || text.length <= limit) return text.replace(pattern, KEY);
    // The end of the cut may hold the beginning of a key, which no pattern finds: it is dropped with a margin.
    const redacted = text.slice(0, limit + longest).replace(pattern, KEY);
    return redacted.slice(0, Math.min(limit, Math.max(0, redacted.length - longest)));
  };
}
