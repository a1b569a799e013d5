import type { Client } from '../src/http/client.ts';
import { type Answer, answerOf, type Exchange, type Request } from '../src/http/exchange.ts';
import { parseJson } from '../src/http/value.ts';
import { Context } from '../src/plan/context.ts';
import type { KnownUser } from '../src/plan/seek.ts';
import type { Step } from '../src/plan/step.ts';
import { creation, exchange, unanswered, user } from './made-evidence.ts';

/** One answer: a status with JSON, made of the request where it shows what was sent; or none. */
export type Canned = readonly [status: number, json?: unknown] | 'none' | 'silence' | ((sent: Sent) => Canned);

/** A request, and the bodies of creations so far by the identifiers that their answers showed. */
interface Sent {
  body: Record<string, unknown>;
  users: Map<string, Record<string, unknown>>;
}

/** A creation is accepted, and shows this identifier. */
export const creates =
  (id: string): Canned =>
  ({ body, users }) => {
    users.set(id, { id, ...body });
    return [201, users.get(id)];
  };

/** The user who was created with this identifier, with changes. */
export const shows =
  (id: string, changes: object = {}): Canned =>
  ({ users }) => [200, { ...users.get(id), ...changes }];

/** The list of these users. */
export const lists =
  (...ids: string[]): Canned =>
  ({ users }) => [200, { data: ids.map((id) => users.get(id)), total: ids.length }];

export const NOBODY = [404, { error: 'no such user' }] as const;

/**
 * What steps work with, where the client is a list of answers: each request gets the next, and what was sent is told as
 * method and path. Time passes only in pauses. Users of the run can be made to be there already.
 */
export function answering(...answers: Canned[]) {
  const sent: string[] = [];
  const record: Exchange[] = [];
  const users: Sent['users'] = new Map();
  let now = 0;
  const send = async (request: Request): Promise<Answer> => {
    sent.push(`${request.method} ${request.path}`);
    let next = answers.shift() ?? 'none';
    const body = request.method === 'POST' ? (Object(parse(request.body)) as Record<string, unknown>) : {};
    while (typeof next === 'function') next = next({ body, users });
    const [status, json] = typeof next === 'string' ? [0] : next;
    const text = json === undefined ? '' : JSON.stringify(json);
    const failure = next === 'silence' ? 'no complete response within 1000 ms' : undefined;
    const { request: _, ...came } =
      typeof next === 'string' ? unanswered(failure) : exchange({ status, body: text, at: now, duration: 0 });
    record.push({ ...came, request } as Exchange);
    return answerOf(record.at(-1) as Exchange, { value: text === '' ? undefined : parseJson(text), text });
  };
  const pause = async (milliseconds: number) => {
    now += Math.max(0, milliseconds);
  };
  const client = {
    ...{ send, record, now: () => now, deadline: { pause }, timeoutMs: 1000, slowestMs: 0 },
    ...{ basePath: '/v1', origin: 'http://127.0.0.1' },
    secrets: { wrongKey: 'wrong', isWrong: () => true, holds: () => false, redact: (text: string) => text },
    onOneConnection: <T>(use: (lane: 'lane 1') => Promise<T>) => use('lane 1'),
  } as unknown as Client;
  // Where nothing may lag, nothing is asked for again.
  const run = new Context(client, 'http://127.0.0.1/v1', { readOnly: false, settleMs: 0, emailDomain: 'example.com' });
  /** A user of the run who was retrieved before. */
  const known = (id: string): KnownUser => {
    const made = creation(`${id}@example.com`, `Ada ${id}`, {
      exchange: exchange({ status: 201, at: 0, duration: 0 }),
    });
    run.ledger.enter(made);
    const found = user(id, {}, made);
    run.ledger.prove(made, found.identifier, found.read);
    users.set(id, { id, ...made.user });
    return found;
  };
  return { run, sent, known };
}

function parse(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

/** Takes a step, with what it needs; again alone where that went wrong. */
export function take<Y>(step: Step<Y>, run: Context, given: object = {}): Promise<Y> {
  return carryOut({ ...step, hasCases: true }, run, undefined, given);
}

/** Carries out a case of a step, in the same way. */
export async function carryOut<Y, C>(step: Step<Y, C>, run: Context, one: C, given: object = {}): Promise<Y> {
  const found = await step.each(run, one, given as never);
  return (step.isRight?.(found, one) ?? true) ? found : step.each(run, one, given as never, found);
}

/** What a step with cases is given of another: the same for each case. */
export const byCase =
  <Y>(found: Y) =>
  () =>
    found;
