import type { Topic } from '../src/conduct/topic.ts';
import type { Requirement } from '../src/requirement/requirement.ts';
import { authentication } from './authentication.ts';
import { createUsers } from './create-user.ts';
import { creationEffects } from './creation-effects.ts';
import { creationsTogether } from './creations-together.ts';
import { guard, keyElsewhere } from './guard.ts';
import { http } from './http.ts';
import { listConsistency } from './list-consistency.ts';
import { listUsers } from './list-users.ts';
import { refusals } from './refusals.ts';
import { retrieveUser } from './retrieve-user.ts';
import { roundTrip } from './round-trip.ts';
import { survival } from './survival.ts';
import { unknownUsers } from './unknown-users.ts';
import { versioning } from './versioning.ts';

const access = [versioning, authentication, keyElsewhere, refusals, guard];
const users = [listUsers, listConsistency, createUsers, creationsTogether, creationEffects, retrieveUser, unknownUsers];

/** All requirements, chapter by chapter. */
export const requirements: Requirement[] = [...access, ...users, roundTrip, http, survival].flat();

/** What a thorough run explores; loaded only by such a run. */
export const topics = async (): Promise<readonly Topic[]> => (await import('./thorough/index.ts')).topics;
