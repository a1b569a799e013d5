import { members, oneOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import { kindOf, segmentOf } from '../../src/plan/identifier.ts';
import { unknownIdentifiers } from '../../src/plan/nobody.ts';
import type { Lookup, LookupCase } from '../../src/plan/steps/lookups.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import { changed, oddFound, oddOrPatternsFound, patternsFound, plus, unknownFound } from '../unknown-users.ts';
import { around } from './strings.ts';
import { texts } from './words.ts';

type Segments = LookupCase['segments'];

const isInteger = (text: string) => kindOf(text) === 'integer';

/** An integer plus much. */
const STEPS = [
  ...[2n ** 16n, 2n ** 31n, 2n ** 32n, 2n ** 33n, 2n ** 53n, 2n ** 63n, 2n ** 64n],
  ...[10n ** 6n, 10n ** 9n, 10n ** 12n, 10n ** 20n],
];
/** A part of an identifier that is long enough for it to be nobody's. */
const partOf =
  (from: number, to: number): Segments =>
  ([one = '']) => {
    const part = one.slice(Math.floor(one.length * from), Math.floor(one.length * to));
    return isInteger(one) || part.length < 6 || part === one ? [] : [segmentOf(part)];
  };

const UUIDS = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-4000-8000-000000000000',
];
const RANDOM = 'as the known ones';

/** Identifiers of the shape of the known ones that are nobody's: whatever is somebody's after all is left out. */
const shaped: Record<string, Segments> = {
  [RANDOM]: (all) => unknownIdentifiers(all).map(segmentOf),
  ...Object.fromEntries(STEPS.map((step) => [`a known integer plus ${step}`, plus(step)])),
  // A part of a known one; where it is short, it may well be somebody's own.
  ...Object.fromEntries(
    [25, 50, 75].flatMap((percent) => [
      [`the first ${percent} % of a known one`, partOf(0, percent / 100)],
      [`the last ${percent} % of a known one`, partOf(1 - percent / 100, 1)],
    ]),
  ),
  ...Object.fromEntries(
    [0, 1, 2, 3].map((place) => [`a known one with a character changed, ${place} before its end`, changed(place)]),
  ),
  ...Object.fromEntries(
    UUIDS.map((text): [string, Segments] => [
      `the UUID ${text}`,
      ([one = '']) => (kindOf(one) === 'UUID' ? [text] : []),
    ]),
  ),
};

/** These texts, percent-encoded. */
const encoded = (all: string[]): Record<string, Segments> =>
  Object.fromEntries(all.map((text) => [JSON.stringify(text), () => [segmentOf(text)]]));

const LONG = [...[...around(5, 11), 4000].map((length) => 'x'.repeat(length)), '9'.repeat(400)];
const odd = encoded([...texts('odd-identifiers'), ...LONG]);

/** Places among the users, where no identifier is a number. */
const places = Object.fromEntries(
  '1 2 3 10 -1 00 -0 0x1 1.0 1e0 01'
    .split(' ')
    .map((text): [string, Segments] => [
      `the place ${text} among the users`,
      ([one = '', ...more]) => (isInteger(one) || more.some(isInteger) || one.startsWith('-') ? [] : [text]),
    ]),
);
const patterns = { ...encoded(texts('patterns')), ...places };

const lookedUp = (declared: {
  what: string;
  tricks: Record<string, Segments>;
  /** Names of tricks that are tried several times as often, because what they try is another thing each time. */
  often?: string[];
  perRound: number;
  parts: DrawnPart<LookupCase, Lookup>[];
}): Topic => {
  const { what, tricks, often = [], perRound, parts } = declared;
  return topic({
    what,
    params: members({ identifier: oneOf([...Object.keys(tricks), ...often]), before: oneOf([0, 0, 1, 2]) }),
    toCase: ({ identifier, before }): LookupCase => ({
      what: identifier,
      segments: tricks[identifier] ?? (() => []),
      before,
      asksAhead: before === 1,
    }),
    perRound,
    reads: true,
    fills: parts.map((part) => into(part)),
  });
};

export const identifiers = [
  lookedUp({
    what: 'identifiers as the known ones',
    tricks: shaped,
    often: Array.from({ length: 5 }, () => RANDOM),
    perRound: 10,
    parts: [unknownFound],
  }),
  lookedUp({ what: 'odd identifiers', tricks: odd, perRound: 14, parts: [oddFound, oddOrPatternsFound] }),
  lookedUp({
    what: 'identifiers that are patterns or queries',
    tricks: patterns,
    perRound: 20,
    parts: [patternsFound, oddOrPatternsFound],
  }),
];
