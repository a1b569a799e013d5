import type { Domain } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { UserCase } from '../../src/plan/steps/users.ts';
import type { DrawnPart } from '../../src/requirement/requirement.ts';

/** Creations of one user each, the parts of the evidence that they fill, how many a round takes, and what they are made of. */
export const creations = <P>(
  what: string,
  parts: DrawnPart<UserCase>[],
  perRound: number,
  params: Domain<P>,
  toCase: (params: P) => UserCase,
  smaller?: (params: P) => Iterable<P>,
): Topic =>
  topic({
    what,
    params,
    toCase,
    perRound,
    users: 1,
    fills: parts.map((part) => into(part)),
    ...(smaller && { smaller }),
  });
