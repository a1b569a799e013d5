import fc from 'fast-check';
import { lists, members, oneOf, random } from '../../src/conduct/domain.ts';
import { type Topic, topic } from '../../src/conduct/topic.ts';
import { kindOf, segmentOf, unknownIdentifiers } from '../../src/plan/identifier.ts';
import type { LookupCase } from '../../src/plan/steps/refusals.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';
import { furtherLists, listsAfterQueries, listsAmongCreations } from '../list-consistency.ts';
import { freelyAnswered } from '../refusals.ts';
import { knownUsersAgain } from '../retrieve-user.ts';
import { changed, lookedFor, near, plus, rarer } from '../unknown-users.ts';
import { lines, repeated, texts, words } from '../words.ts';
import { withHeaders } from '../writings.ts';
import { fromLine } from './rejected.ts';

/**
 * The place of a user among those who were retrieved: counted from the first, or back from the last, or a share of
 * them.
 */
const place = random<number>(
  fc.oneof(
    fc.constantFrom(0, 0, 1, -1),
    fc.integer({ min: 1, max: 999 }).map((share) => share / 1000),
  ),
  (value) => typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e6,
);

const QUERIES = lines('queries');

/** What is the same each time, and only how often it comes tells more. */
export const asUsual = members({ written: oneOf(['as usual']) });

export const reads: Topic[] = [
  topic(
    { what: 'retrievals of known users', perRound: 36, isUsual: true, ofUser: (place) => ({ place, coding: 'any' }) },
    [knownUsersAgain],
    members({ place, coding: oneOf(['any', 'any', 'gzip']) }),
    ({ place, coding }) => ({
      what: `${Number.isInteger(place) ? `the user at place ${place}` : 'a user of the run'}${coding === 'gzip' ? ' in gzip' : ''}`,
      pick: (proven) => proven.at(Number.isInteger(place) ? place : Math.floor(place * proven.length)),
      ...(coding === 'gzip' && { write: withHeaders({ 'accept-encoding': 'gzip' }) }),
    }),
  ),
  topic({ what: 'query parameters', perRound: 14 }, [freelyAnswered], members({ query: oneOf(QUERIES) }), ({ query }) =>
    fromLine(`GET ?${query}`),
  ),
  topic({ what: 'usual list requests', perRound: 30, isUsual: true }, [furtherLists], asUsual, ({ written }) => ({
    what: written,
  })),
  topic(
    { what: 'lists after queries', perRound: 1 },
    [listsAfterQueries],
    members({ queries: lists(oneOf(QUERIES.map((one) => `?${one}`)), 8) }),
    ({ queries }) => ({ what: queries.join(', '), queries }),
  ),
];

export const listsWhileCreating = topic(
  { what: 'lists while users are created', perRound: 4 },
  [listsAmongCreations],
  asUsual,
  ({ written }) => ({ what: written }),
);

type Segments = LookupCase['segments'];

const isInteger = (text: string) => kindOf(text) === 'integer';

/** A part of an identifier, in percent of it, that is long enough for it to be nobody's. */
const partOf =
  (from: number, to: number): Segments =>
  ([one = '']) => {
    const part = one.slice(Math.floor((one.length * from) / 100), Math.floor((one.length * to) / 100));
    return isInteger(one) || part.length < 6 || part === one ? [] : [segmentOf(part)];
  };

const way = (what: string, segments: Segments): LookupCase => ({ what, segments });
const SHARES = [25, 50, 75];

/** Identifiers like the known ones that are nobody's: whatever is somebody's after all is left out. */
const alike = [
  // Each time another one.
  ...[1, 2, 3, 4, 5, 6].map((time) =>
    way(`one like the known ones, ${time}`, (all) => unknownIdentifiers(all).map(segmentOf)),
  ),
  ...words('integer-steps').map((step) => way(`a known integer plus ${step}`, plus(BigInt(step)))),
  ...SHARES.map((percent) => way(`the first ${percent} % of a known one`, partOf(0, percent))),
  ...SHARES.map((percent) => way(`the last ${percent} % of a known one`, partOf(100 - percent, 100))),
  ...[0, 1, 2, 3].map((at) => way(`a known one with a character changed, ${at} before its end`, changed(at))),
  ...near,
  ...words('uuids').map((text) => way(`the UUID ${text}`, ([one = '']) => (kindOf(one) === 'UUID' ? [text] : []))),
];

/** Texts, percent-encoded. */
const encoded = (text: string) => way(JSON.stringify(text), () => [segmentOf(text)]);

/** Places among the users, where no identifier is a number. */
const places = '1 2 3 10 -1 00 -0 0x1 1.0 1e0 01'.split(' ').map((text) =>
  way(`the place ${text} among the users`, ([one = '', ...more]) => {
    return isInteger(one) || more.some(isInteger) || one.startsWith('-') ? [] : [text];
  }),
);

const odd = [...texts('odd-identifiers'), ...lines('long-identifiers').map(repeated)].map(encoded);
const patterns = [...texts('patterns').map(encoded), ...rarer, ...places];

function lookedUp(what: string, all: LookupCase[], perRound: number, ...parts: DrawnPart<LookupCase>[]): Topic {
  const named = new Map(all.map((one) => [one.what, one]));
  const params = members({ identifier: oneOf([...named.keys()]), before: oneOf([0, 0, 1, 2]) });
  return topic({ what, perRound }, parts, params, ({ identifier, before }) => {
    return { ...(named.get(identifier) as LookupCase), before, asksAhead: before === 1 };
  });
}

export const identifiers = [
  lookedUp('identifiers like the known ones', alike, 10, lookedFor.unknown),
  lookedUp('odd identifiers', odd, 14, lookedFor.odd, lookedFor.oddOrPatterns),
  lookedUp('identifiers that are patterns or queries', patterns, 20, lookedFor.patterns, lookedFor.oddOrPatterns),
];
