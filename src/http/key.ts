import { Buffer } from 'node:buffer';
import { FORMS, formWithChange, type KeyForm } from './key-forms.ts';

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
    const form = formOf(mark);
    return form ? encode(form.valueOf(key)) : mark;
  });
}

/**
 * Replaces marks by shell expressions. `quote` quotes the text between marks, `expression` quotes
 * the expressions.
 */
export function toShell(
  text: string,
  quote: (text: string) => string,
  expression = (shell: string) => `"${shell}"`,
): string {
  const pieces = text.split(new RegExp(`(${MARK.source})`)).map((piece) => {
    const form = formOf(piece);
    if (form) return expression(form.shell);
    return piece === '' ? '' : quote(piece);
  });
  return pieces.join('');
}

/** Returns the form of a mark, which may name a place in the key. */
function formOf(mark: string): KeyForm | undefined {
  const [, place] = /^<API_KEY with character (-?\d+) changed>$/.exec(mark) ?? [];
  return place === undefined ? FORMS.get(mark) : formWithChange(Number(place));
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

const WRONG_KEY_LENGTH = 24;

/**
 * Returns a wrong key of the same shape (letters for letters, digits for digits), so that a service
 * can't reject it for its form. Each character depends on its place alone, because reports show
 * this token: it reveals nothing of the key but its shape. A key with few letters and digits gets a
 * token of another shape.
 *
 * @param key the API key
 * @param start moves the characters; the next start is tried if the token equals the key
 */
export function wrongKey(key: string, start = 3): string {
  const pick = (kind: string, place: number) =>
    kind.charAt((start + place * (place + 7)) % kind.length);
  if (key.replace(/[^a-z0-9]/gi, '').length < LEAST_SHAPE) {
    const all = KINDS.join('');
    return Array.from({ length: WRONG_KEY_LENGTH }, (_, place) => pick(all, place)).join('');
  }
  const token = key.replace(/[a-z0-9]/gi, (character, place: number) => {
    const kind = KINDS.find((characters) => characters.includes(character)) ?? '';
    return pick(kind, place);
  });
  const isEqual = token.toLowerCase() === key.toLowerCase();
  return isEqual ? wrongKey(key, start + 1) : token;
}
