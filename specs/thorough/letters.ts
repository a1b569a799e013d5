import fc from 'fast-check';
import { byClass, kind, kinds, lists, members, oneOf, random } from '../../src/conduct/domain.ts';
import { usersWithLetters } from '../round-trip.ts';
import { creations } from './creations.ts';
import { anyText, type Place, textsInNames, withText } from './text.ts';
import { lines, words } from './words.ts';

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

const at = random<number>(fc.nat(0xffff), Number.isSafeInteger);
const ofRanges = (weight: number, count: number, letters: number) =>
  kind(weight, { ranges: lists(oneOf(RANGES), count), at }, ({ ranges, at }) =>
    joined(ranges.flatMap((range) => lettersOf(range, letters, at))),
  );

/** Letters of some ranges, special ones, Latin ones, such of all ranges at random, names, and one letter again and again. */
const drawn = kinds<void>({
  range: ofRanges(4, 4, 12),
  mixed: ofRanges(1, 10, 1),
  many: ofRanges(1, 25, 2),
  special: kind(2, { letters: lists(oneOf(SPECIAL), 20) }, ({ letters }) => joined(letters)),
  latin: kind(2, { letters: lists(oneOf(LATIN), 60) }, ({ letters }) => joined(letters)),
  names: kind(3, { first: byClass([], SCRIPTS), last: byClass([], SCRIPTS) }, ({ first, last }) =>
    joined([first, ` ${last}`]),
  ),
  repeated: kind(1, { range: oneOf(RANGES), at, times: oneOf([2, 5, 9, 17, 30]) }, ({ range, at, times }) => {
    const [letter = 'é'] = lettersOf(range, 1, at);
    return joined(Array.from({ length: times }, () => letter));
  }),
  any: anyText(0, isOfLetters),
});

const PLACES = ['first', 'behind', 'alone'] as const;
/** What a service cuts off stands at the end. */
const isAlone = (kind: string, place: Place) => kind === 'names' && place === 'first';

/** Each line once in so many rounds. */
const ROUNDS = 6;
const scripts = SCRIPTS.map((names) => names.slice(0, 4).join(' '));

export const letters = [
  textsInNames('letters', usersWithLetters, 8, drawn, PLACES, isAlone),
  creations(
    'names of one script alone',
    [usersWithLetters],
    Math.ceil(scripts.length / ROUNDS),
    members({ names: oneOf(scripts) }),
    ({ names }) => withText(names, 'alone'),
  ),
];
