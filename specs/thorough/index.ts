import type { Topic } from '../../src/conduct/topic.ts';
import { bodies } from './bodies.ts';
import { credentials } from './credentials.ts';
import { guard } from './guard.ts';
import { identifiers } from './identifiers.ts';
import { letters } from './letters.ts';
import { reads } from './reads.ts';
import { requests } from './requests.ts';
import { strings } from './strings.ts';
import { users } from './users.ts';

/** Everything that a thorough run explores. */
export const topics: Topic[] = [
  ...users,
  letters,
  ...strings,
  ...reads,
  ...requests,
  ...identifiers,
  ...credentials,
  ...guard,
  ...bodies,
];
