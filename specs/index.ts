import type { Requirement } from '../src/requirement/requirement.ts';
import { authentication } from './authentication.ts';
import { createUsers } from './create-user.ts';
import { http } from './http.ts';
import { listUsers } from './list-users.ts';
import { retrieveUser } from './retrieve-user.ts';
import { roundTrip } from './round-trip.ts';
import { versioning } from './versioning.ts';

/** All requirements, chapter by chapter. */
export const requirements: Requirement[] = [
  ...versioning,
  ...authentication,
  ...listUsers,
  ...createUsers,
  ...retrieveUser,
  ...roundTrip,
  ...http,
];
