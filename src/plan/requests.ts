import { type Answer, type Exchange, header, isAnswered, type Request, slowest } from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { KEY } from '../http/key.ts';
import type { Wanted } from '../http/response.ts';
import { isObject } from '../http/value.ts';
import type { Context } from './context.ts';
import { excluded, Missing } from './evidence.ts';
import { candidatesOf, type Identifier } from './identifier.ts';
import { type Creation, type Fate, isTold } from './ledger.ts';
import { bounded, isOf, type Read, readUser } from './record.ts';
import { hash } from './step.ts';
import type { UserKind } from './users.ts';

/**
 * How often what creates is tried after a 503, each time with another user: the pauses before are three seconds
 * together.
 */
const CREATION_TRIES = 6;

/**
 * How often what may create is tried with another user, where nobody knows what became of the one before; after silence
 * less.
 */
const [TRIES, SILENT_TRIES] = [4, 2];

/** A creation that was answered, and what may be the new user's identifier. */
export type CreateResult = Awaited<ReturnType<typeof createUser>>;

/** The kind of a user with nothing special. */
export const USUAL = { what: 'a plain user' };

/** Writes a request in another way that means the same. */
export type Write = (request: Request, run: Context) => Request;

/** How a user is created, where that is not as usual. */
export interface Way {
  kind?: UserKind;
  /** Whether the service may refuse it: by default it must not. */
  fate?: Fate;
  write?: Write | undefined;
  /** Whether other requests are in flight. */
  inCompany?: boolean;
}

/**
 * Creates a user. After an answer that says nothing of the creation (none, a 503, a gateway's) it is tried with another
 * user, because the first one may exist. Throws Missing in read-only mode.
 */
export async function createUser(run: Context, { kind = USUAL, fate = 'must', write, inCompany = false }: Way = {}) {
  const { creation, answer } = await untilTold((tries) => {
    const user = run.factory.make(kind);
    const usual = run.creating(user);
    const request = write?.(usual, run) ?? usual;
    if (fate === 'must') mustBeShort(run, request, usual);
    // The last try takes no chance with a kept connection that may just be closed.
    const safely = tries < TRIES ? request : { ...request, connection: 'new' as const };
    return run.create({ what: kind.what, fate, inCompany, user, traces: user }, safely);
  });
  const { record } = readUser(answer, creation, run.ledger);
  if (fate === 'must' && answer.ok) {
    run.observe('create status', `${answer.status}`);
    run.observe('create response', shows(answer, creation, record));
  }
  if (answer.ok && answer.status !== 202)
    creation.shown = record ?? (isObject(answer.json) ? bounded(answer.json) : {});
  // The likeliest first. What holds the key is left out: the key belongs in no path.
  const candidates = answer.ok ? safe(candidatesOf(answer.exchange, answer.json), run) : [];
  run.ledger.show(creation, candidates);
  return { creation, candidates };
}

/**
 * Sends a request that may create a user, and again, with another user, as long as no answer tells what became of it,
 * and so many times at most. Where `run` is given it ends as soon as the service is silent to all.
 */
export async function untilTold<T extends { answer: Answer }>(
  send: (tries: number) => Promise<T>,
  run?: Context,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const sent = await send(tries);
    const { exchange, status } = sent.answer;
    // A target that was given up gets no request.
    const most = status === 503 ? CREATION_TRIES : isSilent(exchange.failure) ? SILENT_TRIES : TRIES;
    const isOver = exchange.attempts === 0 || tries >= most;
    if (isTold(sent.answer) || isOver || run?.isHeldUp(exchange)) return sent;
  }
}

/** Throws Missing where an answer does not tell what became of its request. */
export function mustBeTold(answer: Answer, excluded = false): void {
  const { exchange, status } = answer;
  if (isTold(answer)) return;
  const why = exchange.failure ?? `a ${status} does not say whether the request was carried out`;
  throw new Missing(why, [exchange], { excluded });
}

