import { userListFault } from '../../schemas/user-list.ts';
import { type Creation, isAccepted, type NewUser } from '../history/creation.ts';
import type { Held } from '../history/history.ts';
import { members } from '../history/record.ts';
import {
  type Answer,
  type Connection,
  type Exchange,
  isAnswered,
  isOk,
  isSuccess,
  isTelling,
  type Request,
} from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { BEARER } from '../http/key.ts';
import { textOf } from '../http/value.ts';
import type { Case } from '../requirement/case.ts';
import {
  type BareResult,
  fixedPaths,
  requestsOf,
  targetUser,
  usualRequest,
} from './case-context.ts';
import { createUser, sendCreation } from './create-user.ts';
import { findUser } from './find-user.ts';
import { decodeSegment } from './identifier.ts';
import { findDisclosure, IDENTIFIER_OF_USER } from './unknown-users.ts';
import { NO_USER } from './users.ts';
import { ExcludedError, type World } from './world.ts';

export interface SendOptions {
  /** The connection. Absent: the usual one of the case. */
  connection?: Connection | undefined;
  /** The user of a valid creation, to send an earlier request again. Absent: a new one. */
  user?: NewUser | undefined;
}

/** Sends a negative case. Throws ExcludedError if the key, user or service has no such case. */
export function sendNegativeCase(
  world: World,
  testCase: Case,
  options: SendOptions,
): Promise<BareResult> {
  if (testCase.operation === 'POST /users') return sendInvalidCreation(world, testCase, options);
  return sendInvalidRead(world, testCase, options);
}

/** Attempts at most, each with another user, if a connection breaks or the service asks to wait. */
const TRIES = 3;

/** Sends a creation that must or may be rejected. */
async function sendInvalidCreation(
  world: World,
  testCase: Case,
  { connection }: SendOptions,
): Promise<BareResult> {
  world.requireWritable();
  for (let tries = 1; ; tries += 1) {
    const user = world.factory.make(testCase.user, world.ledger.identified[0]?.user);
    const usual = world.creating(user);
    const [request] = requestsOf(world, testCase, user, usual, undefined) as [Request];
    const creation = invalidCreation(testCase, request, user);
    let before: Exchange | undefined;
    const send = async (lane: Connection): Promise<Answer> => {
      if (testCase.before === 'usual') before = await createBefore(world, lane);
      return sendCreation(world, creation, { ...request, connection: lane }, patience(world));
    };
    if (testCase.before === 'authorized') {
      before = await sendAuthorized(world, testCase, user, request);
    }
    // Bytes that a malformed request leaves on its connection must not reach another request.
    const answer = await (connection ? send(connection) : world.client.onOneConnection(send));
    const { exchange, text } = answer;
    if (!isTelling(exchange) && mayBeClosed(testCase, exchange)) {
      throw new ExcludedError(`${exchange.failure}`);
    }
    const isRepeatable = connection === undefined && exchange.attempts > 0 && tries < TRIES;
    if (!isTelling(exchange) && !isSilent(exchange.failure) && isRepeatable) continue;
    const isMistyped = isNoString('email', request) || isNoString('name', request);
    const read = isAccepted(creation) && isMistyped ? await findUser(world, creation) : undefined;
    return {
      exchange,
      creation,
      ...leakOf(world, exchange, text),
      ...(before && { before }),
      ...(read && { read }),
    };
  }
}

function invalidCreation(
  { name, expected = 'rejected' }: Case,
  request: Request,
  user: NewUser,
): Creation {
  return { name, expected, user, traces: tracesIn(request, user), reads: [] };
}

/** Returns the strings of a user that an invalid request contains: they identify its record. */
function tracesIn(request: Request, user: NewUser): Partial<NewUser> {
  const { body = '' } = request;
  const isTraced = (member: keyof NewUser): boolean => {
    const text = user[member];
    const isSent = body.includes(text) || body.includes(JSON.stringify(text).slice(1, -1));
    // A record shows a member of another type as the service converts it.
    return isSent && !isNoString(member, request);
  };
  return {
    ...(isTraced('email') && { email: user.email }),
    ...(isTraced('name') && { name: user.name }),
  };
}

/** Whether the body of a request has a member of another type than string. */
const isNoString = (member: keyof NewUser, { body = '' }: Request): boolean =>
  new RegExp(`"${member}"\\s*:\\s*[^"\\s]`).test(body);

async function createBefore(world: World, connection: Connection): Promise<Exchange | undefined> {
  const request = (usual: Request): Request => ({ ...usual, connection });
  const creation = await createUser(world, { request });
  creation.isAfterNegative = true;
  return creation.exchange;
}

/** The response to a malformed request may take this many times as long as the slowest one. */
const PATIENCE_TIMES = 20;
const LEAST_PATIENCE_MS = 2000;

/** Returns the time that the response to a malformed request may take. Milliseconds. */
function patience({ client }: World): number {
  const { longest } = client.responseMs;
  return Math.min(client.timeoutMs, Math.max(LEAST_PATIENCE_MS, PATIENCE_TIMES * longest));
}

