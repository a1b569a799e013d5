import type { Context } from '../context.ts';
import { isReadable, type Look } from '../look.ts';
import { untilSettled } from '../settle.ts';
import { type CaseStep, caseStep } from '../step.ts';
import { firstLook } from './first.ts';

/** Queries, one after the other, each followed by a list as usual. */
export interface RowOfQueries {
  what: string;
  /** With their question marks. */
  queries: string[];
}

/** A query after which the next list counted fewer users than before, and the list after it did not. */
export interface StickyQuery {
  query: string;
  before: Look;
  next: Look;
  later: Look;
}

/** How often it must be so before it is no chance: others may delete users and create others. */
const TIMES = 3;

/** Whether a query has an effect on the list that is asked for next. */
export const queriesInTurn: CaseStep<RowOfQueries, StickyQuery[]> = caseStep({
  name: 'queries, each with a list after it',
  needs: { look: firstLook },
  each: async (run, { queries }) => {
    const found: StickyQuery[] = [];
    let before = await run.look();
    for (const query of queries) {
      const sticky = await tried(run, query, before);
      if (!sticky) continue;
      before = sticky.later;
      // A list that comes from another replica may only lag.
      await untilSettled(run);
      let again: StickyQuery | undefined = sticky;
      for (let times = 1; again && times < TIMES; times += 1) again = await tried(run, query, again.later);
      if (again) found.push(again);
    }
    return found;
  },
});

async function tried(run: Context, query: string, before: Look): Promise<StickyQuery | undefined> {
  await run.send({ ...run.listing(), path: `${run.listing().path}${query}` }, 'text');
  const next = await run.look();
  if (![before, next].every(isReadable) || next.total >= before.total) return undefined;
  const later = await run.look();
  return isReadable(later) && later.total >= before.total ? { query, before, next, later } : undefined;
}
