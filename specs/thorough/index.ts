import type { Topic } from '../../src/conduct/topic.ts';
import { bodiesWithoutKey, credentials, foreignKeys, guard, randomKeys } from './credentials.ts';
import { creationsInChunks, equivalentCreations, equivalentLetters, equivalentReads } from './equivalent-requests.ts';
import { identifiers, listsWhileCreating, reads } from './reads.ts';
import { bodies, refusals, rejectedInARow } from './rejected.ts';
import { ordersOf, sequences, turnsOf } from './sequences.ts';
import { strings } from './strings.ts';
import { users, usersWhoAreAlike } from './users.ts';

/** Users whom no service may refuse, so that what was sent before is to blame; and others. */
const plain = users.filter(({ isUsual }) => isUsual);
const sharing = users.filter(({ isUsual }) => !isUsual);
/** Kinds of cases that stand in sequences as well. */
const creating = [plain, sharing, strings, equivalentCreations, [creationsInChunks], [equivalentLetters]];
const others = [reads, refusals, equivalentReads, identifiers, credentials, guard, bodies];

const usual = [...creating, ...others].flat().filter(({ isUsual }) => isUsual);
/** Each of these after each: cases that create users, in groups that are a kind each, and others. */
const pairs = [...creating, ...others.flat().map((topic) => [topic])];
/** Any three of these in a row. */
const triples = [plain, creating.slice(1).flat(), ...others];

/** Everything that a thorough run explores. */
export const topics: Topic[] = [
  sequences('valid requests on one connection', 2, usual, turnsOf(usual)),
  sequences('pairs of cases', 8, pairs.flat(), ordersOf(pairs, 2)),
  sequences('triples of cases', 4, triples.flat(), ordersOf(triples, 3)),
  ...creating.flat(),
  ...usersWhoAreAlike,
  ...others.flat(),
  listsWhileCreating,
  foreignKeys,
  randomKeys,
  bodiesWithoutKey,
  rejectedInARow,
];
