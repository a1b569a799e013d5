import type { Context } from '../context.ts';
import { type Creation, endOf } from '../ledger.ts';
import { isPaged, isReadable, type Look } from '../look.ts';
import { type CaseStep, triedStep } from '../step.ts';
import type { Tried } from '../tried.ts';
import { firstLook } from './first.ts';

/** A list as usual; which users it must show is known when it is sent. */
export interface ListCase {
  what: string;
}

/** A list, and the users whom it must show. */
export interface LaterList {
  look: Look;
  /** Users who were retrieved, and older than the settle time, when it was first asked for: no lag excuses that one is missing. */
  older: Creation[];
}

/** Lists while other requests are under way. */
export const listsAgain: CaseStep<ListCase, Tried<LaterList, ListCase>> = triedStep({
  name: 'lists again',
  needs: { look: firstLook },
  each: async (run, _: ListCase) => {
    const older = olderUsers(run);
    return { look: await run.look(), older };
  },
  isRight: (list) => oddlyShown(list).length === 0,
  same: async (run, _one, _given, { first: { older } }) => ({ look: await run.look(), older }),
});

function olderUsers({ ledger, client, settings }: Context): Creation[] {
  const now = client.now();
  return ledger.proven.filter((one) => one.exchange === undefined || endOf(one) + settings.settleMs < now);
}

/** The users whom a list that shows all does not show once. */
export function oddlyShown({ look, older }: LaterList): Creation[] {
  // What is longer than its total may lag in one of both.
  if (!isReadable(look) || isPaged(look) || look.shown > look.total) return [];
  return older.filter((creation) => look.ours.get(creation)?.length !== 1);
}
