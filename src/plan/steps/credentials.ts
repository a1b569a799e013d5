import { randomUUID } from 'node:crypto';
import { type Connection, isSuccess, type Request } from '../../http/exchange.ts';
import { BEARER } from '../../http/key.ts';
import { textOf } from '../../http/value.ts';
import type { Context } from '../context.ts';
import { type CaseEvidence, excluded, Missing, type OrMissing, part, present, type Yields } from '../evidence.ts';
import { decoded, segmentOf } from '../identifier.ts';
import type { Look } from '../look.ts';
import { members } from '../record.ts';
import { type Bad, mustBeTold, returnable, safe, sendBad, untilTold } from '../requests.ts';
import { type KnownRead, type KnownUser, readAgain } from '../seek.ts';
import { badStep, hash, isFailure, maybe } from '../step.ts';
import { type FirstUsers, firstKnown, firstLook, firstUsers } from './first.ts';

export type Operation = 'GET /users' | 'POST /users' | 'GET /users/:id';

/**
 * An operation with other credentials than the documented ones: it differs in nothing else from one that is proven
 * good.
 */
export interface CredentialCase {
  what: string;
  operation: Operation;
  /** Sent in the place of the documented Authorization header, with what MARK stands for. */
  headers: Record<string, string>;
  /** A query, with its question mark. */
  query?: string;
  /** Members put into the body beside email and name, or a body in their place. */
  members?: Record<string, string>;
  body?: string;
  /** Whether a creation has the email of a user who exists: what looks for that one first may show it. */
  ofKnown?: true;
  /** Another spelling of the path, of the part below the base address. */
  spelling?: (path: string) => string;
  /** Another spelling of the base address's path. */
  base?: (path: string) => string;
  /** Whether it goes out on a connection of its own that has just carried the right key. */
  used?: true;
  /** Whether the same is sent with the right key just before: a cache may keep the answer for anybody. */
  isAskedBefore?: true;
  /** Whether a server may drop it without an answer, or a gateway respond in its place. */
  mayBeSilent?: true;
  /** Whether a service should carry it out. */
  isWelcome?: true;
  /** Of a case that is tried together with others: of what kind it is. */
  kind?: string;
  /** Whether it goes out among creations and reads with the right key, not among other attempts. */
  amongOthers?: true;
  /** Cases that must be refused, or else this one tells nothing: an open door needs no key of any kind. */
  unless: CredentialCase[];
}

/**
 * Stand in the headers of a case for a key that is wrong, the path of the operation, the cookies that the service has
 * set, the Idempotency-Key of a creation that was accepted, and a new one.
 */
export const MARK = {
  wrongKey: '<a wrong key>',
  path: '<path>',
  ownCookies: '<cookies of the service>',
  idempotencyKey: '<the Idempotency-Key of a creation>',
  newKey: '<a new Idempotency-Key>',
};

/** What came of a case. */
export type Sent = Awaited<ReturnType<typeof attempt>>;

/** The same with what came of the cases that it depends on. */
export type Attempt = Sent & { before: Sent[] };

/** What the suite has seen with the right key. */
export type Shown = { look: Look; users: OrMissing<FirstUsers> };

/**
 * Sends one case. `usual` is the retrieval with the right key that went out before it on its connection; `shows` an
 * email or name of a user whom the suite knows, which the answer shows and the request has not sent. Throws Missing
 * where it can't be made, or where it would tell nothing.
 */
