import fc from 'fast-check';
import { kept, type UserCase, unusualUsers } from '../../src/plan/steps/users.ts';
import type { Own } from '../../src/plan/users.ts';
import { type Topic, topic } from '../../src/requirement/topic.ts';
import { rowOf, words } from './drawn.ts';

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
const letter = fc
  .constantFrom(...RANGES)
  .chain(([from, to]) => fc.integer({ min: from, max: to }))
  .map((code) => String.fromCodePoint(code))
  .filter(isLetter);
/** Those that code pages, case mapping, collation and normalisation treat in a way of their own. */
const SPECIAL = [...'ßẞıİŁłØøÆæŒœÐðÞþŠšŽžÿŸµªºΩÅΣςσĳŉſǅǆʼnﬁﬀ㐀𠮷𩸽𝒜𐐀𐍈가힣あんアンЁёҐґאתءي'].filter(isLetter);
const special = fc.constantFrom(...SPECIAL);

/** A user with a text in the name that the service may refuse: it can be made smaller. */
interface TextCase extends UserCase {
  text: string;
  place: Place;
}
type Place = 'before' | 'behind' | 'within' | 'first';
const placed: Record<Place, (name: string, text: string) => string> = {
  before: (name, text) => text + name,
  behind: (name, text) => `${name} ${text}`,
  within: (name, text) => name.replace(' ', text),
  first: (name, text) => `${text} ${name}`,
};

function withText(text: string, place: Place): TextCase {
  const what =
    text.length > 30 ? `${text.length} characters ${place} the name` : `${JSON.stringify(text)} ${place} the name`;
  return { what, fate: 'may', text, place, kind: { what, name: ({ name }) => placed[place](name, text) } };
}

/** The same with fewer characters, as fast-check shrinks a part of them; only texts of which `isOne` is true. */
const smaller = (isOne: (text: string) => boolean) =>
  function* ({ text, place }: UserCase & Partial<TextCase>): Iterable<TextCase> {
    if (text === undefined || place === undefined) return;
    const characters = [...text];
    for (const { value } of fc.subarray(characters, { minLength: 1 }).shrink(characters, undefined)) {
      if (isOne(value.join(''))) yield withText(value.join(''), place);
    }
  };

const isOfLetters = (text: string) => [...text].every(isLetter) && text.normalize('NFC') === text;
const withLetters = fc
  .tuple(
    fc
      .oneof(
        fc.array(letter, { minLength: 1, maxLength: 12 }),
        fc.array(special, { minLength: 1, maxLength: 8 }),
        fc
          .tuple(letter, fc.integer({ min: 2, max: 30 }))
          .map(([one, count]) => Array.from({ length: count }, () => one)),
      )
      .map((all) => all.join(''))
      .filter(isOfLetters),
    fc.constantFrom<Place>('first', 'behind'),
  )
  .map(([text, place]) => withText(text, place));

const TEXTS = [
  ...words('e\u0301\u0323 \u0301 👨‍👩‍👧‍👦 🇨🇭 👍🏽 ❤️ \u200d \u00ad \u200b ٣ Ⅷ ½ \u001b[31m \u0001 \u0007 \u0008 \u007f'),
  ...['\ufeff', '\u2028', '\u2029', '\u0085', '\t', '\n', '\r\n', '\r', '\v', '\f', '\u00a0', '\u3000', '  ', '\0'],
  ...words(
    `<script>alert(1)</script> &lt; &#39; &amp;amp; <!-- ]]> <?xml?> %20 %00 %s%n %2F + \\n \\u0041 \\0 \\r\\n \\ \\\\ / // /*`,
  ),
  ...words(
    `" ' \` «» ‘’ “” „“ 「」 */ -- ; '' "" '; {{7*7}} \${7*7} #{7*7} {0} {} [] $1 $& =1+1 @SUM(1) | ~ ^ , : ? ! # % & ( )`,
  ),
  ...words(
    'null NaN 0 -1 1e3 0x10 1.0 true 2024-01-01 2024-01-01T00:00:00Z 12:34 1_000 undefined Infinity None -0 007 .5',
  ),
  ...[
    "'; DROP TABLE users; --",
    '<%= 7*7 %>',
    '<b>bold</b>',
    'javascript:alert(1)',
    '../../etc/passwd',
    'a@b',
    '{"a":1}',
  ],
];
const LENGTHS = [
  ...[63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 1000, 1023, 1024, 1025, 2000, 2048, 4000, 4096, 8192, 16_384],
  ...[32_768, 65_535, 65_536],
];
/** Characters of a plain name of the run, with a space. */
const OWN = 14;
const sizeOf = (unit: string) => new TextEncoder().encode(unit).length;
const ofLength = fc
  .tuple(fc.constantFrom(...LENGTHS), fc.constantFrom('x', 'é', '山', '𠮷'), fc.boolean())
  .map(([length, unit, isInBytes]) =>
    withText(unit.repeat(Math.max(1, Math.floor((length - OWN) / (isInBytes ? sizeOf(unit) : 1)))), 'behind'),
  );
const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.isWellFormed());
const withTexts = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...TEXTS), fc.constantFrom<Place>('before', 'behind', 'within', 'first'))
      .map(([text, place]) => withText(text, place)),
  },
  { weight: 2, arbitrary: ofLength },
  { weight: 1, arbitrary: anyText.map((text) => withText(text, 'behind')) },
);

const withEmail = fc
  .constantFrom<(own: Own) => string>(
    ({ local, domain }) => `${local}+a+b${domain}`,
    ({ tag, domain }) => `UPPER.${tag}${domain}`,
    ({ local, domain }) => `${local}_x-y${domain}`,
    ({ local, domain }) => `o'${local}${domain}`,
    ({ local, domain }) => `"${local}"${domain}`,
    ({ local, domain }) => `${local}%41${domain}`,
    ({ tag, domain }) => `ü.${tag}${domain}`,
    ({ local, domain }) => `${local}${'x'.repeat(60)}${domain}`,
    ({ local, domain }) => ` ${local}${domain} `,
  )
  .map((email): UserCase => {
    const what = 'an odd address';
    return { what, fate: 'may', kind: { what, email } };
  });

export const strings: Topic[] = [
  topic({
    what: 'letters',
    cases: rowOf(withLetters),
    perRound: 5,
    users: 1,
    judgedBy: { 'round-trip.letters-beyond-ascii': (all: UserCase[]) => ({ users: kept(unusualUsers, ...all) }) },
    smaller: smaller(isOfLetters),
  }),
  topic({
    what: 'other strings',
    cases: rowOf(fc.oneof({ weight: 6, arbitrary: withTexts }, { weight: 1, arbitrary: withEmail })),
    perRound: 6,
    users: 1,
    judgedBy: { 'round-trip.other-strings': (all: UserCase[]) => ({ users: kept(unusualUsers, ...all) }) },
    smaller: smaller(() => true),
  }),
];
