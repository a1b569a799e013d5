import { type Exchange, isAnswered, type Request } from '../../http/exchange.ts';
import { sendBad } from '../bad.ts';
import { Missing } from '../evidence.ts';
import { type CaseStep, caseStep } from '../step.ts';
import { firstLook } from './first.ts';

/** Query parameters that a service may know; what it makes of them is free. */
export interface QueryCase {
  what: string;
  /** With its question mark. */
  query?: string;
  /** Makes another request of it, which no service has to carry out. */
  write?: (request: Request) => Request;
}

/** `GET /users` with such a query, or in a way that need not be answered as a list. It changes nothing for the lists that are asked for as usual. */
export const queries: CaseStep<QueryCase, Exchange> = caseStep({
  name: 'lists by query',
  needs: { look: firstLook },
  bad: true,
  each: async (run, { query = '', write = (one) => one }: QueryCase) => {
    const request = write({ ...run.listing(), path: `${run.listing().path}${query}` });
    const { exchange } = (await sendBad(run, { request })).answer;
    if (!isAnswered(exchange)) throw new Missing(`${exchange.failure}`, [exchange]);
    return exchange;
  },
});
