import type { Patch } from '../service.ts';
import { type Deep, deep, faultsFor, rejecting, storing, storingEmail } from './deep.ts';

const values = deep('retrieve.values');
const kept = deep('retrieve.created-user');
const refused = deep('create.answers');
const letters = deep('round-trip.letters-beyond-ascii');
const strings = deep('round-trip.other-strings');

/** A text, or a function that makes one of a match. */
type Replacement = string | ((match: string) => string);

/** Replaces a part of stored names. */
const replacing = (from: RegExp, to: Replacement): Patch =>
  storing(
    (name) => from.test(name),
    // `replace` has an overload for each type, and none for both.
    (name) => name.replace(from, to as string),
  );

/** Replaces a part of stored emails. */
const inEmail = (from: RegExp, to: Replacement): Patch =>
  storingEmail((email) => email.replace(from, to as string));

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

/**
 * Faults that only certain values trigger: plain values, letters of other scripts, other strings.
 */
export const otherData: Deep[] = [
  ...faultsFor(['NaN', 'None', 'Undefined', 'Infinity'], (word) =>
    values(
      `the word ${word} in a name is nothing`,
      replacing(new RegExp(`^${word} | ${word}$`, 'i'), ''),
    ),
  ),
  ...faultsFor(['nan', 'undefined', 'inf'], (word) =>
    values(
      `the word ${word} at the beginning of an address becomes 0`,
      inEmail(new RegExp(`^${word}\\.`), '0.'),
    ),
  ),
  ...faultsFor(['Yes', 'Off', 'False'], (word) =>
    values(
      `the word ${word} in a name becomes a boolean`,
      replacing(new RegExp(`^${word} | ${word}$`, 'i'), ' true'),
    ),
  ),
  ...faultsFor(['drop', 'union', 'where', 'script'], (word) =>
    refused(
      `a firewall refuses the word ${word}`,
      rejecting(({ name }) => new RegExp(`\\b${word}\\b`, 'i').test(name)),
    ),
  ),
  ...faultsFor(['admin', 'root', 'test'], (word) =>
    refused(
      `addresses with ${word} are reserved`,
      rejecting(({ email }) => email.split(/[.@]/).includes(word)),
    ),
  ),
  refused(
    'an address of a role and a number is refused',
    rejecting(({ email }) =>
      /^(admin|noreply|postmaster|root|support|test|webmaster)\d*@/.test(email),
    ),
  ),
  ...faultsFor(['Dr', 'Mr', 'Prof'], (title) =>
    values(`the title ${title} is cut off`, replacing(new RegExp(`^${title} `, 'i'), '')),
  ),
  values('names with Mac and a capital are written small', replacing(/\bMac[A-Z]/, capitalised)),
  values(
    'particles are written small',
    replacing(/\b(Van|De|La|Von)\b/, (match) => match.toLowerCase()),
  ),
  values(
    'a capital within a word becomes small',
    replacing(/\b[A-Z][a-z]+[A-Z][a-z]*\b/, capitalised),
  ),
  values(
    'roman numerals are written large',
    replacing(/\b(Ii|Iii|Iv)\b/i, (match) => match.toUpperCase()),
  ),
  values(
    'an address that looks like a number with an exponent is one',
    inEmail(/^(\d)e(\d)\./, (match) => `${Number(match.slice(0, 3))}.`),
  ),
  values(
    'zeros before an address are cut off',
    inEmail(/^0+\d*\./, (match) => `${Number(match)}.`),
  ),
  values(
    'an address that begins with 0x is read as a number',
    inEmail(/^0x[0-9a-f]+/, (match) => `${Number(match)}`),
  ),
  ...faultsFor<[string, RegExp]>(
    [
      ['hexadecimal', /^0x[0-9a-f]+(?=@)/],
      ['decimal with an exponent', /^\d+e\d+(?=@)/],
      ['decimal with a fraction', /^\d+\.\d+(?=@)/],
    ],
    ([what, number]) =>
      values(
        `an address that is nothing but a ${what} number is read as one`,
        inEmail(number, (match) => `${Number(match)}n`),
      ),
  ),
  values('com at the end of the local part is taken for the domain', inEmail(/\.com(?=@)/, '')),
  values(
    'of two equal words one is kept',
    replacing(/^([A-Za-z]+) \1$/i, (match) => match.split(' ')[0] ?? ''),
  ),
  values(
    'an address of one letter between dots loses the dots',
    inEmail(/^([a-z])\.([a-z])\.([a-z])\./, '$1$2$3.'),
  ),
  values(
    'names of exactly 32 characters lose the last',
    storing(
      ({ length }) => length === 32,
      (name) => name.slice(0, -1),
    ),
  ),
  values(
    'names of 26 to 30 characters lose the last',
    storing(
      (name) => /^[A-Za-z ]{26,30}$/.test(name),
      (name) => name.slice(0, -1),
    ),
  ),
  values(
    'addresses of exactly 50 characters are cut',
    storingEmail((email) => (email.length === 50 ? email.replace('.com', '.co') : email)),
  ),
  kept('the word Con is a device', (service) => {
    const { store } = service;
    service.store = (user) => (/\b(con|nul|aux|prn)\b/i.test(user.name) ? undefined : store(user));
  }),
  ...faultsFor<[string, RegExp]>(
    [
      ['Latin letters with a macron', /[āēīōū]/giu],
      ['letters of Vietnamese', /[\u1e80-\u1eff]/gu],
      ['the letters ß and ẞ', /[ßẞ]/gu],
      ['the Turkish i', /[İı]/gu],
      ['Georgian letters', /[\u10d0-\u10fa]/gu],
      ['Thai letters', /[\u0e01-\u0e30]/gu],
      ['Devanagari', /[\u0904-\u0939]/gu],
      ['Korean syllables', /[\uac00-\ud7a3]/gu],
      ['Katakana', /[\u30a1-\u30fa]/gu],
      ['Gothic and Deseret', /[\u{10330}-\u{1044f}]/gu],
      ['mathematical letters', /[\u{1d400}-\u{1d454}]/gu],
      ['the extensions behind B of Chinese', /[\u{2a700}-\u{3134a}]/gu],
      ['Greek with breathings', /[\u1f00-\u1fff]/gu],
      ['Persian and Urdu letters', /[\u0671-\u06d3]/gu],
    ],
    ([what, range]) => letters(`${what} are not in the charset`, replacing(range, '?')),
  ),
  ...faultsFor<[string, RegExp]>(
    [
      ['Thai vowels and tones', /[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]$/u],
      ['Devanagari vowels', /[\u093e-\u094c]$/u],
      ['vowels of Tamil', /[\u0bbe-\u0bcc]$/u],
    ],
    ([what, sign]) => letters(`${what} are taken for marks that can go`, replacing(sign, '')),
  ),
  letters('a final sigma becomes a sigma', replacing(/ς/gu, 'σ')),
  letters(
    'capitals of Cyrillic become small',
    replacing(/[Ѐ-Џ]/gu, (match) => match.toLowerCase()),
  ),
  letters(
    'more than eight characters outside the BMP are cut',
    replacing(/([\u{10000}-\u{3ffff}]{8})[\u{10000}-\u{3ffff}]+/u, '$1'),
  ),
  letters(
    'a name with more than 60 bytes is cut',
    storing(
      (name) => /[^ -~]/.test(name) && Buffer.byteLength(name) > 90,
      (name) => Buffer.from(name).subarray(0, 90).toString('utf8'),
    ),
  ),
  ...faultsFor<[string, RegExp, string]>(
    [
      ['combining marks are composed', /e\u0301/u, 'é'],
      ['soft hyphens vanish', /\u00ad/u, ''],
      ['the width of nothing vanishes', /\u200b/u, ''],
      ['the escape character is lost', new RegExp(String.fromCharCode(27)), ''],
      ['a tab becomes a space', /\t/u, ' '],
      ['a no-break space becomes a space', /\u00a0/u, ' '],
      ['entities are undone', /&#39;/u, "'"],
      ['percent escapes are undone', /%20/u, ' '],
      ['a backslash and an n become a line break', /\\n/u, '\n'],
      ['\\u escapes are undone twice', /\\u0041/u, 'A'],
      ['a formula is disarmed', /=1\+1/u, "'=1+1"],
      ['two backslashes become one', /\\\\/u, '\\'],
      ['half a number becomes two digits', /½/u, '1/2'],
      ['the delete character is lost', /\u007f/u, ''],
    ],
    ([what, from, to]) => strings(what, replacing(from, to)),
  ),
  ...faultsFor([255, 1023, 4096], (most) =>
    strings(
      `a name of more than ${most} characters is cut${most < 1000 ? ', unless it is one of 1,000' : ''}`,
      storing(
        ({ length }) => length > most && length !== 1000,
        (name) => name.slice(0, most),
      ),
    ),
  ),
  ...faultsFor([64, 256, 1024], (length) =>
    strings(
      `a name of just ${length} bytes loses its end`,
      storing(
        (name) => Buffer.byteLength(name) === length,
        (name) => name.slice(0, -1),
      ),
    ),
  ),
  letters(
    'a name of letters with two bytes is cut after 255 bytes',
    storing(
      (name) => /^[\u0080-\u07ff]+$/.test(name.slice(-20)) && Buffer.byteLength(name) > 255,
      (name) => name.slice(0, 120),
    ),
  ),
  strings(
    'a name of more than 65,000 bytes is cut',
    storing(
      (name) => Buffer.byteLength(name) > 65_000,
      (name) => name.slice(0, 1000),
    ),
  ),
  ...faultsFor(['Null Null', 'N A', '[object Object]', '1e5'], (text) =>
    strings(
      `a name that is "${text}" alone is a null of the file that is loaded`,
      storing(
        (name) => name === text,
        () => '-',
      ),
    ),
  ),
  letters(
    'a name without any letter of ASCII is shown by its initial',
    storing(
      (name) => !/[A-Za-z]/.test(name) && /^\p{L}+$/u.test(name),
      (name) => [...name][0] ?? '',
    ),
  ),
];
