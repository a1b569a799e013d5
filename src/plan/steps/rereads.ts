import { excluded } from '../evidence.ts';
import type { Creation } from '../ledger.ts';
import { isFine, type Read } from '../record.ts';
import { readAgain } from '../seek.ts';
import { type CaseStep, triedStep } from '../step.ts';
import type { Tried } from '../tried.ts';
import { firstUsers } from './first.ts';

/** A known user who is retrieved once more; which one is decided when it is sent. */
export interface RereadCase {
  what: string;
  /** Chooses among the users who were retrieved before; undefined where there is none such. */
  pick: (proven: readonly Creation[]) => Creation | undefined;
  /** What was sent directly before, where nothing else is under way. */
  after?: string;
}

/** A user as it was retrieved first, and once more. */
export interface RepeatedRead {
  creation: Creation;
  before: Read;
  read: Read;
}

/** Known users, retrieved again while other requests are under way. */
export const rereads: CaseStep<RereadCase, Tried<RepeatedRead, RereadCase>> = triedStep({
  name: 'known users again',
  needs: { users: firstUsers },
  each: async (run, { pick }: RereadCase) => {
    const creation = pick(run.ledger.proven);
    if (creation?.read === undefined) throw excluded('the run has no such user');
    return { creation, before: creation.read, read: await readAgain(run, creation) };
  },
  isRight: ({ read }) => isFine(read),
  same: async (run, _one, _given, { first }) => ({ ...first, read: await readAgain(run, first.creation) }),
});
