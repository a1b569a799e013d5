import { brokenAuthentication } from './authentication.ts';
import type { Broken } from './broken.ts';
import { brokenCreate } from './create.ts';
import { brokenHttp } from './http.ts';
import { brokenList } from './list.ts';
import { brokenRetrieve } from './retrieve.ts';
import { brokenRoundTrip } from './round-trip.ts';

/** Every broken service. */
export const brokenServices: Broken[] = [
  ...brokenHttp,
  ...brokenAuthentication,
  ...brokenList,
  ...brokenCreate,
  ...brokenRetrieve,
  ...brokenRoundTrip,
];
