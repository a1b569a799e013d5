import { kindOf } from './identifier.ts';

/** How many identifiers of random characters are made: a short one may belong to somebody after all. */
const TRIES = 3;

/**
 * Identifiers that have the shape of the known ones but should belong to nobody; none begins with a known one, because
 * a lenient lookup (`12x` read as 12) is free. For integers each is to be tried; of others, the next only when the one
 * before turned out to be somebody's.
 */
export function unknownIdentifiers(known: string[]): string[] {
  const [sample = ''] = known;
  if (kindOf(sample) === 'integer') {
    // The nine digits stay within a 32-bit integer, so that a service which keeps one need not fail on them.
    const far = ['9', '8', '7', '6', '5', '4', '3', '2', '1'].map((digit) => farAbove(known, digit));
    const free = far.find((text) => beginsWithNone(text, known)) ?? (far[0] as string);
    return [free, '0', '-1'].filter((text) => !known.includes(text));
  }
  const prefix = prefixOf(known);
  const long = prefix + longEnough(sample.slice(prefix.length));
  const others = Array.from({ length: TRIES * 3 }, () => sameShape(long, [...prefix].length));
  return others.filter((other) => beginsWithNone(other, known)).slice(0, TRIES);
}

/** What all of several known ones begin with, up to its last separator: `usr_` of `usr_x1` and `usr_y2`. */
function prefixOf([sample = '', ...more]: string[]): string {
  if (more.length === 0 || kindOf(sample) !== 'text') return '';
  const differs = [...sample].findIndex((one, index) => more.some((other) => [...other][index] !== one));
  const shared = [...sample].slice(0, Math.max(0, differs)).join('');
  return shared.match(/^.*[^\p{L}\p{N}]/su)?.[0] ?? '';
}

function farAbove(known: string[], digit: string): string {
  const longest = Math.max(...known.map((text) => text.replace('-', '').length));
  return digit.repeat(longest < 8 ? 9 : longest + 1);
}

function beginsWithNone(text: string, known: string[]): boolean {
  return known.every((identifier) => !text.startsWith(identifier));
}

/** Of a short one, such as `u-3`, a random one would soon be somebody's: it is made longer, as when numbers grow. */
function longEnough(sample: string): string {
  const varied = sample.match(/[\p{L}\p{N}\p{Extended_Pictographic}]/gu) ?? [];
  return varied.length < 6 ? sample + (varied.at(-1) ?? '0').repeat(8 - varied.length) : sample;
}

const pick = (from: string) => from.charAt(Math.floor(Math.random() * from.length));

/** As many characters of the same kinds, after some that are kept; a UUID keeps its version and variant. */
function sameShape(sample: string, kept: number): string {
  const hexadecimal = kindOf(sample) === 'UUID' || /^[0-9a-f]{8,}$/.test(sample);
  const fixed = kindOf(sample) === 'UUID' ? [14, 19] : [];
  return [...sample]
    .map((character, index) => {
      if (index < kept || fixed.includes(index)) return character;
      if (/[0-9]/.test(character)) return pick(hexadecimal ? '0123456789abcdef' : '0123456789');
      if (/[a-z]/.test(character)) return pick(hexadecimal ? '0123456789abcdef' : 'abcdefghijklmnopqrstuvwxyz');
      if (/[A-Z]/.test(character)) return pick('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
      return character > '\x7f' ? neighbour(character) : character;
    })
    .join('');
}

/** Another character of the same alphabet: one of the 64 around it that is of the same kind. */
function neighbour(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const kind = [/\p{L}/u, /\p{N}/u, /\p{Extended_Pictographic}/u].find((one) => one.test(character));
  const around = Array.from({ length: 64 }, (_, offset) => String.fromCodePoint((code & ~63) + offset));
  const alike = around.filter((one) => one !== character && kind?.test(one) && one.normalize('NFC') === one);
  return alike[Math.floor(Math.random() * alike.length)] ?? character;
}
