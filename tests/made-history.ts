import type { Creation, NewUser } from '../src/history/creation.ts';
import type { CaseResult, History } from '../src/history/history.ts';
import type { List } from '../src/history/list.ts';
import type { Read } from '../src/history/record.ts';
import type { Answer, Exchange, Request, Response } from '../src/http/exchange.ts';
import { BEARER } from '../src/http/key.ts';
import { parseJson } from '../src/http/value.ts';

/** Changes to a made exchange, which is a list request with the response 200 and no body. */
interface ExchangeChanges extends Partial<Omit<Exchange, 'response'>> {
  status?: number;
  body?: string;
  response?: Partial<Response>;
}

let sent = 0;

/** Makes an exchange; each has an id of its own. */
export function makeExchange(changes: ExchangeChanges = {}): Exchange {
  sent += 1;
  const { status = 200, body = '', response, ...others } = changes;
  const request: Request = { method: 'GET', path: '/v1/users', headers: { ...BEARER } };
  return {
    id: sent,
    request,
    at: sent,
    duration: 0,
    attempts: 1,
    response: {
      status,
      headers: [],
      body,
      bodyBytes: Buffer.byteLength(body),
      byteOrderMark: false,
      keyInBody: false,
      keyInHeader: false,
      ...response,
    },
    ...others,
  };
}

/** Makes an exchange without a response. */
export function makeUnanswered(failure = 'connection refused'): Exchange {
  const { response: _, ...others } = makeExchange();
  return { ...others, failure };
}

/** Makes an answer with this JSON. */
export function makeAnswer(json: unknown, status = 200): Answer {
  const text = JSON.stringify(json);
  const exchange = makeExchange({ status, body: text });
  return { exchange, status, ok: status < 300, json: parseJson(text), text };
}

/** Makes an accepted creation of a user. */
export function makeCreation(user: NewUser, changes: Partial<Creation> = {}): Creation {
  return {
    name: 'a plain user',
    expected: 'created',
    user,
    traces: user,
    exchange: makeExchange({ status: 201 }),
    response: 'accepted',
    reads: [],
    ...changes,
  };
}

/** Makes a list without users. */
export function makeList(changes: Partial<List> = {}): List {
  return {
    exchange: makeExchange(),
    ok: true,
    faults: {},
    size: 0,
    total: 0,
    ours: [],
    others: 0,
    sample: [],
    digest: '',
    isSettled: false,
    ...changes,
  };
}

/** Makes the read of a record. */
export function makeRead(record: Record<string, unknown>, changes: Partial<Read> = {}): Read {
  return {
    exchange: makeExchange(),
    ok: true,
    record,
    place: '',
    others: [],
    isUnreadable: false,
    ...changes,
  };
}

/** Makes the result of a list request. */
export function makeResult(changes: Partial<CaseResult> & { slugs: string[] }): CaseResult {
  return { name: 'a case', operation: 'GET /users', exchange: makeExchange(), ...changes };
}

/** Makes the history of a run in which nothing was sent. */
export function makeHistory(changes: Partial<History> = {}): History {
  return {
    baseUrl: 'http://127.0.0.1:3000/v1',
    keyIsEveryday: false,
    isReadOnly: false,
    exchanges: [],
    creations: [],
    lists: [],
    results: [],
    skipped: [],
    firstUsers: [],
    identifierMembers: {},
    rereads: [],
    unauthorized: [],
    bursts: [],
    atRest: [],
    existing: [],
    locations: [],
    outages: [],
    parts: [],
    ...changes,
  };
}
