import type { Answer, Exchange, Request } from '../src/http/exchange.ts';
import { parseJson } from '../src/http/json.ts';
import type { Creation, Ledger } from '../src/plan/ledger.ts';
import { ListReader, type Look } from '../src/plan/look.ts';

let sent = 0;

/** An exchange as the client keeps it: answered 200 without a body, but for changes. */
export function exchange(changes: Partial<Exchange> & { status?: number; body?: string } = {}): Exchange {
  sent += 1;
  const { status = 200, body = '', ...rest } = changes;
  const request: Request = { method: 'GET', path: '/v1/users', headers: {} };
  const bodyBytes = Buffer.byteLength(body);
  return {
    ...{ id: sent, request, at: sent, duration: 1, attempts: 1 },
    response: { status, headers: [], body, bodyBytes, byteOrderMark: false, keyInBody: false, keyInHeader: false },
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
  { status = 200, ...sought }: { status?: number } & ConstructorParameters<typeof ListReader>[1] = {},
): Look {
  const reader = new ListReader(ledger, { identifierMember: ledger.identifierMember(), ...sought });
  reader.start();
  const items = Object(json).data;
  if (Array.isArray(items)) reader.items(items);
  return reader.look(answer(json, status));
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