/** Throws Missing where no user was made, with what shows why. */
export function mustBeCreated(created: CreateResult): CreateResult {
  const { answered, exchange, fate } = created.creation;
  if (answered === 'created') return created;
  const status = exchange?.response?.status ?? 0;
  if (answered === 'refused' && fate === 'may')
    throw excluded(`the service ${status >= 500 ? 'fails' : 'rejects it'} (${status})`, [exchange]);
  throw new Missing(exchange?.failure ?? `creating the user returned ${status}`, [exchange]);
}

/** Throws Missing where a body is longer than usual, and than any that was accepted: a service may limit its size. */
function mustBeShort({ ledger }: Context, { body = '' }: Request, usual: Request): void {
  const accepted = ledger.creations.filter(({ answered }) => answered === 'created');
  const lengths = [usual, ...accepted.map(({ exchange }) => exchange?.request)].map((one) => one?.body?.length ?? 0);
  if (body.length > Math.max(...lengths)) throw excluded('its body is longer than any that the service has accepted');
}

/** The identifiers that can be sent: those that do not hold the key, and are a path segment of their own. */
export function safe(candidates: Identifier[], { client: { secrets } }: Context): Identifier[] {
  const isSafe = (text: string) => !secrets.holds(text) && !text.includes(KEY) && !['', '.', '..'].includes(text);
  return candidates.filter(({ text, segment }) => isSafe(text) && isSafe(segment));
}

/**
 * Of values that a target has sent those that a request may send back in a header: printable ASCII, not too long, and
 * without the key or what may stand for it.
 */
export const returnable = (values: string[], { client: { secrets } }: Context): string[] =>
  values.filter((one) => /^[!-;=?-~][ -;=?-~]{0,300}$/.test(one) && !secrets.holds(one));

/** The ETags of responses that may be sent back. */
export function tagsOf(exchanges: readonly Exchange[], run: Context): string[] {
  const tags = exchanges.flatMap((one) => header(one, 'etag') ?? []);
  return returnable(tags, run).filter((one) => /^(W\/)?"[^"]+"$/.test(one));
}

/** What the answer of a creation shows of the user, which is free. */
function shows({ exchange }: Answer, creation: Creation, record: Read['record']): string {
  if (exchange.response?.bodyBytes === 0) return 'empty';
  if (record === undefined) return 'without the user';
  return isOf(record, creation.user) ? 'shows the user' : 'shows other values';
}

/** A request that no conforming service carries out. */
export interface Bad {
  request: Request;
  /** Of a creation, what would show in a user that is made all the same. */
  draft?: Omit<Creation, 'inCompany'>;
}

/** Many a service shows more on its pages for a browser than in JSON. */
export const asBrowser = (request: Request): Request => {
  const accept = 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8';
  return { ...request, headers: { ...request.headers, accept, 'accept-encoding': 'gzip, deflate, br' } };
};

/** The request of a case as a browser sends it, or as usual: in each run of other cases. */
export const asBrowserAtTimes = ({ factory }: Context, what: string, request: Request): Request =>
  hash(`${factory.choices} ${what}`) % 2 === 0 ? asBrowser(request) : request;

/** Sends a bad request and notes that it is one. Throws Missing where it is a creation, and nothing may be created. */
export async function sendBad(run: Context, { request, draft }: Bad, wanted: Wanted = 'text', patienceMs?: number) {
  const created = draft && (await run.create({ ...draft, inCompany: true }, request, patienceMs));
  const answer = created?.answer ?? (await run.send(request, wanted, patienceMs));
  run.bad.add(answer.exchange.id);
  return answer;
}

/** How long the answer to a malformed request may take: so many times as long as any so far, but some time. */
const PATIENCE = { times: 20, leastMs: 2000 };

/**
 * The time for it in milliseconds: an answer that never comes must not hold up a run whose other answers come at once.
 */
export function patienceOf({ client }: Context): number {
  const usual = slowest(client.record.filter(isAnswered));
  return Math.min(client.timeoutMs, Math.max(PATIENCE.leastMs, PATIENCE.times * usual));
}
