import fc, { type Arbitrary } from 'fast-check';
import { topic } from '../../src/conduct/topic.ts';
import { kept, type UserCase, unusualUsers } from '../../src/plan/steps/users.ts';
import { grouped, inTurn, rowOf, shuffled, taker } from './drawn.ts';
import { smaller, withText } from './text.ts';

/** Letters that compose to themselves (NFC), of many scripts and planes. */
const RANGES: [from: number, to: number][] = [
  ...([
    [0xc0, 0x24f],
    [0x250, 0x2af],
    [0x370, 0x3ff],
    [0x400, 0x52f],
    [0x531, 0x587],
    [0x5d0, 0x5ea],
  ] as [number, number][]),
  ...([
    [0x620, 0x64a],
    [0x671, 0x6d3],
    [0x904, 0x939],
    [0x985, 0x9b9],
    [0xe01, 0xe30],
    [0x10d0, 0x10fa],
  ] as [number, number][]),
  ...([
    [0x1200, 0x1248],
    [0x13a0, 0x13f5],
    [0x1e00, 0x1eff],
    [0x1f00, 0x1fff],
    [0x2c00, 0x2c5f],
    [0x3041, 0x3096],
  ] as [number, number][]),
  ...([
    [0x30a1, 0x30fa],
    [0x3400, 0x4dbf],
    [0x4e00, 0x9fff],
    [0xa000, 0xa48c],
    [0xac00, 0xd7a3],
    [0xfb00, 0xfb06],
  ] as [number, number][]),
  ...([
    [0xff21, 0xff5a],
    [0x10000, 0x1000b],
    [0x10330, 0x1034a],
    [0x10400, 0x1044f],
    [0x1d400, 0x1d454],
  ] as [number, number][]),
  ...([
    [0x20000, 0x2a6df],
    [0x2a700, 0x2b738],
    [0x30000, 0x3134a],
  ] as [number, number][]),
];
const isLetter = (text: string) => /^\p{L}$/u.test(text) && text.normalize('NFC') === text;
const within = ([from, to]: [number, number]) =>
  fc
    .integer({ min: from, max: to })
    .map((code) => String.fromCodePoint(code))
    .filter(isLetter);
const letter = fc.constantFrom(...RANGES).chain(within);
/** Those that code pages, case mapping, collation and normalisation treat in a way of their own. */
const SPECIAL = [...'ßẞıİŁłØøÆæŒœÐðÞþŠšŽžÿŸµªºΩÅΣςσĳŉſǅǆʼnﬁﬀ㐀𠮷𩸽𝒜𐐀𐍈가힣あんアンЁёҐґאתءي'].filter(isLetter);

const isOfLetters = (text: string) => [...text].every(isLetter) && text.normalize('NFC') === text;

/** All letters of Latin beyond ASCII, and the special ones. */
const LATIN = Array.from({ length: 0x250 - 0xc0 }, (_, index) => String.fromCodePoint(0xc0 + index)).filter(isLetter);
const KINDS = ['range', 'special', 'latin', 'range', 'mixed', 'range', 'latin', 'range', 'many', 'repeated'] as const;
const some = (range: [number, number]) => fc.array(within(range), { minLength: 12, maxLength: 12 });

/** Letters of some ranges, special ones, Latin ones, such of all ranges at random, and one again and again. */
const withLetters: Arbitrary<UserCase[]> = fc
  .tuple(
    inTurn(KINDS),
    shuffled(RANGES).chain((ranges) => fc.tuple(...ranges.map(some))),
    grouped(SPECIAL, 14).map(taker),
    grouped(LATIN, 60).map(taker),
    rowOf(fc.array(letter, { minLength: 1, maxLength: 12 })).map(taker),
    rowOf(fc.array(letter, { minLength: 40, maxLength: 60 })).map(taker),
    inTurn([2, 5, 9, 17, 30]).map(taker),
    inTurn(['first', 'behind'] as const).map(taker),
  )
  .map(([kinds, ranges, special, latin, mixed, many, count, place]) => {
    const range = taker(ranges);
    const make = {
      range: () => [...range(), ...range(), ...range()],
      special,
      latin,
      mixed,
      many,
      repeated: () => {
        const [one = 'é'] = mixed();
        return Array.from({ length: count() }, () => one);
      },
    };
    return kinds.map((kind) => {
      const all = make[kind]();
      // Side by side some may compose.
      const text = all.reduce((before, one) => (isOfLetters(before + one) ? before + one : before), '');
      return withText(text, place());
    });
  });

export const letters = topic({
  what: 'letters',
  cases: withLetters,
  perRound: 7,
  users: 1,
  judgedBy: { 'round-trip.letters-beyond-ascii': (all: UserCase[]) => ({ users: kept(unusualUsers, ...all) }) },
  smaller: smaller(isOfLetters),
});
