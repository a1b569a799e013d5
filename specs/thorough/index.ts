import type { Topic } from '../../src/conduct/topic.ts';
import { bodies } from './bodies.ts';
import { credentials } from './credentials.ts';
import { guard } from './guard.ts';
import { identifiers } from './identifiers.ts';
import { letters } from './letters.ts';
import { reads } from './reads.ts';
import { refusals } from './refusals.ts';
import { creationsInChunks, creationsWritten, lettersWritten, readsWritten } from './requests.ts';
import { sequencesOf } from './sequences.ts';
import { strings } from './strings.ts';
import { users } from './users.ts';

const creating = [users, [letters, ...strings], creationsWritten, creationsInChunks, lettersWritten];
const others = [reads, refusals, readsWritten, identifiers, credentials, guard, bodies];

/** Everything that a thorough run explores. */
export const topics: Topic[] = [...sequencesOf(creating, others), ...creating.flat(), ...others.flat()];
