import fc from 'fast-check';
import { lists, members, oneOf, random, textsMade, way } from '../../src/conduct/domain.ts';
import { type Topic, topic } from '../../src/conduct/topic.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import type { Own } from '../../src/plan/users.ts';
import { mayBeRefused, usersWithLetters, usersWithOthers } from '../round-trip.ts';
import { lines, repeated, texts, words } from './words.ts';

/** Where a text stands in a name; the other marks are for what is the user's own. */
const PLACES = ['{text}{name}', '{name} {text}', '{first}{text}{last}', '{text} {name}'];
const placed = (text: string, place: string) => place.replace('{text}', () => text);

/** A user with a text in the name, or with a text for the name: the email tells whose it is. */
function withText({ text, place = '{text}' }: { text: string; place?: string }): UserCase {
  const whole = placed(text, place);
  const what = whole.length > 30 ? `a name with ${text.length} characters` : `the name ${JSON.stringify(whole)}`;
  const nameOf = ({ name }: Own) => {
    const [first = '', last = ''] = name.split(' ');
    return whole.replace('{name}', name).replace('{first}', first).replace('{last}', last);
  };
  return mayBeRefused(what, { name: nameOf });
}

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

/** Letters of some ranges, special ones, Latin ones, such of all ranges at random, names, and one letter again and again. */
const letters = textsMade(
  isOfLetters,
  ofRanges(4, 4, 12),
  ofRanges(1, 10, 1),
  ofRanges(1, 25, 2),
  way(2, { letters: lists(oneOf(SPECIAL), 20) }, ({ letters }) => joined(letters)),
  way(2, { letters: lists(oneOf(LATIN), 60) }, ({ letters }) => joined(letters)),
  way(3, { first: oneOf([], ...SCRIPTS), last: oneOf([], ...SCRIPTS) }, ({ first, last }) =>
    joined([first, ` ${last}`]),
  ),
  way(1, { range: oneOf(RANGES), at, times: oneOf([2, 5, 9, 17, 30]) }, ({ range, at, times }) => {
    const [letter = 'é'] = lettersOf(range, 1, at);
    return joined(new Array<string>(times).fill(letter));
  }),
);

/** What services often refuse: where one of several is refused, none of them is tried. */
const isControl = (text: string) => /[\p{Cc}\u2028\u2029\ufeff]/u.test(text);
const TEXTS = texts('texts');
const CONTROLS = TEXTS.filter(isControl);
const HARMLESS = TEXTS.filter((text) => !isControl(text));

/** Characters of the longest text that a file may have. */
const LONGEST = 66_000;

const anything = random(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }));
const anywhere = oneOf([...PLACES, '{text}']);
/** One text, one or some in a name, and whatever can be written. */
const others = textsMade(
  (text) => text !== '' && text.length <= LONGEST && text.isWellFormed(),
  way(9, { text: oneOf(TEXTS) }, ({ text }) => text),
  way(1, { text: oneOf(TEXTS), place: anywhere }, ({ text, place }) => placed(text, place)),
  way(4, { texts: lists(oneOf(HARMLESS), 7), place: anywhere }, ({ texts, place }) => placed(texts.join(' '), place)),
  way(1, { texts: lists(oneOf(CONTROLS), 4), place: anywhere }, ({ texts, place }) => placed(texts.join('x'), place)),
  way(1, { text: anything, place: anywhere }, ({ text, place }) => placed(text, place)),
);

/** Each line once in so many rounds. */
const ROUNDS = 6;
const scripts = SCRIPTS.map((names) => names.slice(0, 4).join(' '));

/** Texts of lengths, in bytes or characters, at which a column ends, with a plain name of the run of 14 characters before them. */
const ofLengths = (list: string) => members({ text: oneOf(lines(list)), place: oneOf(['{name} {text}']) });
const withLong: typeof withText = ({ text, place }) => withText({ text: repeated(text), ...(place && { place }) });

/** What a service cuts off stands at the end. */
const withLetters = members({ text: letters, place: oneOf(['{text} {name}', '{name} {text}', '{text}', '{text}']) });
const ofScripts = { what: 'names of one script alone', perRound: Math.ceil(scripts.length / ROUNDS), users: 1 };
/** The few that are very long fill every list. */
const long = ofLengths('long-names');
/** No longer than most columns for a name: what they lose, they lose for their letters. */
const longOfLetters = ofLengths('letters-of-many-lengths');

export const strings: Topic[] = [
  topic({ what: 'letters', perRound: 8, users: 1 }, [usersWithLetters], withLetters, withText),
  topic(ofScripts, [usersWithLetters], members({ text: oneOf(scripts) }), withText),
  topic({ what: 'unusual strings', perRound: 14, users: 1 }, [usersWithOthers], members({ text: others }), withText),
  topic({ what: 'names of many lengths', perRound: 4, users: 1 }, [usersWithOthers], long, withLong),
  topic({ what: 'letters of many lengths', perRound: 3, users: 1 }, [usersWithLetters], longOfLetters, withLong),
  topic(
    { what: 'unusual addresses', perRound: 1, users: 1 },
    [usersWithOthers],
    members({ address: oneOf(texts('addresses')) }),
    ({ address }) => {
      const email = (own: Own) => repeated(address).replace(/\$(local|tag|domain)/g, (_, part: keyof Own) => own[part]);
      return mayBeRefused(`the address ${address}`, { email });
    },
  ),
];
