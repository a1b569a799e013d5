import fc, { type Arbitrary } from 'fast-check';
import { topic } from '../../src/conduct/topic.ts';
import { kept, type UserCase, unusualUsers } from '../../src/plan/steps/users.ts';
import type { Own } from '../../src/plan/users.ts';
import { grouped, inTurn, rowOf, taker, words } from './drawn.ts';
import { type Place, smaller, withText } from './text.ts';

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
/** The size of a name that shows whatever cuts names short, unless it is refused. */
const LONGEST = 65_536;
/** Characters of a plain name of the run, with a space. */
const OWN = 14;
const sizeOf = (unit: string) => new TextEncoder().encode(unit).length;

/** What services often refuse: where one of several is refused, none of them is tried. */
const isControl = (text: string) => /[\p{Cc}\u2028\u2029\ufeff]/u.test(text);
const withEmail = (
  [
    ({ local, domain }) => `${local}+a+b${domain}`,
    ({ tag, domain }) => `UPPER.${tag}${domain}`,
    ({ local, domain }) => `${local}_x-y${domain}`,
    ({ local, domain }) => `o'${local}${domain}`,
    ({ local, domain }) => `"${local}"${domain}`,
    ({ local, domain }) => `${local}%41${domain}`,
    ({ tag, domain }) => `ü.${tag}${domain}`,
    ({ local, domain }) => `${local}${'x'.repeat(60)}${domain}`,
    ({ local, domain }) => ` ${local}${domain} `,
  ] as Part[]
).map((email): UserCase => {
  const what = 'an odd address';
  return { what, fate: 'may', kind: { what, email } };
});
type Part = (own: Own) => string;

const KINDS = ['some', 'one', 'some', 'long', 'controls', 'some', 'email', 'length', 'some', 'any'] as const;

/** One or some texts in a name, names of many lengths in characters or bytes, and whatever can be written. */
const withTexts: Arbitrary<UserCase[]> = fc
  .tuple(
    inTurn(KINDS),
    inTurn(TEXTS).map(taker),
    grouped(
      TEXTS.filter((text) => !isControl(text)),
      7,
    ).map(taker),
    grouped(TEXTS.filter(isControl), 4).map(taker),
    inTurn<Place>(['before', 'behind', 'within', 'first']).map(taker),
    inTurn(LENGTHS).map(taker),
    inTurn(['x', 'é', '山', '𠮷']).map(taker),
    rowOf(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((text) => text.isWellFormed())).map(
      taker,
    ),
    inTurn([true, false]).map(taker),
    inTurn(withEmail).map(taker),
  )
  .map(([kinds, one, some, controls, place, length, unit, any, isInBytes, email]) => {
    const filled = (size: number, sign: string) =>
      sign.repeat(Math.max(1, Math.floor((size - OWN) / (isInBytes() ? sizeOf(sign) : sign.length))));
    const make = {
      one: () => withText(one(), place()),
      some: () => withText(some().join(' '), place()),
      controls: () => withText(controls().join('x'), place()),
      email,
      any: () => withText(any(), place()),
      length: () => withText(filled(length(), unit()), 'behind'),
      long: () => withText(filled(LONGEST, unit()), 'behind'),
    };
    return kinds.map((kind) => make[kind]());
  });

export const strings = topic({
  what: 'other strings',
  cases: withTexts,
  perRound: 12,
  users: 1,
  judgedBy: { 'round-trip.other-strings': (all: UserCase[]) => ({ users: kept(unusualUsers, ...all) }) },
  smaller: smaller(() => true),
});
