import { eachAlone, lists, onEach, oneOf } from '../../src/conduct/domain.ts';
import { type Fill, type Topic, topic } from '../../src/conduct/topic.ts';
import type { CredentialCase, Operation } from '../../src/plan/steps/credentials.ts';
import { OPERATIONS } from '../authentication.ts';

/** In so many rounds each trick of a list is tried on each operation. */
const ROUNDS = 8;

/** Attempts without the documented credentials: each trick of a list on each operation. */
export const eachTrick = (
  what: string,
  tricks: readonly string[],
  toCase: (operation: Operation, trick: string) => CredentialCase,
  ...fills: Fill<CredentialCase>[]
): Topic =>
  topic({
    what,
    // First every trick on one of them, then on another, then on the third.
    params: onEach(OPERATIONS, { trick: oneOf(tricks) }, tricks.length),
    toCase: ({ operation, trick }) => toCase(operation, trick),
    perRound: Math.ceil((tricks.length * OPERATIONS.length) / ROUNDS),
    fills,
  });

/** The same with so many of them at once: in each round all of them, each time in other groups. */
export const severalTricks = (
  what: string,
  tricks: readonly string[],
  size: number,
  toCase: (operation: Operation, tricks: string[]) => CredentialCase,
  fill: Fill<CredentialCase>,
  operations = OPERATIONS,
): Topic =>
  topic({
    what,
    params: onEach(operations, { tricks: lists(oneOf(tricks), size) }, Math.ceil(tricks.length / size)),
    toCase: ({ operation, tricks }) => toCase(operation, tricks),
    perRound: Math.ceil(tricks.length / size),
    fills: [fill],
    smaller: ({ operation, tricks }) => eachAlone(tricks).map((tricks) => ({ operation, tricks })),
  });
