import { type Exchange, isAnswered } from '../../http/exchange.ts';
import { sendBad } from '../bad.ts';
import { excluded, Missing } from '../evidence.ts';
import { isReadable, readList } from '../look.ts';
import { type CaseStep, caseStep } from '../step.ts';
import { firstLook } from './first.ts';

/** Another base path, beside the one that is set; undefined where there is none to try. */
export interface AddressCase {
  what: string;
  basePath: (own: string) => string | undefined;
}

/** What answers there. */
export interface OtherAddress {
  basePath: string;
  exchange: Exchange;
  status: number;
  /** Whether a user list does. */
  isList: boolean;
}

/** `GET /users` below other base paths, with the key. */
export const addresses: CaseStep<AddressCase, OtherAddress> = caseStep({
  name: 'other addresses',
  needs: { look: firstLook },
  bad: true,
  each: async (run, { basePath }) => {
    const other = basePath(run.client.basePath);
    if (other === undefined) throw excluded('BASE_URL does not end in /v1');
    const { answer } = await sendBad(run, { request: { ...run.listing(), path: `${other}/users` } }, 'list');
    const { exchange, status } = answer;
    if (!isAnswered(exchange)) throw new Missing(`${exchange.failure}`, [exchange]);
    const look = readList(answer, run.ledger);
    const isList = isReadable(look) && look.faults.users === undefined;
    return { basePath: other, exchange, status, isList };
  },
});
