import { alikeNames } from './alike.ts';
import { manyAtOnce } from './at-once.ts';
import { otherBodies } from './bodies.ts';
import { otherCredentials } from './credentials.ts';
import { otherData } from './data.ts';
import type { Deep } from './deep.ts';
import { aroundTheGuard } from './guard.ts';
import { otherIdentifiers } from './lookups.ts';
import { otherRequests } from './requests.ts';
import { inSequence } from './sequences.ts';
import { inTime } from './time.ts';
import { manyUsers } from './users.ts';

/** Every service whose fault needs depth. */
export const deepServices: Deep[] = [
  ...manyUsers,
  ...manyAtOnce,
  ...otherData,
  ...alikeNames,
  ...otherRequests,
  ...otherIdentifiers,
  ...otherCredentials,
  ...aroundTheGuard,
  ...otherBodies,
  ...inTime,
  ...inSequence,
];

/**
 * By slug and name: by how many seeds the thorough run finds a service, the request that shows it,
 * in the median, and whether the default run finds it.
 */
export type DeepProof = Record<
  string,
  { found: number; of: number; requests: number; byRun: boolean }
>;
