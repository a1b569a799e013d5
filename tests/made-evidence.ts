import type { Answer, Exchange, Request, Response } from '../src/http/exchange.ts';
import { BEARER } from '../src/http/key.ts';
import { parseJson } from '../src/http/value.ts';
import { excluded, type Yields } from '../src/plan/evidence.ts';
import { type Creation, Ledger } from '../src/plan/ledger.ts';
import { type Look, type LookOptions, readList } from '../src/plan/look.ts';
import type { Read } from '../src/plan/record.ts';
import type { KnownUser, UserSearch } from '../src/plan/seek.ts';
import type { Tried } from '../src/plan/step.ts';
import type { FirstUsers } from '../src/plan/steps/first.ts';
import type { LastLooks } from '../src/plan/steps/last.ts';

let sent = 0;

/** An exchange as the client keeps it: answered 200 without a body, but for changes. */
export function exchange(
  changes: Partial<Omit<Exchange, 'response'>> & { status?: number; body?: string; response?: Partial<Response> } = {},
): Exchange {
  sent += 1;
  const { status = 200, body = '', response, ...rest } = changes;
  const request: Request = { method: 'GET', path: '/v1/users', headers: { ...BEARER } };
  const seen = { byteOrderMark: false, keyInBody: false, keyInHeader: false };
  return {
    ...{ id: sent, request, at: sent, duration: 1, attempts: 1 },
    response: { status, headers: [], body, bodyBytes: Buffer.byteLength(body), ...seen, ...response },
    ...rest,
  };
}

/** One that got no answer. */
export function unanswered(failure = 'connection refused'): Exchange {
  const { response: _, ...rest } = exchange();
  return { ...rest, failure };
}

/** An answer with this JSON in it. */
export function answer(json: unknown, status = 200): Answer {
  const text = JSON.stringify(json);
  return { exchange: exchange({ status, body: text }), status, ok: status < 300, json: parseJson(text), text };
}

/** A list with this JSON, read against a ledger. */
export function lookAt(
  json: unknown,
  ledger: Ledger,
  { status = 200, ...sought }: { status?: number } & LookOptions = {},
): Look {
  return readList(answer(json, status), ledger, sought);
}

/** A creation as the ledger has it when it was answered. */
export function creation(email: string, name: string, changes: Partial<Creation> = {}): Creation {
  const user = { email, name };
  return {
    ...{ what: 'a plain user', fate: 'must' as const, inCompany: false, user, traces: user },
    ...{ exchange: exchange({ status: 201 }), answered: 'created' as const },
    ...changes,
  };
}

/** What retrieving shows of a user; without a record, that nobody is there. */
export function readOf(record?: Record<string, unknown>, changes: Partial<Read> = {}): Read {
  const [status, ok] = record ? [200, true] : [404, false];
  return {
    exchange: exchange({ status }),
    ok,
    ...(record && { record }),
    path: '',
    others: [],
    unreadable: false,
    ...changes,
  };
}

/** A search for a user that has not found anybody. */
export function lost(of: Creation = creation('ada@example.com', 'Ada Lovelace'), read: Read = readOf()): UserSearch {
  const identifier = { text: '1', segment: '1', place: 'Location' };
  const tries = [{ identifier, read, isExpected: true, isUpset: false, isAnother: false }];
  return { creation: of, identifier: undefined, read, tries, look: undefined };
}

/** A user who was created, and is retrieved by an identifier, as it was sent but for changes. */
export function user(
  id: string,
  changes: Record<string, unknown> = {},
  sent: Creation = creation(`${id}@example.com`, `Ada ${id}`),
): KnownUser {
  const identifier = { text: id, segment: id, place: 'create response: id' };
  const read = readOf({ id, ...sent.user, ...changes });
  Object.assign(sent, { identifier, read });
  return { ...lost(sent, read), identifier, read };
}

/** The first two users, and the first one read again. */
export function firstTwo(first: UserSearch = user('a'), second: UserSearch = user('b'), again = first): FirstUsers {
  return { first, second, again: again as KnownUser, trial: undefined };
}

/** A list of users by their creations, whose items are what retrieving showed but for changes. */
export function listOf(
  users: { creation: Creation; read?: Read }[],
  changes: Record<string, unknown> = {},
  total = users.length,
): Look {
  const ledger = new Ledger();
  for (const one of users) ledger.enter(one.creation);
  const data = users.map(({ creation, read }) => ({ ...(read?.record ?? creation.user), ...changes }));
  return lookAt({ data, total }, ledger);
}

/** The looks of a run: the list before it and after it, in which these users were created. */
export function lastLooks(first: Look, last: Look, changes: Partial<LastLooks> = {}): LastLooks {
  const most = last.ours.size;
  const at = {
    ...{ grown: undefined, unread: [] },
    firstUser: user('a'),
    created: excluded('nothing is created'),
    unlisted: new Map(),
    old: [],
  };
  return { first, last, later: last, made: { least: most, most }, ...at, ...changes };
}

/** A case that was tried in company; where that was wrong, alone. */
export function tried<T>(first: T, usual?: T, again?: T, one: object = { what: 'a case' }): Tried<T, never> {
  return { one: one as never, first, ...(usual !== undefined && { usual }), ...(again !== undefined && { again }) };
}

/** What a whole run has shown: nothing, but for changes. */
export function whole(changes: Partial<Yields> = {}): Yields {
  const none = { record: [], looks: [], creations: [], culprits: [], stopped: undefined, ended: undefined };
  const never = () => {
    throw new Error('no check asks for a step by itself');
  };
  const baseUrl = 'http://127.0.0.1/v1';
  return { baseUrl, keyIsEveryday: false, ...none, bad: new Set(), of: never, ...changes };
}
