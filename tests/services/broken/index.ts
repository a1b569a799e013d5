import { brokenAuthentication } from './authentication.ts';
import type { Broken } from './broken.ts';
import { brokenCreate } from './create.ts';
import { brokenCreations } from './creations.ts';
import { brokenGuard } from './guard.ts';
import { brokenHttp } from './http.ts';
import { brokenList } from './list.ts';
import { brokenRefusals } from './refusals.ts';
import { brokenRetrieve } from './retrieve.ts';
import { brokenRoundTrip } from './round-trip.ts';

/** Every broken service. */
export const brokenServices: Broken[] = [
  ...brokenHttp,
  ...brokenAuthentication,
  ...brokenRefusals,
  ...brokenGuard,
  ...brokenList,
  ...brokenCreate,
  ...brokenCreations,
  ...brokenRetrieve,
  ...brokenRoundTrip,
];
