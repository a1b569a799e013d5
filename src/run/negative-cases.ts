import { userListFault } from '../../schemas/user-list.ts';
import { type Creation, isAccepted, type NewUser } from '../history/creation.ts';
import { members } from '../history/record.ts';
import {
  type Answer,
  type Connection,
  type Exchange,
  isAnswered,
  isTelling,
  type Request,
} from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { BEARER } from '../http/key.ts';
import { textOf } from '../http/value.ts';
import type { Case } from '../requirement/case.ts';
import { knownUserOf, NOBODY, requestsOf, type SentCase, usualRequest } from './case-context.ts';
import { createUser, sendCreation } from './create-user.ts';
import { findUser } from './find-user.ts';
import { decodeSegment } from './identifier.ts';
import { heldIn, SOMEBODYS } from './unknown-users.ts';
import { Excluded, type World } from './world.ts';

/** How often a malformed creation is sent, each time with another user, while no response tells what became of it. */
const TRIES = 3;
const TRIES_AFTER_TIMEOUT = 2;

/** How long the response to a malformed request may take: so many times as long as any so far, and at least this. */
const PATIENCE = { times: 20, leastMs: 2000 };

/** How a case is sent. */
export interface SendOptions {
  /** The connection; absent: the usual one of the case. */
  connection?: Connection;
}

/** Sends a negative case. Throws Excluded if it can't be made of this key, user or service. */
export function sendNegativeCase(world: World, one: Case, options: SendOptions): Promise<SentCase> {
  return one.operation === 'POST /users'
    ? sendInvalid(world, one, options)
    : sendNegative(world, one, options);
}

/** Sends a creation that must or may be rejected. */
async function sendInvalid(world: World, one: Case, options: SendOptions): Promise<SentCase> {
  world.mayCreate();
  const unanswered: Exchange[] = [];
  for (let tries = 1; ; tries += 1) {
    const user = world.factory.make(one.user, world.ledger.identified[0]?.user);
    const [request] = requestsOf(world, one, user, world.creating(user), undefined) as [Request];
    if (one.afterAuthorized) await sendAuthorized(world, one, user, request);
    const creation: Creation = {
      name: one.name,
      expected: one.expected ?? 'rejected',
      user,
      traces: tracesIn(one, request, user),
      reads: [],
    };
    // What a malformed request leaves behind on its connection must not meet another request.
    const send = async (connection: Connection) => {
      if (one.afterCreation) {
        const before = await createUser(world, { request: (usual) => ({ ...usual, connection }) });
        before.isAfterNegative = true;
      }
      return sendCreation(world, creation, { ...request, connection }, patience(world));
    };
    const { connection } = options;
    const { exchange, text } = await (connection
      ? send(connection)
      : world.client.onOneConnection(send));
    if (isSilent(exchange.failure) && exchange.attempts > 0) unanswered.push(exchange);
    // Some servers close a connection after its first response.
    const isClosed = one.afterCreation && exchange.failure && !isSilent(exchange.failure);
    if (!isTelling(exchange) && (one.mayBeSilent || isClosed))
      throw new Excluded(`${exchange.failure}`);
    const most = isSilent(exchange.failure) ? TRIES_AFTER_TIMEOUT : TRIES;
    const isLast =
      isTelling(exchange) || tries >= most || exchange.attempts === 0 || options.connection;
    if (!isLast) continue;
    const read = isAccepted(creation) && one.untraced ? await findUser(world, creation) : undefined;
    return {
      exchange,
      creation: world.ledger.creations.indexOf(creation),
      ...leakIn(world, exchange, text),
      ...(read && { read }),
      // Silence once may be chance.
      ...(unanswered.length > 1 && { unanswered }),
    };
  }
}

/** The strings by which a user made of an invalid request is recognized: those that its body or path holds. */
function tracesIn({ untraced }: Case, { body = '' }: Request, user: NewUser): Partial<NewUser> {
  const holds = (text: string) =>
    body.includes(text) || body.includes(JSON.stringify(text).slice(1, -1));
  return {
    ...(untraced !== 'email' && holds(user.email) && { email: user.email }),
    ...(untraced !== 'name' && holds(user.name) && { name: user.name }),
  };
}

