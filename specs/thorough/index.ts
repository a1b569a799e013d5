import type { Thorough } from '../../src/thorough/rounds.ts';
import { bodies } from './bodies.ts';
import { credentials } from './credentials.ts';
import { free } from './free.ts';
import { guard } from './guard.ts';
import { identifiers } from './identifiers.ts';
import { sequences } from './sequences.ts';
import { strings } from './strings.ts';
import { users } from './users.ts';
import { writings } from './writings.ts';

/** Everything that a thorough run sends beyond the default run. */
export const thorough: Thorough = {
  cases: [
    ...users,
    ...strings,
    ...writings,
    ...credentials,
    ...guard,
    ...bodies,
    ...identifiers,
    ...free,
  ],
  sequences,
  created: ['create.accepted-exists'],
};
