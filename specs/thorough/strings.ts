import fc from 'fast-check';
import { type Domain, kinds, madeOf, members, oneOf, random, some, type ValueOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import type { Own } from '../../src/plan/users.ts';
import { usersWithOthers } from '../round-trip.ts';
import { isText, PLACES, smaller, type Text, withText } from './text.ts';
import { texts } from './words.ts';

const TEXTS = texts('texts');
/** Lengths around each power of two: what counts in bits, pages and buffers breaks there. */
export const around = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => 2 ** (from + index)).flatMap((one) => [one - 1, one, one + 1]);

/** Characters of a plain name of the run, with a space. */
const OWN = 14;
const sizeOf = (unit: string) => new TextEncoder().encode(unit).length;

/** What services often refuse: where one of several is refused, none of them is tried. */
const isControl = (text: string) => /[\p{Cc}\u2028\u2029\ufeff]/u.test(text);

const any: Domain<string> = random(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.isWellFormed()),
  (value) => typeof value === 'string',
);

/** Lengths of names, in bytes or characters, by the letter that fills them. The few that are very long fill every list. */
const LENGTHS = [
  ...around(5, 10).flatMap((length) => ['x', 'é', '山', '𠮷'].map((letter) => `${length} bytes of ${letter}`)),
  ...around(6, 9).flatMap((length) => ['é', '山', '𠮷'].map((letter) => `${length} characters of ${letter}`)),
  ...around(11, 12).map((length) => `${length} bytes of x`),
  ...[1000, 2000, 5000, 8192, 16_384, 32_768, 65_535, 65_536].map((length) => `${length} bytes of x`),
  ...[300, 10_000].flatMap((length) => ['é', '山', '𠮷'].map((letter) => `${length} characters of ${letter}`)),
];

function longName(length: string): string {
  const [size, what, , letter = 'x'] = length.split(' ');
  return letter.repeat((Number(size) - OWN) / (what === 'bytes' ? sizeOf(letter) : letter.length));
}

/** One or some texts in a name, and whatever can be written. */
const drawn = kinds(
  {
    one: members({ text: oneOf(TEXTS) }),
    some: members({
      texts: some(
        TEXTS.filter((text) => !isControl(text)),
        7,
      ),
    }),
    controls: members({ texts: some(TEXTS.filter(isControl), 4) }),
    any: members({ text: any }),
    alone: members({ text: oneOf(TEXTS) }),
  },
  [
    ...(['some', 'alone', 'one', 'alone', 'some', 'alone', 'alone', 'controls'] as const),
    ...(['some', 'alone', 'alone', 'some', 'alone', 'any', 'alone', 'alone'] as const),
  ],
);
type Kind = ValueOf<typeof drawn>;

function textOf(one: Kind): string {
  if (one.kind === 'one' || one.kind === 'any' || one.kind === 'alone') return one.text;
  if (one.kind === 'some') return one.texts.join(' ');
  return one.texts.join('x');
}

const isAny = () => true;
const params = madeOf(
  members({ of: drawn, place: oneOf(PLACES) }),
  ({ of, place }): Text => ({
    text: textOf(of),
    place: of.kind === 'alone' ? 'alone' : place,
  }),
  isText(isAny),
);

/** Addresses that a service may refuse. */
const addresses: Record<string, (own: Own) => string> = {
  'two tags': ({ local, domain }) => `${local}+a+b${domain}`,
  'capital letters': ({ tag, domain }) => `UPPER.${tag}${domain}`,
  'an underscore and a hyphen': ({ local, domain }) => `${local}_x-y${domain}`,
  'an apostrophe': ({ local, domain }) => `o'${local}${domain}`,
  quotes: ({ local, domain }) => `"${local}"${domain}`,
  'a percent sign': ({ local, domain }) => `${local}%41${domain}`,
  'a letter beyond ASCII': ({ tag, domain }) => `ü.${tag}${domain}`,
  'many letters': ({ local, domain }) => `${local}${'x'.repeat(60)}${domain}`,
  'spaces around it': ({ local, domain }) => ` ${local}${domain} `,
};

export const strings: Topic[] = [
  topic({
    what: 'other strings',
    params,
    toCase: withText,
    perRound: 14,
    users: 1,
    fills: [into(usersWithOthers)],
    smaller: smaller(isAny),
  }),
  topic({
    what: 'names of many lengths',
    params: members({ length: oneOf(LENGTHS) }),
    toCase: ({ length }): UserCase => withText({ text: longName(length), place: 'behind' }),
    perRound: 5,
    users: 1,
    fills: [into(usersWithOthers)],
  }),
  topic({
    what: 'other addresses',
    params: members({ address: oneOf(Object.keys(addresses)) }),
    toCase: ({ address }): UserCase => {
      const [what, email] = [`an address with ${address}`, addresses[address]];
      return { what, fate: 'may', kind: { what, ...(email && { email }) } };
    },
    perRound: 1,
    users: 1,
    fills: [into(usersWithOthers)],
  }),
];