/** Sends the request of a case with the right key, because a cache may store the response. */
async function sendAuthorized(
  world: World,
  { name }: Case,
  user: NewUser,
  request: Request,
): Promise<Exchange> {
  const authorized = { ...request, headers: { ...request.headers, ...BEARER } };
  if (request.method === 'GET') return (await world.send(authorized)).exchange;
  const creation: Creation = { name, expected: 'either', user, traces: user, reads: [] };
  return (await sendCreation(world, creation, authorized)).exchange;
}

/** Whether a server may close the connection without a response: some do after the first one. */
function mayBeClosed({ mayBeSilent, before }: Case, { failure }: Exchange): boolean {
  if (mayBeSilent) return true;
  return before === 'usual' && failure !== undefined && !isSilent(failure);
}

/** Sends a GET that is malformed or must be rejected. */
async function sendInvalidRead(
  world: World,
  testCase: Case,
  options: SendOptions,
): Promise<BareResult> {
  const target = targetUser(world, testCase);
  const isEarly = testCase.phase === 'before users' && testCase.operation === 'GET /users/:id';
  const usual = isEarly
    ? world.retrieval('nobody')
    : usualRequest(world, testCase, NO_USER, target);
  if (usual === undefined) throw new ExcludedError('no user could be retrieved');
  const user = target?.user ?? NO_USER;
  const fixed = fixedPaths(world, testCase, usual);
  for (const request of requestsOf(world, testCase, user, usual, target)) {
    const result = await sendVariation(world, testCase, request, { ...options, target });
    if (testCase.isNobodys && !fixed.includes(request.path)) result.isDerived = true;
    const { response } = result.exchange;
    const isShown = isOk(response?.status) && response?.body.includes(user.email);
    if (testCase.observed && isShown) world.observe(...testCase.observed);
    // An identifier that belongs to a user after all proves nothing.
    if (result.holds?.text !== IDENTIFIER_OF_USER) return result;
  }
  throw new ExcludedError('every identifier of this kind belongs to a user');
}

/** Sends one of the requests of a case. */
async function sendVariation(
  world: World,
  testCase: Case,
  request: Request,
  { connection, target }: SendOptions & { target: Creation | undefined },
): Promise<BareResult> {
  const isCached = testCase.before === 'authorized';
  const before = isCached ? await sendAuthorized(world, testCase, NO_USER, request) : undefined;
  const send = (lane: Connection): Promise<Answer> =>
    world.send({ ...request, connection: lane }, 'record', patience(world));
  // Bytes that a negative request leaves on its connection must not reach another request.
  if (connection) return resultOf(world, testCase, await send(connection));
  if (testCase.before !== 'usual' || target?.identifier === undefined) {
    const result = await resultOf(world, testCase, await send('new'));
    return before ? { ...result, before } : result;
  }
  const retrieval = world.retrieval(target.identifier.segment);
  return world.client.onOneConnection(async (lane) => {
    const usual = await world.readOnce(target, { ...retrieval, connection: lane });
    const result = await resultOf(world, testCase, await send(lane));
    return { ...result, usual, before: usual.exchange };
  });
}

async function resultOf(world: World, testCase: Case, answer: Answer): Promise<BareResult> {
  const { exchange, ok, json, text } = answer;
  // Some servers close the connection after an odd header. At an address outside the interface, a
  // proxy may respond for a service that it can't find.
  if (!isTelling(exchange) && (testCase.mayBeSilent || exchange.elsewhere)) {
    throw new ExcludedError(exchange.failure ?? `the status is ${exchange.response?.status}`);
  }
  const isList = ok && userListFault(json) === undefined;
  let holds: Held | undefined;
  if (testCase.isNobodys && isAnswered(exchange)) {
    holds = await findDisclosure(world, answer, isList);
  }
  return {
    exchange,
    ...leakOf(world, exchange, text),
    ...(isList && { isList }),
    ...(holds && { holds }),
  };
}

/** Returns the email or name of a known user that a response shows and its request did not send. */
function leakOf(world: World, exchange: Exchange, text: string): { leak?: string } {
  const { request, response } = exchange;
  const path = decodeSegment(request.path) ?? request.path;
  const sent = [path, request.body, ...Object.values(request.headers)].join('\n');
  const headers = (response?.headers ?? []).map(([, value]) => value).join('\n');
  const received = `${text}\n${headers}`;
  const leak = world.ledger.leakIn(received, sent) ?? listedEmailIn(world, exchange, text);
  return leak === undefined ? {} : { leak };
}

/** Returns the email of a listed user if a 2xx shows several: a page may show one, as a contact. */
function listedEmailIn(world: World, exchange: Exchange, text: string): string | undefined {
  if (!isSuccess(exchange)) return undefined;
  const sample = world.lists[0]?.sample ?? [];
  const emails = sample.map((item) => textOf(members(item).email) ?? '');
  const shown = emails.filter((email) => email !== '' && text.includes(email));
  return shown.length > 1 ? shown[0] : undefined;
}
