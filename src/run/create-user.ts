import type { Creation, Expected, NewUser } from '../history/creation.ts';
import { readUser } from '../history/read-user.ts';
import { compactRecord, type Read, showsUser } from '../history/record.ts';
import { type Answer, type Exchange, isLane, isTelling, type Request } from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { isObject } from '../http/value.ts';
import type { UserKind } from '../requirement/case.ts';
import { candidatesOf } from './identifier.ts';
import type { World } from './world.ts';

/** How often a creation is tried, each time with another user, while 503s do not tell: the pauses are three seconds. */
const TRIES_AFTER_503 = 6;

/** How often it is tried if there is no response, or none in time. */
const TRIES = 4;
const TRIES_AFTER_TIMEOUT = 2;

/** How a user is created. */
export interface CreateOptions {
  /** The case that the creation belongs to. */
  name?: string;
  kind?: UserKind | undefined;
  /** Absent: `created`. */
  expected?: Expected;
  /** The strings by which a record of the user is recognized; absent: email and name. */
  traces?: (user: NewUser, request: Request) => Partial<NewUser>;
  /** Makes the request; absent: the usual one. */
  request?: (usual: Request, user: NewUser) => Request;
  isConcurrent?: boolean;
  /** A creation without a response is returned: the caller judges it, and tries again. */
  mayBeLost?: true;
  /** The user with whom the new one shares something. */
  other?: Creation | undefined;
}

/**
 * Creates a user. If the response does not tell whether the request was carried out (none, a 503, a gateway's), another
 * user is created, because the first one may exist.
 */
export async function createUser(world: World, options: CreateOptions = {}): Promise<Creation> {
  world.mayCreate();
  const {
    name = 'a plain user',
    kind,
    expected = 'created',
    request,
    traces,
    isConcurrent,
  } = options;
  for (let tries = 1; ; tries += 1) {
    const user = world.factory.make(kind, options.other?.user);
    const usual = world.creating(user);
    const sent = request?.(usual, user) ?? usual;
    const creation: Creation = {
      name,
      expected,
      user,
      traces: traces?.(user, sent) ?? user,
      reads: [],
      ...(isConcurrent && { isConcurrent }),
    };
    // The last try takes no chance with a connection that may just be closed.
    const { exchange } = await sendCreation(
      world,
      creation,
      tries < TRIES || isLane(sent.connection) ? sent : { ...sent, connection: 'new' },
    );
    const isLost = options.mayBeLost && exchange.response === undefined;
    const isLast = isLost || exchange.attempts === 0 || tries >= mostTries(exchange);
    if (creation.response !== 'unknown' || isLast) return creation;
  }
}

/** Enters a creation and sends it. */
export async function sendCreation(
  world: World,
  creation: Creation,
  request: Request,
  patienceMs?: number,
): Promise<Answer> {
  world.mayCreate();
  world.ledger.add(creation);
  const answer = await world.send(request, 'record', patienceMs);
  const { exchange, ok, json, status } = answer;
  if (creation.expected === 'created') exchange.isValid = true;
  creation.exchange = exchange;
  creation.response = !isTelling(exchange) ? 'unknown' : ok ? 'accepted' : 'rejected';
  if (!ok) return answer;
  const { record } = readUser(answer, creation, world.ledger);
  if (status !== 202) creation.shown = record ?? (isObject(json) ? compactRecord(json) : {});
  world.candidates.set(creation, world.sendable(candidatesOf(exchange, json)));
  if (creation.expected === 'created') {
    world.observe('create status', `${status}`);
    world.observe('create response', describeCreated(exchange, creation, record));
  }
  return answer;
}

function mostTries({ response, failure }: Exchange): number {
  if (response?.status === 503) return TRIES_AFTER_503;
  return isSilent(failure) ? TRIES_AFTER_TIMEOUT : TRIES;
}

function describeCreated(
  { response }: Exchange,
  { user }: Creation,
  record: Read['record'],
): string {
  if (response?.bodyBytes === 0) return 'empty';
  if (record === undefined) return 'without the user';
  return showsUser(record, user) ? 'shows the user' : 'shows other values';
}
