import { eachAlone, lists, onEach, oneOf } from '../../src/conduct/domain.ts';
import { type Fill, type Topic, topic } from '../../src/conduct/topic.ts';
import type { CredentialCase, Operation } from '../../src/plan/steps/credentials.ts';
import { OPERATIONS } from '../authentication.ts';

/** In so many rounds each trick of a list is tried alone on each operation; those that are tried together are tried in each. */
const ROUNDS = 8;

/** Attempts without the documented credentials: each trick of a list, or so many at once, on each operation. */
export function tricks(
  what: string,
  all: readonly string[],
  toCase: (operation: Operation, ...tricks: string[]) => CredentialCase,
  fills: Fill<CredentialCase>[],
  { atOnce = 1, operations = OPERATIONS } = {},
): Topic {
  const turn = Math.ceil(all.length / atOnce);
  return topic({
    what,
    // First every trick on one of them, then on another, then on the third.
    params: onEach(operations, { tricks: lists(oneOf(all), atOnce) }, turn),
    toCase: ({ operation, tricks }) => toCase(operation, ...tricks),
    perRound: atOnce > 1 ? turn : Math.ceil((turn * operations.length) / ROUNDS),
    fills,
    smaller: ({ operation, tricks }) => eachAlone(tricks).map((tricks) => ({ operation, tricks })),
  });
}
