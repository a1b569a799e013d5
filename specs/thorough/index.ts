import type { Topic } from '../../src/conduct/topic.ts';
import { bodiesWithoutKey, credentials, guard } from './credentials.ts';
import { creationsInChunks, equivalentCreations, equivalentLetters, equivalentReads } from './equivalent-requests.ts';
import { identifiers, reads } from './reads.ts';
import { bodies, refusals, rejectedInARow } from './rejected.ts';
import { sequencesOf } from './sequences.ts';
import { strings } from './strings.ts';
import { users, usersWhoAreAlike } from './users.ts';

/** Kinds of cases that stand in sequences as well. */
const creating = [users, strings, equivalentCreations, [creationsInChunks], [equivalentLetters]];
const others = [reads, refusals, equivalentReads, identifiers, credentials, guard, bodies];

/** Everything that a thorough run explores. */
export const topics: Topic[] = [
  ...sequencesOf(creating, others),
  ...creating.flat(),
  ...usersWhoAreAlike,
  ...others.flat(),
  bodiesWithoutKey,
  rejectedInARow,
];
