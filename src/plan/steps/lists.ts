import type { Creation } from '../ledger.ts';
import { isPaged, isReadable, type Look } from '../look.ts';
import type { Run } from '../run.ts';
import { type CaseStep, caseStep } from '../step.ts';
import { firstLook } from './first.ts';

/** A list as usual; which users it must show is known when it is sent. */
export interface ListCase {
  what: string;
}

/** A list in company. */
export interface ListAgain {
  look: Look;
  /** Users who were retrieved, and older than the settle time, when it was sent: no lag excuses that one is missing. */
  older: Creation[];
  /** Where one of them is missing, or is there more than once: the list with nothing else under way. */
  quiet?: Look;
}

/** Lists while other requests are under way. */
export const listsAgain: CaseStep<ListCase, ListAgain> = caseStep({
  name: 'lists again',
  needs: { look: firstLook },
  each: async (run) => {
    const older = olderUsers(run);
    return { look: await run.look(), older };
  },
  alone: async (run, _, found) => (oddlyShown(found).length === 0 ? found : { ...found, quiet: await run.look() }),
});

function olderUsers({ ledger, client, settings }: Run): Creation[] {
  const now = client.now();
  return ledger.proven.filter(({ exchange }) => {
    return exchange === undefined || exchange.at + exchange.duration + settings.settleMs < now;
  });
}

/** The users whom a list that shows all does not show once. */
export function oddlyShown({ look, older }: ListAgain): Creation[] {
  // What is longer than its total may lag in one of both.
  if (!isReadable(look) || isPaged(look) || look.shown > look.total) return [];
  return older.filter((creation) => look.ours.get(creation)?.length !== 1);
}