/** Sends a GET that is malformed, or meant to be rejected. */
async function sendNegative(world: World, one: Case, options: SendOptions): Promise<SentCase> {
  const known = knownUserOf(world, one);
  const isEarly = one.phase === 'before users' && one.operation === 'GET /users/:id';
  const usual = isEarly ? world.retrieval('nobody') : usualRequest(world, one, NOBODY, known);
  if (usual === undefined) throw new Excluded('no user could be retrieved');
  const requests = requestsOf(world, one, known?.user ?? NOBODY, usual, known);
  let last: SentCase | undefined;
  for (const request of requests) {
    last = await sendOne(world, one, request, known, options);
    // An identifier that belongs to a user after all says nothing.
    if (last.holds?.text !== SOMEBODYS) return last;
  }
  throw new Excluded('every identifier of this kind belongs to a user');
}

async function sendOne(
  world: World,
  one: Case,
  request: Request,
  known: Creation | undefined,
  { connection }: SendOptions,
): Promise<SentCase> {
  if (one.afterAuthorized) await sendAuthorized(world, one, NOBODY, request);
  const send = (on: Connection) =>
    world.send({ ...request, connection: on }, 'record', patience(world));
  const answered = (answer: Answer) => negativeResult(world, one, answer);
  // What a negative request leaves behind on its connection must not meet another request.
  if (connection) return answered(await send(connection));
  if (!one.afterUsual || known?.identifier === undefined) {
    const first = await send('new');
    const isSilentOnce = isSilent(first.exchange.failure) && first.exchange.attempts > 0;
    if (!isSilentOnce) return answered(first);
    // Silence once may be chance.
    const second = await send('new');
    const result = await answered(second);
    if (!isSilent(second.exchange.failure) || !(await answersOthers(world))) return result;
    return { ...result, unanswered: [first.exchange, second.exchange] };
  }
  const { segment } = known.identifier;
  return world.client.onOneConnection(async (lane) => {
    const usual = await world.readOnce(known, { ...world.retrieval(segment), connection: lane });
    return { ...(await answered(await send(lane))), usual };
  });
}

/** Whether the service answers a plain request. */
async function answersOthers(world: World): Promise<boolean> {
  const { exchange } = await world.send({ ...world.listing(), connection: 'new' }, 'text');
  return isAnswered(exchange);
}

async function negativeResult(world: World, one: Case, answer: Answer): Promise<SentCase> {
  const { exchange, ok, json, text } = answer;
  // Some servers close the connection where a header is odd, and a proxy knows nobody at another address.
  if (!isTelling(exchange) && (one.mayBeSilent || exchange.elsewhere)) {
    throw new Excluded(exchange.failure ?? `the status is ${exchange.response?.status}`);
  }
  const isList = ok && userListFault(json) === undefined;
  const holds =
    one.isNobodys && isAnswered(exchange) ? await heldIn(world, answer, isList) : undefined;
  return {
    exchange,
    ...leakIn(world, exchange, text),
    ...(isList && { isList }),
    ...(holds && { holds }),
  };
}

/** Sends the request of a case with the right key: a cache may keep the response. */
async function sendAuthorized(
  world: World,
  one: Case,
  user: NewUser,
  request: Request,
): Promise<void> {
  const authorized = { ...request, headers: { ...request.headers, ...BEARER } };
  if (request.method === 'GET') return void (await world.send(authorized));
  const creation: Creation = { name: one.name, expected: 'either', user, traces: user, reads: [] };
  await sendCreation(world, creation, authorized);
}

/** The email or name of a known user that a response shows, unless the request has sent it. */
function leakIn(world: World, exchange: Exchange, text: string): { leak?: string } {
  const { request, response } = exchange;
  const sent = [
    decodeSegment(request.path) ?? request.path,
    request.body,
    ...Object.values(request.headers),
  ].join('\n');
  const headers = (response?.headers ?? []).map(([, value]) => value).join('\n');
  const received = `${text}\n${headers}`;
  const leak = world.ledger.leakIn(received, sent) ?? listedIn(world, exchange, text);
  return leak === undefined ? {} : { leak };
}

/** The email of a listed user in a 2xx, if it shows several of them: a page may name one, as a contact. */
function listedIn(world: World, { response }: Exchange, text: string): string | undefined {
  const isOk = response !== undefined && response.status >= 200 && response.status < 300;
  const sample = isOk ? (world.lists[0]?.sample ?? []) : [];
  const emails = sample.map((item) => textOf(members(item).email) ?? '');
  const shown = emails.filter((email) => email !== '' && text.includes(email));
  return shown.length > 1 ? shown[0] : undefined;
}

/** How long the response to a malformed request may take. Milliseconds. */
function patience({ client }: World): number {
  const answered = client.record.filter(isAnswered);
  const slowest = answered.reduce((most, { duration }) => Math.max(most, duration), 0);
  return Math.min(client.timeoutMs, Math.max(PATIENCE.leastMs, PATIENCE.times * slowest));
}
