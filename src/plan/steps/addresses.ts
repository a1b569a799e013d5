import { schemaError } from '../../../schemas/validate.ts';
import { type Exchange, isAnswered } from '../../http/exchange.ts';
import { known, Missing } from '../evidence.ts';
import type { CaseStep } from '../step.ts';
import { firstLook } from './first.ts';

/** Another base path, beside the one that is set; undefined where there is none to try. */
export interface AddressCase {
  what: string;
  basePath: (own: string) => string | undefined;
}

/** What answers there. */
export interface Elsewhere {
  basePath: string;
  exchange: Exchange;
  status: number;
  /** Whether a user list does. */
  isList: boolean;
}

/** `GET /users` below other base paths, with the key. */
export const addresses: CaseStep<AddressCase, Elsewhere> = {
  name: 'other addresses',
  needs: [firstLook],
  valid: false,
  each: async (run, { basePath }) => {
    const other = basePath(run.client.basePath);
    if (other === undefined) throw new Missing('the base address does not end in /v1', [], { excluded: true });
    known(run.of(firstLook));
    const { exchange, status, ok, json } = await run.send({ ...run.listing(), path: `${other}/users` }, 'list');
    if (!isAnswered(exchange)) throw new Missing(`${exchange.failure}`, [exchange]);
    const isList = ok && !schemaError('user-list.schema.json', json, 'body');
    return { basePath: other, exchange, status, isList };
  },
};
