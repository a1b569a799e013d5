import fc from 'fast-check';
import { eachAlone, lists, members, oneOf, random } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { RereadCase, RowOfQueries } from '../../src/plan/steps/reads.ts';
import { freelyAnswered } from '../key-elsewhere.ts';
import { listsAfterQueries } from '../list-total.ts';
import { furtherLists } from '../list-users.ts';
import { knownUsersAgain } from '../retrieve-user.ts';
import { fromLine } from './refusals.ts';
import { lines } from './words.ts';

/** The place of a user among those who were retrieved: counted from the first, or back from the last, or a share of them. */
const places = random<number>(
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
  topic({
    what: 'retrievals of known users',
    params: members({ place: places }),
    toCase: ({ place }): RereadCase => ({
      what: Number.isInteger(place) ? `the user at place ${place}` : 'a user of the run',
      pick: (proven) => proven.at(Number.isInteger(place) ? place : Math.floor(place * proven.length)),
    }),
    perRound: 36,
    fills: [into(knownUsersAgain)],
    isUsual: true,
    ofUser: (place) => ({ place }),
  }),
  topic({
    what: 'query parameters',
    params: members({ query: oneOf(QUERIES) }),
    toCase: ({ query }) => fromLine(`GET ?${query}`),
    perRound: 14,
    fills: [into(freelyAnswered)],
  }),
  topic({
    what: 'usual list requests',
    params: asUsual,
    toCase: ({ written }) => ({ what: written }),
    perRound: 6,
    fills: [into(furtherLists)],
    isUsual: true,
  }),
  topic({
    what: 'lists after queries',
    params: members({ queries: lists(oneOf(QUERIES), 8) }),
    toCase: ({ queries }): RowOfQueries => ({
      what: queries.map((one) => `?${one}`).join(', '),
      queries: queries.map((one) => `?${one}`),
    }),
    perRound: 1,
    fills: [into(listsAfterQueries)],
    smaller: ({ queries }) => eachAlone(queries).map((queries) => ({ queries })),
  }),
];
