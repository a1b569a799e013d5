import { kind, kinds, lists, members, oneOf } from '../../src/conduct/domain.ts';
import type { Topic } from '../../src/conduct/topic.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import type { Own } from '../../src/plan/users.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import { mayBeRefused, usersWithLetters, usersWithOthers } from '../round-trip.ts';
import { creations } from './creations.ts';
import { anyText, textsInNames, withText } from './text.ts';
import { around, repeated, texts } from './words.ts';

const TEXTS = texts('texts');
/** Characters of a plain name of the run, with a space. */
const OWN = 14;
const sizeOf = (unit: string) => new TextEncoder().encode(unit).length;

/** What services often refuse: where one of several is refused, none of them is tried. */
const isControl = (text: string) => /[\p{Cc}\u2028\u2029\ufeff]/u.test(text);
const CONTROLS = TEXTS.filter(isControl);
const HARMLESS = TEXTS.filter((text) => !isControl(text));

/** Lengths of names, in bytes or characters, by the letter that fills them. The few that are very long fill every list. */
const LETTERS = ['é', '山', '𠮷'];
const LENGTHS = [
  ...around(5, 10).map((length) => `${length} bytes of x`),
  ...around(9, 10).flatMap((length) => LETTERS.map((letter) => `${length} characters of ${letter}`)),
  ...around(11, 12).map((length) => `${length} bytes of x`),
  ...[1000, 2000, 5000, 8192, 16_384, 32_768, 65_535, 65_536].map((length) => `${length} bytes of x`),
  ...[300, 10_000].flatMap((length) => ['é', '山', '𠮷'].map((letter) => `${length} characters of ${letter}`)),
];

/** Names of letters that are no longer than most columns for a name: what they lose, they lose for their letters. */
const LENGTHS_OF_LETTERS = LETTERS.flatMap((letter) => [
  ...around(5, 9).map((length) => `${length} bytes of ${letter}`),
  ...around(6, 7).map((length) => `${length} characters of ${letter}`),
]);

const lengths = (what: string, part: DrawnPart<UserCase>, perRound: number, all: string[]) =>
  creations(what, [part], perRound, members({ length: oneOf(all) }), ({ length }) =>
    withText(longName(length), 'behind'),
  );

function longName(length: string): string {
  const [size, what, , letter = 'x'] = length.split(' ');
  return letter.repeat((Number(size) - OWN) / (what === 'bytes' ? sizeOf(letter) : letter.length));
}

/** One or some texts in a name, and whatever can be written. */
const drawn = kinds<void>({
  one: kind(1, { text: oneOf(TEXTS) }, ({ text }) => text),
  alone: kind(9, { text: oneOf(TEXTS) }, ({ text }) => text),
  some: kind(4, { texts: lists(oneOf(HARMLESS), 7) }, ({ texts }) => texts.join(' ')),
  controls: kind(1, { texts: lists(oneOf(CONTROLS), 4) }, ({ texts }) => texts.join('x')),
  any: anyText(1, () => true),
});

const PLACES = ['before', 'behind', 'within', 'first', 'alone'] as const;

const addresses = members({ address: oneOf(texts('addresses')) });

export const strings: Topic[] = [
  textsInNames('unusual strings', usersWithOthers, 14, drawn, PLACES, (kind) => kind === 'alone'),
  lengths('names of many lengths', usersWithOthers, 4, LENGTHS),
  lengths('letters of many lengths', usersWithLetters, 3, LENGTHS_OF_LETTERS),
  creations('unusual addresses', [usersWithOthers], 1, addresses, ({ address }) => {
    const email = (own: Own) => repeated(address).replace(/\$(local|tag|domain)/g, (_, part: keyof Own) => own[part]);
    return mayBeRefused(`the address ${address}`, { email });
  }),
];
