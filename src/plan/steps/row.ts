import type { Exchange, Request } from '../../http/exchange.ts';
import { isFine } from '../record.ts';
import type { Run } from '../run.ts';
import { readAgain } from '../seek.ts';
import type { CaseStep } from '../step.ts';
import { firstKnown, firstUsers } from './first.ts';
import type { Trial } from './writings.ts';

/** Requests that no service carries out, so many at the same time with none that is valid between. */
export interface Row {
  what: string;
  count: number;
  /** Such a request. */
  make: (run: Run) => Request;
}

/** Some rows, one after the other, each with a usual request after it. */
export interface RowsCase {
  what: string;
  rows: Row[];
}

/** What came of the usual request after a row. */
export interface AfterRow extends Trial {
  /** The last of the row. */
  last: Exchange;
}

/** How often the usual request is sent again: what is locked for a number of requests is open again then. */
const AFTER = 40;

export const refusalsInARow: CaseStep<RowsCase, AfterRow[]> = {
  name: 'refused requests in a row',
  needs: [firstUsers],
  valid: false,
  each: async (run, { rows }) => {
    const found: AfterRow[] = [];
    // Nothing but reads goes out where nothing may be created, also of what is to be refused.
    const sent = rows.filter(({ make }) => !run.settings.readOnly || make(run).method === 'GET');
    if (sent.length === 0) run.mayCreate();
    for (const row of sent) found.push(await afterRow(run, row));
    return found;
  },
};

async function afterRow(run: Run, { what, count, make }: Row): Promise<AfterRow> {
  const { creation, read: before } = firstKnown(run);
  const begun = run.client.record.length;
  const answers = await Promise.all(Array.from({ length: count }, () => run.send(make(run), 'text')));
  for (const exchange of run.client.record.slice(begun)) run.invalid.add(exchange);
  const last = answers.at(-1)?.exchange as Exchange;
  const read = await readAgain(run, creation);
  let control = read;
  for (let times = 0; times < AFTER && !isFine(control); times += 1) control = await readAgain(run, creation);
  return { what, last, before, read, ...(control !== read && { control }) };
}
