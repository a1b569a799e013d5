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

/** Every service whose fault only a thorough run finds reliably. */
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

/** Measurements of thorough runs of one service. */
export interface DeepMeasurement {
  /** The number of seeds that find the fault, of so many. */
  found: number;
  of: number;
  /** The number of the request that shows the fault, as a median. */
  requests: number;
  /** Whether the default run finds the fault as well. */
  byRun: boolean;
}

/** Measurements by slug and name. */
export type DeepProof = Record<string, DeepMeasurement>;