export async function attempt(run: Context, one: CredentialCase, { look, users }: Shown, isAlone = false) {
  if (one.operation === 'GET /users' && !look.ok)
    throw new Missing('the list request fails with the right key as well', [look.exchange]);
  const send = async (tries: number) => {
    const bad = credentialRequest(run, one, users, look);
    if (one.isAskedBefore) await sendWithKey(run, one, bad);
    const sendOn = async (connection: Connection, usual?: KnownRead) => {
      return { answer: await sendBad(run, { ...bad, request: { ...bad.request, connection } }), usual };
    };
    if (isAlone || tries > 1) return sendOn('new');
    // As most clients have it: a kept connection has carried the right key before.
    if (!one.used) return sendOn('kept');
    return run.client.onOneConnection(async (connection) => {
      return sendOn(connection, await readAgain(run, firstKnown(users).creation, connection));
    });
  };
  const { answer, usual } = await untilTold(send, run);
  mustBeTold(answer, one.mayBeSilent || answer.exchange.elsewhere);
  const { exchange, status, ok, text } = answer;
  const { path, body, headers: own } = exchange.request;
  // As text, too: it may hold an email or a name that is the identifier, which the answer may repeat.
  const sent = [decoded(path) ?? path, body, ...Object.values(own)].join('\n');
  const headers = (exchange.response?.headers ?? []).map(([, value]) => value).join('\n');
  const shows = run.ledger.shownIn(`${text}\n${headers}`, sent) ?? (ok ? listedIn(look, text) : undefined);
  if (!ok && one.unless.length === 0) run.observe(`status for ${one.what}`, `${status}`);
  return { one, exchange, status, ok, ...(usual && { usual }), ...(shows !== undefined && { shows }) };
}

/** Sends the request of a case with the right key. */
function sendWithKey(run: Context, { spelling }: CredentialCase, { request, draft }: Bad): Promise<unknown> {
  const authorised = { ...request, headers: { ...request.headers, ...BEARER } };
  if (draft) return run.create({ ...draft, fate: 'may', inCompany: true }, authorised);
  return spelling ? sendBad(run, { request: authorised }) : run.send(authorised);
}

/**
 * The email of a listed user that a text shows, together with those of others: a page may well name one, as a contact.
 */
function listedIn({ sample }: Look, text: string): string | undefined {
  const emails = sample.map((item) => textOf(members(item).email) ?? '');
  const shown = emails.filter((email) => email !== '' && text.includes(email));
  return shown.length > 1 ? shown[0] : undefined;
}

/** The request of a case. Throws Missing where it can't be made, or where it would tell nothing. */
export function credentialRequest(run: Context, one: CredentialCase, users: OrMissing<FirstUsers>, look?: Look): Bad {
  const { what, operation, headers, body, ofKnown } = one;
  const [, token] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (token !== undefined && !run.client.secrets.isWrong(token)) throw excluded('this key has no such variation');
  if (operation === 'GET /users') return { request: written(run, one, run.listing({})) };
  if (operation === 'POST /users') run.mayCreate();
  const first = firstKnown(users);
  if (operation === 'GET /users/:id')
    return { request: written(run, one, run.retrieval(someUser(run, one, first, look), {})) };
  const user = { ...run.factory.make(), ...(ofKnown && { email: first.creation.user.email }) };
  const draft = { what, fate: 'must-not' as const, user, traces: body === undefined ? user : {} };
  // A guard that decides before the body is there may decide by another request that came meanwhile.
  const late = one.amongOthers && ({ framing: 'packets' } as const);
  return { request: { ...written(run, one, run.creating(body ?? { ...user, ...one.members }, {})), ...late }, draft };
}

/** A request with the headers of a case, and in its spelling. */
function written(run: Context, { headers, query = '', spelling, base }: CredentialCase, request: Request): Request {
  const { basePath, secrets } = run.client;
  const below = request.path.slice(basePath.length);
  const filled = Object.entries(headers).map(([name, value]) => {
    if (value === MARK.idempotencyKey) return [name, idempotencyKeyIn(run)];
    if (value === MARK.newKey) return [name, randomUUID()];
    if (value.includes(MARK.ownCookies)) return [name, cookiesIn(run)];
    return [name, value.replace(MARK.wrongKey, secrets.wrongKey).replace(MARK.path, request.path)];
  });
  return {
    ...request,
    path: `${base?.(basePath) ?? basePath}${spelling?.(below) ?? below}${query}`,
    headers: { ...request.headers, ...Object.fromEntries(filled) },
  };
}

