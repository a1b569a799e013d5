import { members, oneOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import { kindOf, segmentOf } from '../../src/plan/identifier.ts';
import { unknownIdentifiers } from '../../src/plan/nobody.ts';
import type { Lookup, LookupCase } from '../../src/plan/steps/lookups.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import { changed, oddFound, oddOrPatternsFound, patternsFound, plus, unknownFound } from '../unknown-users.ts';
import { around, texts, words } from './words.ts';

type Segments = LookupCase['segments'];

const isInteger = (text: string) => kindOf(text) === 'integer';

/** A part of an identifier, in percent of it, that is long enough for it to be nobody's. */
const partOf =
  (from: number, to: number): Segments =>
  ([one = '']) => {
    const part = one.slice(Math.floor((one.length * from) / 100), Math.floor((one.length * to) / 100));
    return isInteger(one) || part.length < 6 || part === one ? [] : [segmentOf(part)];
  };

/** Ways to make an identifier of the known ones, by their names. */
type Ways = Record<string, Segments>;
const each = <T>(all: readonly T[], what: (one: T) => string, way: (one: T) => Segments): Ways =>
  Object.fromEntries(all.map((one) => [what(one), way(one)]));

/** Identifiers like the known ones that are nobody's: whatever is somebody's after all is left out. */
const alike: Ways = {
  // Each time another one.
  ...each(
    [1, 2, 3, 4, 5, 6],
    (time) => `one like the known ones, ${time}`,
    () => (all) => unknownIdentifiers(all).map(segmentOf),
  ),
  ...each(
    words('integer-steps'),
    (step) => `a known integer plus ${step}`,
    (step) => plus(BigInt(step)),
  ),
  ...each(
    [25, 50, 75],
    (percent) => `the first ${percent} % of a known one`,
    (percent) => partOf(0, percent),
  ),
  ...each(
    [25, 50, 75],
    (percent) => `the last ${percent} % of a known one`,
    (percent) => partOf(100 - percent, 100),
  ),
  ...each([0, 1, 2, 3], (place) => `a known one with a character changed, ${place} before its end`, changed),
  ...each(
    words('uuids'),
    (text) => `the UUID ${text}`,
    (text) =>
      ([one = '']) =>
        kindOf(one) === 'UUID' ? [text] : [],
  ),
};

/** These texts, percent-encoded. */
const encoded = (all: string[]) =>
  each(
    all,
    (text) => JSON.stringify(text),
    (text) => () => [segmentOf(text)],
  );

const LONG = [...[...around(5, 11), 4000].map((length) => 'x'.repeat(length)), '9'.repeat(400)];

/** Places among the users, where no identifier is a number. */
const places = each(
  '1 2 3 10 -1 00 -0 0x1 1.0 1e0 01'.split(' '),
  (text) => `the place ${text} among the users`,
  (text) =>
    ([one = '', ...more]) =>
      isInteger(one) || more.some(isInteger) || one.startsWith('-') ? [] : [text],
);

const lookedUp = (what: string, ways: Ways, perRound: number, ...parts: DrawnPart<LookupCase, Lookup>[]): Topic =>
  topic({
    what,
    params: members({ identifier: oneOf(Object.keys(ways)), before: oneOf([0, 0, 1, 2]) }),
    toCase: ({ identifier, before }): LookupCase => ({
      what: identifier,
      segments: ways[identifier] ?? (() => []),
      before,
      asksAhead: before === 1,
    }),
    perRound,
    reads: true,
    fills: parts.map((part) => into(part)),
  });

export const identifiers = [
  lookedUp('identifiers like the known ones', alike, 10, unknownFound),
  lookedUp('odd identifiers', encoded([...texts('odd-identifiers'), ...LONG]), 14, oddFound, oddOrPatternsFound),
  lookedUp(
    'identifiers that are patterns or queries',
    { ...encoded(texts('patterns')), ...places },
    20,
    patternsFound,
    oddOrPatternsFound,
  ),
];
