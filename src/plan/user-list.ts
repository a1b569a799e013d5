import { schemaError } from '../../schemas/validate.ts';
import type { Answer, Exchange } from '../http/exchange.ts';
import { isObject } from './record.ts';

/** What an answer of `GET /users` says, without its users: a run keeps several, and a list may be very long. */
export interface ListView {
  exchange: Exchange;
  ok: boolean;
  /** By part of the schema: why the answer is not valid in it; absent when it is. */
  faults: { data?: string; total?: string; users?: string };
  /** How many items `data` has, and what `total` says; NaN where they are not what the schema asks for. */
  shown: number;
  total: number;
  /** The first item. */
  sample: unknown;
}

/** An answer of `GET /users` that is valid, with its users. */
export interface UserList extends ListView {
  data: unknown[];
  /** Whether it holds fewer users than it counts: the service pages. */
  pages: boolean;
}

/** Validates a list answer. Items that `isJudged` says no to are left out. */
export function viewOf({ exchange, ok, json }: Answer, isJudged: (item: unknown) => boolean = () => true): ListView {
  const fault = (part: keyof ListView['faults'], value = json) => {
    const error = schemaError(`user-list.schema.json#/$defs/${part}`, value, 'body');
    return error === undefined ? {} : { [part]: error };
  };
  const faults = { ...fault('data'), ...fault('total') } as ListView['faults'];
  const { data, total } = (isObject(json) ? json : {}) as { data: unknown[]; total: number };
  const shown = faults.data === undefined ? data.length : Number.NaN;
  const users = faults.data === undefined ? fault('users', { data: data.filter(isJudged) }) : {};
  return {
    exchange,
    ok,
    faults: { ...faults, ...users },
    shown,
    total: faults.total === undefined ? total : Number.NaN,
    sample: faults.data === undefined ? data[0] : undefined,
  };
}
