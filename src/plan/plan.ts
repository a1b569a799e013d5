import type { AnyStep } from './step.ts';
import { addresses } from './steps/addresses.ts';
import { bodies, mistyped, mistypedStored } from './steps/bodies.ts';
import { counting } from './steps/counting.ts';
import { attempts, attemptsAmongOthers, attemptsOnUsed, controls, malformedAttempts } from './steps/credentials.ts';
import { firstLook, firstUser, firstUsers, secondUser } from './steps/first.ts';
import { lastLooks } from './steps/last.ts';
import { listsAgain } from './steps/lists.ts';
import { locations } from './steps/locations.ts';
import { lookups } from './steps/lookups.ts';
import { queries } from './steps/queries.ts';
import { rereads } from './steps/rereads.ts';
import { refusalsInARow } from './steps/row.ts';
import { queriesInTurn } from './steps/sticky.ts';
import { twinCreations, twins } from './steps/twins.ts';
import { laterWrittenUsers, partedUsers, unusualUsers, usersTogether, writtenUsers } from './steps/users.ts';
import {
  listWritten,
  retrievalsAfterMalformed,
  retrievalsAfterRefusals,
  retrievalsAfterUsed,
  retrievalsBeforeUsed,
} from './steps/writings.ts';

/**
 * The order in time, and the only place where it stands. The steps of one line are taken at the same time; the next line
 * begins when all answers are there. Requests that no service carries out stand late, because they may upset it, and valid
 * ones go out between them: who looks at a line needs all that may have upset the service before it.
 */
export const plan: AnyStep[][] = [
  [firstLook],
  [firstUser],
  [secondUser, usersTogether.creations, listWritten],
  [firstUsers, usersTogether.retrievals, unusualUsers.creations],
  [
    // What lacks the key comes first, while the connections that carried it are free.
    [controls, attempts, lookups, addresses],
    [
      retrievalsAfterRefusals,
      retrievalsBeforeUsed,
      unusualUsers.retrievals,
      locations,
      writtenUsers.creations,
      twinCreations,
    ],
    [partedUsers.creations],
  ].flat(),
  [
    [bodies, mistyped, malformedAttempts, attemptsOnUsed],
    [retrievalsAfterMalformed, writtenUsers.retrievals, twins, laterWrittenUsers.creations],
    [partedUsers.retrievals],
  ].flat(),
  [retrievalsAfterUsed, laterWrittenUsers.retrievals, mistypedStored, lastLooks],
  [counting],
];

/** One round of the exploration: the lines of the plan that carry out cases, with cases that are drawn, and more reads. */
export const round: AnyStep[][] = [
  [usersTogether.creations, listWritten, listsAgain, rereads, attemptsAmongOthers],
  [usersTogether.retrievals, unusualUsers.creations],
  [lookups, queries, controls, unusualUsers.retrievals, twinCreations],
  [attempts, retrievalsAfterRefusals, writtenUsers.creations, twins],
  [bodies, mistyped, malformedAttempts, retrievalsAfterMalformed, writtenUsers.retrievals, laterWrittenUsers.creations],
  [laterWrittenUsers.retrievals, mistypedStored],
  [queriesInTurn],
  [refusalsInARow],
];

/** The end of the plan, which is the end of an exploration too. */
export const end: AnyStep[][] = [[lastLooks], [counting]];
