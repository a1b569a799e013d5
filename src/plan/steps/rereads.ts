import { Missing } from '../evidence.ts';
import type { Creation } from '../ledger.ts';
import { isFine, type Read } from '../record.ts';
import { readAgain } from '../seek.ts';
import { type CaseStep, caseStep } from '../step.ts';
import { firstUsers } from './first.ts';

/** A known user who is retrieved once more; which one is decided when it is sent. */
export interface RereadCase {
  what: string;
  /** Chooses among the users who were retrieved before; undefined where there is none such. */
  pick: (proven: readonly Creation[]) => Creation | undefined;
}

/** What came of it. */
export interface Reread {
  what: string;
  creation: Creation;
  /** What the user was when it was retrieved first. */
  before: Read;
  read: Read;
  /** Where that failed: the same, with nothing else under way. */
  quiet?: Read;
}

/** Known users, retrieved again while other requests are under way. */
export const rereads: CaseStep<RereadCase, Reread> = caseStep({
  name: 'known users again',
  needs: { users: firstUsers },
  each: async (run, { what, pick }) => {
    const creation = pick(run.ledger.proven);
    if (creation?.read === undefined) throw new Missing('the run has no such user', [], { excluded: true });
    return { what, creation, before: creation.read, read: await readAgain(run, creation) };
  },
  alone: async (run, _, reread) =>
    isFine(reread.read) ? reread : { ...reread, quiet: await readAgain(run, reread.creation) },
});
