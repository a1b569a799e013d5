import type { Exchange, Request } from '../../http/exchange.ts';
import { sendBad } from '../bad.ts';
import { isFine, type Read } from '../record.ts';
import type { Run } from '../run.ts';
import { readAgain } from '../seek.ts';
import { type CaseStep, caseStep } from '../step.ts';
import { type FirstUsers, firstKnown, firstUsers } from './first.ts';

/** Requests that no service carries out, so many at the same time with none that is valid between. */
export interface Row {
  what: string;
  count: number;
  /** Such a request. */
  make: (run: Run, users: FirstUsers) => Request;
}

/** Some rows, one after the other, each with a usual request after it. */
export interface RowsCase {
  what: string;
  rows: Row[];
}

/** What came of the usual request after a row: at once, and where that was wrong, some times later. */
export interface AfterRow {
  what: string;
  before: Read;
  read: Read;
  control?: Read;
  /** The last of the row. */
  last: Exchange;
}

/** How often the usual request is sent again: what is locked for a number of requests is open again then. */
const AFTER = 40;

export const refusalsInARow: CaseStep<RowsCase, AfterRow[]> = caseStep({
  name: 'refused requests in a row',
  needs: { users: firstUsers },
  bad: true,
  each: async (run, { rows }: RowsCase, { users }) => {
    const found: AfterRow[] = [];
    // Nothing but reads goes out where nothing may be created, also of what is to be refused.
    const sent = rows.filter(({ make }) => !run.settings.readOnly || make(run, users).method === 'GET');
    if (sent.length === 0) run.mayCreate();
    for (const row of sent) found.push(await afterRow(run, row, users));
    return found;
  },
});

async function afterRow(run: Run, { what, count, make }: Row, users: FirstUsers): Promise<AfterRow> {
  const { creation, read: before } = firstKnown(users);
  const answers = await Promise.all(Array.from({ length: count }, () => sendBad(run, { request: make(run, users) })));
  const last = answers.at(-1)?.answer.exchange as Exchange;
  const read = await readAgain(run, creation);
  let control = read;
  for (let times = 0; times < AFTER && !isFine(control); times += 1) control = await readAgain(run, creation);
  return { what, last, before, read, ...(control !== read && { control }) };
}
