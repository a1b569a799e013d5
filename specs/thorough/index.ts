import type { Topic } from '../../src/conduct/topic.ts';
import { bodies } from './bodies.ts';
import { bodiesWithoutKey, credentials } from './credentials.ts';
import { guard } from './guard.ts';
import { identifiers } from './identifiers.ts';
import { letters } from './letters.ts';
import { reads } from './reads.ts';
import { refusals, rejectedInARow } from './refusals.ts';
import { creationsInChunks, equivalentCreations, equivalentLetters, equivalentReads } from './requests.ts';
import { sequencesOf } from './sequences.ts';
import { strings } from './strings.ts';
import { users, usersWhoAreAlike } from './users.ts';

/** Kinds of cases that stand in sequences as well. */
const creating = [users, [...letters, ...strings], equivalentCreations, [creationsInChunks], [equivalentLetters]];
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