/** The Idempotency-Key of the last creation that was accepted with one. */
function idempotencyKeyIn({ client }: Context): string {
  const sent = client.record.filter(isSuccess).flatMap(({ request }) => request.headers['idempotency-key'] ?? []);
  return sent.at(-1) ?? 'none';
}

/** The last cookies that the service has set. Throws Missing where there are none. */
function cookiesIn(run: Context): string {
  const answers = run.client.record.filter(isSuccess).flatMap(({ response }) => response?.headers ?? []);
  const set = answers.flatMap(([name, value]) => (/^set-cookie$/i.test(name) ? (value.split(';')[0] ?? '') : []));
  const cookies = returnable(set, run);
  if (cookies.length === 0) throw excluded('the service sets no cookie that can be sent back');
  // A service that sets one for each answer would fill the header.
  return [...new Set(cookies)].slice(-5).join('; ');
}

/**
 * The segment of one of the users, for each case another one, and for some the first who was there before the run: a
 * door may be open to some of them alone. What may be answered is asked of the first, who does not lag, and so is what
 * a cache may have kept of another coding.
 */
function someUser(run: Context, one: CredentialCase, { identifier }: KnownUser, look?: Look): string {
  const { ledger } = run;
  if (one.used || one.isWelcome || 'accept-encoding' in one.headers) return identifier.segment;
  const chosen = hash(one.what);
  const isPlain = one.unless.length > 0 && !one.spelling && !one.base;
  const text = textOf(look?.sample[0]?.[ledger.identifierMember ?? '']);
  const [old] = text === undefined ? [] : safe([{ text, segment: segmentOf(text), place: 'list' }], run);
  // One in five cases.
  if (old !== undefined && isPlain && chosen % 5 === 0) return old.segment;
  const known = ledger.proven.flatMap(({ fate, identifier }) => (fate === 'must' && identifier?.segment) || []);
  return known[chosen % Math.max(1, known.length)] ?? identifier.segment;
}

const credentials = (name: string) =>
  badStep({
    name,
    needs: { look: firstLook, users: maybe(firstUsers) },
    early: ({ operation, used, isWelcome }: CredentialCase) =>
      used ? 2 : Number(operation === 'POST /users' || isWelcome === true),
    each: (run, one: CredentialCase, given, before?: Sent) => attempt(run, one, given, before !== undefined),
    // What others have upset is not refused for what it is.
    isRight: (found, { isWelcome }) => (found.ok || !isWelcome) && !isFailure(found),
  });

/** The cases that others depend on: no credentials, and a wrong key. */
export const controls = credentials('no credentials and a wrong key');

/** All other cases. */
export const attempts = credentials('other credentials');

/** Those that go out among creations and reads. */
export const attemptsAmongOthers = credentials('other credentials among usual requests');

/** What came of cases, with those that they depend on. */
export function attempted(...all: CredentialCase[]): CaseEvidence<Attempt> {
  const stepOf = ({ unless, amongOthers }: CredentialCase) =>
    unless.length === 0 ? controls : amongOthers ? attemptsAmongOthers : attempts;
  const needed = [...all.flatMap(({ unless }) => unless), ...all].map((one) => [stepOf(one), one] as const);
  const from = (yields: Yields) => all.map((one) => withControls(yields, one, yields.of(stepOf(one), one)));
  return part(from, needed);
}

/** An attempt with what it depends on; Missing where that was not refused. */
export function withControls(yields: Yields, { unless }: CredentialCase, found: OrMissing<Sent>) {
  if (found instanceof Missing) return found;
  const before = unless.map((other) => yields.of(controls, other));
  const there = present(before);
  const open = there.find(({ ok }) => ok);
  if (open) return new Missing(`the request is carried out with ${open.one.what}`, [open.exchange]);
  return before.find((one) => one instanceof Missing) ?? { ...found, before: there };
}
