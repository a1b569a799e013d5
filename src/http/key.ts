import { Buffer } from 'node:buffer';
import { FORMS, type KeyForm, withChange } from './key-forms.ts';
import { findRuns } from './redaction.ts';

/**
 * The mark for the API key in a request, as in the interface's `Authorization: Bearer <API_KEY>`.
 * The client inserts the key just before it sends the request, so a stored or printed request can't
 * leak it.
 */
export const KEY = '<API_KEY>';

/** The mark for the value of a header of the settings, which is a secret like the key. */
export const HEADER_VALUE = '<CONFORMANCE_HEADERS>';

/**
 * Returns the mark for the key with one character changed into another of its kind. The first
 * character is 1, the last -1, the middle 0. A place after the end continues with the first.
 */
export const keyChangedAt = (place: number): string => `<API_KEY with character ${place} changed>`;

/** The Authorization header with the key. */
export const BEARER = { authorization: `Bearer ${KEY}` };

const MARK = /<[^<>]*API_KEY[^<>]*>/g;

/** Replaces marks by values of the key. `encode` encodes each for its place, such as a query. */
export function fillIn(
  text: string,
  key: string,
  encode: (value: string) => string = (value) => value,
): string {
  return text.replace(MARK, (mark) => {
    const [form, place] = formOf(mark);
    return form ? encode(form(key, place)) : mark;
  });
}

/** Returns the text of a request. Throws an Error if it has a mark of no known form of the key. */
export function withKnownMarks(text: string): string {
  for (const [mark] of text.matchAll(MARK)) {
    if (formOf(mark)[0] === undefined) throw new Error(`${mark} is no form of the key`);
  }
  return text;
}

/**
 * Replaces marks by shell expressions. `quote` quotes a text for the shell; `encode` is the name of
 * a JavaScript function that encodes each value for its place.
 */
export function toShell(text: string, quote: (text: string) => string, encode = ''): string {
  const pieces = text.split(new RegExp(`(${MARK.source})`)).map((piece) => {
    const [form, place] = formOf(piece);
    if (form === undefined) return piece === '' ? '' : quote(piece);
    if (piece === KEY && encode === '') return '"$API_KEY"';
    // No form has a double quote, and single ones are hard to read within others.
    const source = `${form}`.replace(/\s+/g, ' ').replaceAll("'", '"');
    const value = `${encode}((${source})(process.env.API_KEY, ${place}))`;
    // A character of a header is a byte.
    const script = `process.stdout.write(${value}, "latin1")`;
    return `"$(API_KEY="$API_KEY" node -e ${quote(script)})"`;
  });
  return pieces.join('');
}

/** Returns the form of a mark, and the place in the key that the mark names. */
function formOf(mark: string): [form: KeyForm | undefined, place: number] {
  const form = FORMS.get(mark);
  const [, place] = /^<API_KEY with character (-?\d+) changed>$/.exec(mark) ?? [];
  if (form !== undefined || place === undefined) return [form, 0];
  return [withChange, Number(place)];
}

/** Whether a credential, written with marks, differs from the key, so that it must be rejected. */
export function differsFromKey(credential: string, key: string): boolean {
  const value = fillIn(credential, key);
  return value !== key && value.trim() !== '';
}

/** The signed part of a JWT (RFC 7519 section 3), which is header and claims, and the signature. */
const JWT = /^(eyJ[\w-]+\.[\w-]+)\.([^.]+)$/;

/**
 * Whether the key is a JWT and a token, written with marks, is another spelling of it: the
 * signature decodes to the same bytes, as base64 has unused bits at its end and two alphabets (RFC
 * 4648 sections 3.5 and 5).
 */
export function isSameSignature(token: string, key: string): boolean {
  const [, signed, signature = ''] = JWT.exec(key) ?? [];
  const [, signedInToken, signatureInToken = ''] = JWT.exec(fillIn(token, key)) ?? [];
  if (signed === undefined || signed !== signedInToken) return false;
  // Like most decoders, Buffer accepts both alphabets and ignores other characters.
  const bytes = Buffer.from(signature, 'base64');
  return bytes.equals(Buffer.from(signatureInToken, 'base64'));
}

/** Kinds of characters. A key of the same shape has characters of the same kinds. */
const KINDS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];

/** The fewest letters and digits of a key whose shape a wrong key copies. */
const LEAST_SHAPE = 8;

/** The first start from which the shape is not copied: the signs of the key reveal too much. */
const OTHER_SHAPE = 6;

const WRONG_KEY_LENGTH = 24;

/**
 * Returns a wrong key of the same shape (letters for letters, digits for digits), so that a service
 * can't reject it for its form. Each letter and digit depends on its place alone, because reports
 * show this token. A key with few letters and digits, or with many signs in a row, gets a token of
 * another shape.
 *
 * @param key the API key
 * @param start moves the characters; the next start is tried if the token shows over a third of the
 *   key
 */
export function wrongKey(key: string, start = 3): string {
  const lettersAndDigits = key.replace(/[^a-z0-9]/gi, '');
  const isCopied = lettersAndDigits.length >= LEAST_SHAPE && start < OTHER_SHAPE;
  const shape = isCopied ? key : 'x'.repeat(WRONG_KEY_LENGTH);
  const kinds = isCopied ? KINDS : [KINDS.join('')];
  const token = shape.replace(/[a-z0-9]/gi, (character, place: number) => {
    const kind = kinds.find((characters) => characters.includes(character)) ?? '';
    return kind.charAt((start + place * (place + 7)) % kind.length);
  });
  const overThird = Math.max(3, Math.floor(key.length / 3) + 1);
  const runs = findRuns(token.toLowerCase(), key.toLowerCase(), overThird);
  return runs.length === 0 ? token : wrongKey(key, start + 1);
}
