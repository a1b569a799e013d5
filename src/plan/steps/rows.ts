import type { Exchange, Request } from '../../http/exchange.ts';
import { sendBad } from '../bad.ts';
import type { Context } from '../context.ts';
import { isFine, type KnownRead } from '../record.ts';
import { readAgain } from '../seek.ts';
import { type CaseStep, caseStep, type Tried, tryAgain } from '../step.ts';
import { type FirstUsers, firstKnown, firstUsers } from './first.ts';

/** Requests that no service carries out, so many at the same time with none that is valid between. */
export interface Row {
  what: string;
  count: number;
  /** Such a request. */
  make: (run: Context, users: FirstUsers) => Request;
}

/** Some rows, one after the other, each with a usual request after it. */
export interface RowsCase {
  what: string;
  rows: Row[];
}

/** The usual request after a row. */
export interface AfterRow extends KnownRead {
  /** The last of the row. */
  last: Exchange;
}

/** How often the usual request is sent again: what is locked for a number of requests is open again then. */
const AFTER = 40;

/** Of each row, what came of the usual request at once, and where that was wrong, some times later. */
export const refusalsInARow: CaseStep<RowsCase, Tried<AfterRow, Row>[]> = caseStep({
  name: 'rejected requests in a row',
  needs: { users: firstUsers },
  bad: true,
  each: async (run, { rows }: RowsCase, { users }) => {
    const found: Tried<AfterRow, Row>[] = [];
    // Nothing but reads goes out where nothing may be created, also of what is to be refused.
    const sent = rows.filter(({ make }) => !run.settings.readOnly || make(run, users).method === 'GET');
    if (sent.length === 0) run.mayCreate();
    for (const row of sent) found.push(await afterRow(run, row, users));
    return found;
  },
});

async function afterRow(run: Context, one: Row, users: FirstUsers): Promise<Tried<AfterRow, Row>> {
  const { creation } = firstKnown(users);
  const all = Array.from({ length: one.count }, () => sendBad(run, { request: one.make(run, users) }));
  const last = (await Promise.all(all)).at(-1)?.exchange as Exchange;
  const first = { creation, last, read: await readAgain(run, creation) };
  const usual = async () => {
    let read = await readAgain(run, creation);
    for (let times = 1; times < AFTER && !isFine(read); times += 1) read = await readAgain(run, creation);
    return { ...first, read };
  };
  return tryAgain({ one, first }, { isRight: ({ read }) => isFine(read), usual });
}
