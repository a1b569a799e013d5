import fc from 'fast-check';
import { type Domain, kinds, madeOf, members, oneOf, random, some, type ValueOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import type { Own } from '../../src/plan/users.ts';
import { usersWithOthers } from '../round-trip.ts';
import { isText, PLACES, smaller, type Text, withText } from './text.ts';
import { texts } from './words.ts';

const TEXTS = texts('texts');
const LENGTHS = [
  ...[63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 1000, 1023, 1024, 1025, 2000, 2048, 4000, 4096, 8192, 16_384],
  ...[32_768, 65_535, 65_536],
];
/** The size of a name that shows whatever cuts names short, unless it is refused. */
const LONGEST = 65_536;
/** Characters of a plain name of the run, with a space. */
const OWN = 14;
const sizeOf = (unit: string) => new TextEncoder().encode(unit).length;

/** What services often refuse: where one of several is refused, none of them is tried. */
const isControl = (text: string) => /[\p{Cc}\u2028\u2029\ufeff]/u.test(text);

const any: Domain<string> = random(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.isWellFormed()),
  (value) => typeof value === 'string',
);
const size = { unit: oneOf(['x', 'é', '山', '𠮷']), inBytes: oneOf([true, false]) };

/** One or some texts in a name, names of many lengths in characters or bytes, and whatever can be written. */
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
    length: members({ length: oneOf(LENGTHS), ...size }),
    long: members({ length: oneOf([LONGEST]), ...size }),
    any: members({ text: any }),
    alone: members({ text: oneOf(TEXTS) }),
  },
  [
    'some',
    'alone',
    'one',
    'alone',
    'some',
    'alone',
    'long',
    'alone',
    'controls',
    'some',
    'alone',
    'length',
    'alone',
    'some',
    'alone',
    'alone',
    'alone',
    'any',
  ],
);
type Kind = ValueOf<typeof drawn>;

function textOf(one: Kind): string {
  if (one.kind === 'one' || one.kind === 'any' || one.kind === 'alone') return one.text;
  if (one.kind === 'some') return one.texts.join(' ');
  if (one.kind === 'controls') return one.texts.join('x');
  const { length, unit, inBytes } = one;
  return unit.repeat(Math.max(1, Math.floor((length - OWN) / (inBytes ? sizeOf(unit) : unit.length))));
}

const isAny = () => true;
const params = madeOf(
  members({ of: drawn, place: oneOf(PLACES) }),
  ({ of, place }): Text => ({
    text: textOf(of),
    place: 'length' in of ? 'behind' : of.kind === 'alone' ? 'alone' : place,
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
    perRound: 20,
    users: 1,
    fills: [into(usersWithOthers)],
    smaller: smaller(isAny),
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
