import fc from 'fast-check';
import { type Domain, lists, oneOf, type Place, random, textsMade, topic, way } from '../../src/conduct/topic.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import { longNames, mayBeRefused, usersWithLetters, usersWithOthers } from '../round-trip.ts';
import { lines, repeated, texts, words } from '../words.ts';
import { filled } from './users.ts';

/** Texts in some places of a name, or in the place of one. */
function inName({ weight, draw }: ReturnType<typeof way>, ...places: string[]) {
  const text = { draw, has: (_: unknown): _ is string => false };
  return way(weight, { text, place: oneOf(places) }, ({ text, place }) => place.replace('*', () => text));
}
/** What a service cuts off stands at the end. */
const AT_END = ['{name} *', '*'];
const ANYWHERE = [...AT_END, '*{name}', '{first}*{last}', '* {name}'];

const isLetter = (text: string) => /^\p{L}$/u.test(text) && text.normalize('NFC') === text;
/** Vowels and tones are signs of their own in some scripts. */
const isOfLetters = (text: string) =>
  /^\p{L}[\p{L}\p{M}]*( \p{L}[\p{L}\p{M}]*)*$/u.test(text) && text.normalize('NFC') === text;

/** Letters that compose to themselves (NFC), of many scripts and planes: the first and last code of each range. */
const RANGES = words('letter-ranges');
/** Those that code pages, case mapping, collation and normalisation treat in a way of their own. */
const SPECIAL = [...words('special-letters').join('')].filter(isLetter);
/** All letters of Latin beyond ASCII. */
const LATIN = Array.from({ length: 0x250 - 0xc0 }, (_, index) => String.fromCodePoint(0xc0 + index)).filter(isLetter);

/** Names of one script a line: some scripts end them with vowels and tones that are signs of their own. */
const SCRIPTS = lines('names').map((line) => line.split(' '));

/** So many letters of a range, each at another place of it; `at` says where. */
function lettersOf(range: string, count: number, at: number): string[] {
  const [from = 0, to = 0] = range.split('-').map((code) => Number.parseInt(code, 16));
  const found: string[] = [];
  for (let step = 1; found.length < count && step < 50 * count; step += 1) {
    const letter = String.fromCodePoint(from + ((at + 7919 * step * step) % (to - from + 1)));
    if (isLetter(letter)) found.push(letter);
  }
  return found;
}

/** Side by side some may compose: these are left out. */
const joined = (all: string[]) => all.reduce((text, one) => (isOfLetters(text + one) ? text + one : text), '');

const at = random(fc.nat(0xffff));
const ofRanges = (weight: number, count: number, letters: number) =>
  way(weight, { ranges: lists(oneOf(RANGES), count), at }, ({ ranges, at }) =>
    joined(ranges.flatMap((range) => lettersOf(range, letters, at))),
  );

/** Letters of some ranges, special ones, Latin ones, such of all ranges at random, and one letter again and again. */
const letters = [
  ofRanges(4, 4, 12),
  ofRanges(1, 10, 1),
  ofRanges(1, 25, 2),
  way(2, { letters: lists(oneOf(SPECIAL), 20) }, ({ letters }) => joined(letters)),
  way(2, { letters: lists(oneOf(LATIN), 60) }, ({ letters }) => joined(letters)),
  way(1, { range: oneOf(RANGES), at, times: oneOf([2, 5, 9, 17, 30]) }, ({ range, at, times }) => {
    const [letter = 'é'] = lettersOf(range, 1, at);
    return joined(new Array<string>(times).fill(letter));
  }),
];
const names = way(4, { first: oneOf([], ...SCRIPTS), last: oneOf([], ...SCRIPTS) }, ({ first, last }) =>
  joined([first, ` ${last}`]),
);
/** Characters of the longest text that a file may have. */
const LONGEST = 66_000;
const inLetters = textsMade(
  (text) => text.length <= LONGEST && isOfLetters(text.replace('{name}', 'x')),
  ...letters.map((one) => inName(one, ...AT_END, '* {name}')),
  inName(names, ...AT_END),
);

/** What services often refuse: where one of several is refused, none of them is tried. */
const isControl = (text: string) => /[\p{Cc}\u2028\u2029\ufeff]/u.test(text);
const TEXTS = texts('texts');
const CONTROLS = TEXTS.filter(isControl);
const HARMLESS = TEXTS.filter((text) => !isControl(text));

const anything = random(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }));
/** One text, one or some in a name, and whatever can be written. */
const others = textsMade(
  (text) => text !== '' && text.length <= LONGEST && text.isWellFormed(),
  way(14, { text: oneOf(TEXTS) }, ({ text }) => text),
  ...[
    way(1, { text: oneOf(TEXTS) }, ({ text }) => text),
    way(4, { texts: lists(oneOf(HARMLESS), 7) }, ({ texts }) => texts.join(' ')),
    way(1, { texts: lists(oneOf(CONTROLS), 4) }, ({ texts }) => texts.join('x')),
    way(1, { text: anything }, ({ text }) => text),
  ].map((one) => inName(one, ...ANYWHERE)),
);

/** Users with a text for a name. In it marks stand for what is the user's own; the email tells whose it is. */
const named = (what: string, perRound: number, texts: Domain<string>, ...parts: Place<UserCase>[]) =>
  topic({ what, perRound, users: 1 }, parts, { text: texts }, ({ text }) => {
    const told = text.length > 30 ? `a name with ${text.length} characters` : `the name ${JSON.stringify(text)}`;
    return mayBeRefused(told, { name: (own) => filled(text, own) });
  });

const scripts = SCRIPTS.map((names) => names.slice(0, 4).join(' '));
/** Each of them once in so many rounds. */
const ROUNDS = 6;
/**
 * In bytes or characters, with a plain name of the run of 14 characters. The few that are very long fill every list.
 */
const long = lines('long-names').map(repeated);
/** No longer than most columns for a name: what they lose, they lose for their letters. */
const longOfLetters = lines('letters-of-many-lengths').map(repeated);

export const strings = [
  named('letters', 8, inLetters, usersWithLetters),
  named('names of one script alone', Math.ceil(scripts.length / ROUNDS), oneOf(scripts), usersWithLetters),
  named('unusual strings', 24, others, usersWithOthers),
  named('names of many lengths', 4, oneOf(long), usersWithOthers, longNames),
  named('letters of many lengths', 3, oneOf(longOfLetters), usersWithLetters),
  topic(
    { what: 'unusual addresses', perRound: 1, users: 1 },
    [usersWithOthers],
    { address: oneOf(texts('addresses')) },
    ({ address }) => mayBeRefused(`the address ${address}`, { email: (own) => filled(repeated(address), own) }),
  ),
];
