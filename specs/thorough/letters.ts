import fc from 'fast-check';
import { byClass, kinds, madeOf, members, oneOf, random, some, type ValueOf } from '../../src/conduct/domain.ts';
import { into, topic } from '../../src/conduct/topic.ts';
import { usersWithLetters } from '../round-trip.ts';
import { isText, smaller, type Text, withText } from './text.ts';
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

const at = random<number>(fc.nat(0xffff), Number.isSafeInteger);

/** Letters of some ranges, special ones, Latin ones, such of all ranges at random, names, and one letter again and again. */
const drawn = kinds(
  {
    range: members({ ranges: some(RANGES, 4), at }),
    special: members({ letters: some(SPECIAL, 20) }),
    latin: members({ letters: some(LATIN, 60) }),
    mixed: members({ ranges: some(RANGES, 10), at }),
    many: members({ ranges: some(RANGES, 25), at }),
    names: members({ first: byClass([], SCRIPTS), last: byClass([], SCRIPTS) }),
    script: members({ line: oneOf(SCRIPTS.map((names) => names.slice(0, 4).join(' '))) }),
    repeated: members({ range: oneOf(RANGES), at, times: oneOf([2, 5, 9, 17, 30]) }),
  },
  [
    ...(['range', 'special', 'latin', 'names', 'special', 'range', 'mixed', 'names'] as const),
    ...(['range', 'latin', 'script', 'range', 'many', 'repeated', 'names', 'script'] as const),
  ],
);
type Kind = ValueOf<typeof drawn>;

function lettersIn(one: Kind): string[] {
  if (one.kind === 'names') return [one.first, ` ${one.last}`];
  if (one.kind === 'script') return [one.line];
  if (one.kind === 'range') return one.ranges.flatMap((range) => lettersOf(range, 12, one.at));
  if (one.kind === 'mixed') return one.ranges.flatMap((range) => lettersOf(range, 1, one.at));
  if (one.kind === 'many') return one.ranges.flatMap((range) => lettersOf(range, 2, one.at));
  if (one.kind === 'repeated') {
    const [letter = 'é'] = lettersOf(one.range, 1, one.at);
    return Array.from({ length: one.times }, () => letter);
  }
  return one.letters;
}

const params = madeOf(
  members({ of: drawn, place: oneOf(['first', 'behind', 'alone']) }),
  ({ of, place }): Text => {
    // Side by side some may compose.
    const text = lettersIn(of).reduce((all, one) => (isOfLetters(all + one) ? all + one : all), '');
    // What a service cuts off stands at the end.
    return { text, place: of.kind === 'script' || (of.kind === 'names' && place === 'first') ? 'alone' : place };
  },
  isText(isOfLetters),
);

export const letters = topic({
  what: 'letters',
  params,
  toCase: withText,
  perRound: 10,
  users: 1,
  fills: [into(usersWithLetters)],
  smaller: smaller(isOfLetters),
});
