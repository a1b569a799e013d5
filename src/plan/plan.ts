import type { AnyStep } from './step.ts';
import { aftermath, refusalsInARow, stillThere } from './steps/aftermath.ts';
import { bodies, mistyped } from './steps/bodies.ts';
import { counting } from './steps/counting.ts';
import { attempts, attemptsAmongOthers, controls } from './steps/credentials.ts';
import { firstLook, firstUser, firstUsers, locations, secondUser } from './steps/first.ts';
import { lastLooks } from './steps/last.ts';
import { listsAgain, listWritten, listWrittenLate, queriesInTurn, rereads, writtenRetrievals } from './steps/reads.ts';
import { earlyRefusals, freeRequests, lateRefusals, lookups } from './steps/refusals.ts';
import { severalPlaces } from './steps/several-places.ts';
import { groups, twinCreations, twins } from './steps/users.ts';

/** Groups of users that are created at the same time, and then retrieved at the same time. */
const together = [groups.together, groups.unusual, groups.written];

/**
 * What no service carries out, and what it leaves behind. What asks for a user goes out before the others (see
 * carryOut), and of these what lacks the key, while connections that carried it are free.
 */
const bad = [aftermath, controls, attempts, severalPlaces, bodies, freeRequests, lookups, mistyped];

/**
 * The order in time, and the only place where it stands. The steps of one line are taken at the same time; the next line
 * begins when all answers are there. What no service carries out stands late, because it may upset the service: whatever is
 * in its line or behind it is relied on only where all of it was sent.
 */
export const plan: AnyStep[][] = [
  [firstLook, earlyRefusals],
  [firstUser],
  [secondUser, ...[...together, groups.rivals].map(({ creations }) => creations), listWritten],
  [
    [firstUsers, ...[...together, groups.rivals].map(({ retrievals }) => retrievals), writtenRetrievals],
    // No writing is longer than what was accepted before.
    [groups.laterWritten.creations, groups.parted.creations],
  ].flat(),
  [locations],
  [twinCreations, ...bad],
  [listWrittenLate, lastLooks, groups.laterWritten.retrievals, groups.parted.retrievals, twins, lateRefusals],
  [counting],
];

const creating = [...together.map(({ creations }) => creations), listWritten, listsAgain, rereads, attemptsAmongOthers];
const retrieving = together.map(({ retrievals }) => retrievals);

/** One round of the exploration: the lines of the plan that carry out cases, with cases that are drawn, and more reads. */
export const round: AnyStep[][] = [
  creating,
  [...retrieving, groups.laterWritten.creations, writtenRetrievals],
  [twinCreations, ...bad],
  [groups.laterWritten.retrievals, twins],
  [queriesInTurn],
  [refusalsInARow],
  [stillThere],
];

/**
 * The lines of a round for cases that are sent one after the other: without what looks at users who were created
 * before, or sends many requests for a case.
 */
export const inTurn: AnyStep[][] = [creating, [groups.laterWritten.creations, writtenRetrievals], bad, [queriesInTurn]];

/** The same, with users retrieved when they are created. */
export const inTurnAndBack: AnyStep[][] = [creating, retrieving, ...inTurn.slice(1)];

/** Whether the requests of a line are in flight at the same moment, and not only sent so: where users are created at once. */
export const isBurst = (line: AnyStep[]) => line.includes(groups.together.creations);

/** The end of the plan, which is the end of an exploration too. */
export const end: AnyStep[][] = [[lastLooks], [counting]];
