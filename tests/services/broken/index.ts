import { brokenAuthentication } from './authentication.ts';
import type { Broken } from './broken.ts';
import { brokenCounts } from './counts.ts';
import { brokenCreate } from './create.ts';
import { brokenCreations } from './creations.ts';
import { brokenCreationsTogether } from './creations-together.ts';
import { brokenCredentials } from './credentials-elsewhere.ts';
import { brokenExisting } from './existing.ts';
import { brokenGuard } from './guard.ts';
import { brokenByHangUps } from './hang-ups.ts';
import { brokenHttp } from './http.ts';
import { brokenInTheWild } from './in-the-wild.ts';
import { brokenGuardInTheWild } from './in-the-wild-guard.ts';
import { brokenStateInTheWild } from './in-the-wild-state.ts';
import { brokenKeys } from './keys-nearly-right.ts';
import { brokenList } from './list.ts';
import { brokenListsInCompany } from './list-in-company.ts';
import { brokenLookups } from './lookups.ts';
import { brokenMistyped } from './mistyped.ts';
import { brokenNobody } from './nobody.ts';
import { brokenPlainUsers } from './plain.ts';
import { brokenRefusals } from './refusals.ts';
import { brokenReported } from './reported.ts';
import { brokenReportedGuards } from './reported-guard.ts';
import { brokenReportedRequests } from './reported-requests.ts';
import { brokenReportedStates } from './reported-state.ts';
import { brokenRetrieve } from './retrieve.ts';
import { brokenRoundTrip } from './round-trip.ts';
import { brokenSurvival } from './survival.ts';
import { brokenTotals } from './totals.ts';
import { brokenTwins } from './twins.ts';
import { brokenWritings } from './writings.ts';

/** Every broken service. */
export const brokenServices: Broken[] = [
  ...brokenHttp,
  ...brokenSurvival,
  ...brokenByHangUps,
  ...brokenWritings,
  ...brokenAuthentication,
  ...brokenKeys,
  ...brokenCredentials,
  ...brokenRefusals,
  ...brokenGuard,
  ...brokenList,
  ...brokenTotals,
  ...brokenListsInCompany,
  ...brokenCounts,
  ...brokenCreate,
  ...brokenMistyped,
  ...brokenCreations,
  ...brokenCreationsTogether,
  ...brokenTwins,
  ...brokenPlainUsers,
  ...brokenRetrieve,
  ...brokenNobody,
  ...brokenExisting,
  ...brokenLookups,
  ...brokenRoundTrip,
  ...brokenInTheWild,
  ...brokenGuardInTheWild,
  ...brokenStateInTheWild,
  ...brokenReportedGuards,
  ...brokenReportedRequests,
  ...brokenReportedStates,
  ...brokenReported,
];
