import type { Requirement } from '../src/requirement/requirement.ts';
import { authentication } from './authentication.ts';
import { authenticationLeaks } from './authentication-leaks.ts';
import { authenticationStatuses } from './authentication-statuses.ts';
import { concurrentCreations } from './concurrent-creations.ts';
import { createUsers } from './create-user.ts';
import { creationEffects } from './creation-effects.ts';
import { creationStatuses } from './creation-statuses.ts';
import { equivalentRequests } from './equivalent-requests.ts';
import { guard } from './guard.ts';
import { http } from './http.ts';
import { invalidBodies } from './invalid-bodies.ts';
import { listAgreement } from './list-agreement.ts';
import { listTotals } from './list-totals.ts';
import { listUsers } from './list-users.ts';
import { mistypedValues } from './mistyped-values.ts';
import { repeatedReads } from './repeated-reads.ts';
import { retrieveUser } from './retrieve-user.ts';
import { roundTrip } from './round-trip.ts';
import { sameValues } from './same-values.ts';
import { survival } from './survival.ts';
import { unknownUsers } from './unknown-users.ts';
import { versioning } from './versioning.ts';

const access = [versioning, authentication, authenticationLeaks, authenticationStatuses, guard];
const lists = [listUsers, listAgreement, listTotals];
const creations = [
  createUsers,
  invalidBodies,
  mistypedValues,
  creationStatuses,
  concurrentCreations,
  sameValues,
  creationEffects,
];
const reads = [retrieveUser, repeatedReads, unknownUsers];

/** All requirements, chapter by chapter. */
export const requirements: Requirement[] = [
  ...access,
  ...lists,
  ...creations,
  ...reads,
  roundTrip,
  http,
  equivalentRequests,
  survival,
].flat();
