import { type Creation, type Expected, type NewUser, PLAIN_USER } from '../history/creation.ts';
import { readUser } from '../history/read-user.ts';
import { compactRecord, type Item, showsUser } from '../history/record.ts';
import { type Answer, type Exchange, isLane, isTelling, type Request } from '../http/exchange.ts';
import { isSilent } from '../http/failure.ts';
import { isObject } from '../http/value.ts';
import type { UserKind } from '../requirement/case.ts';
import { candidatesOf } from './identifier.ts';
import type { World } from './world.ts';

/** The user and the request of a creation. */
export interface CreateOptions {
  /** The case that the creation belongs to. */
  name?: string;
  kind?: UserKind | undefined;
  /** Absent: `created`. */
  expected?: Expected;
  /** Returns the strings by which a record of the user is recognized. Absent: email and name. */
  traces?: (user: NewUser, request: Request) => Partial<NewUser>;
  /** Makes the request. Absent: the usual one. */
  request?: (usual: Request, user: NewUser) => Request;
  isConcurrent?: boolean;
  /** Whether to return a creation without a response, because the caller judges and retries it. */
  mayBeLost?: true;
  /** The user that shares an email or a name with the new one. */
  other?: Creation | undefined;
  /** The user of the first attempt. Absent: a new one. */
  user?: NewUser | undefined;
}

/** Attempts at most, each with another user, while the response is a 503: three seconds in all. */
const TRIES_AFTER_503 = 6;

/** Attempts at most while there is no response. */
const TRIES = 4;
const TRIES_AFTER_TIMEOUT = 2;

/**
 * Creates a user. If the response does not tell whether the request was carried out (none, a 503, a
 * gateway's), creates another user, because the first one may exist.
 */
export async function createUser(world: World, options: CreateOptions = {}): Promise<Creation> {
  world.requireWritable();
  for (let tries = 1; ; tries += 1) {
    const sameUser = tries === 1 ? options.user : undefined;
    const user = sameUser ?? world.factory.make(options.kind, options.other?.user);
    const usual = world.creating(user);
    const request = options.request?.(usual, user) ?? usual;
    const creation = creationOf(user, request, options);
    // A kept connection may just be closing, so the last attempt uses a new one.
    const isOnNew = tries >= TRIES && !isLane(request.connection);
    const sent = isOnNew ? { ...request, connection: 'new' as const } : request;
    const { exchange } = await sendCreation(world, creation, sent);
    if (creation.response !== 'unknown') return creation;
    if (options.mayBeLost && exchange.response === undefined) return creation;
    if (exchange.attempts === 0 || tries >= mostTries(exchange)) return creation;
  }
}

function creationOf(user: NewUser, request: Request, options: CreateOptions): Creation {
  const { name = PLAIN_USER, expected = 'created', traces, isConcurrent } = options;
  return {
    name,
    expected,
    user,
    traces: traces?.(user, request) ?? user,
    reads: [],
    ...(isConcurrent && { isConcurrent }),
  };
}

function mostTries({ response, failure }: Exchange): number {
  if (response?.status === 503) return TRIES_AFTER_503;
  return isSilent(failure) ? TRIES_AFTER_TIMEOUT : TRIES;
}

/** Adds a creation to the ledger, and sends it. */
export async function sendCreation(
  world: World,
  creation: Creation,
  request: Request,
  patienceMs?: number,
): Promise<Answer> {
  world.requireWritable();
  world.ledger.add(creation);
  const answer = await world.send(request, 'record', patienceMs);
  const { exchange, ok, json, status } = answer;
  const isValid = creation.expected === 'created';
  if (isValid) exchange.isValid = true;
  creation.exchange = exchange;
  creation.response = responseOf(answer);
  if (!ok) return answer;
  const { record } = readUser(answer, creation, world.ledger);
  if (status !== 202) creation.shown = record ?? (isObject(json) ? compactRecord(json) : {});
  world.candidates.set(creation, world.sendable(candidatesOf(exchange, json)));
  if (isValid) {
    world.observe('create status', `${status}`);
    world.observe('create response', describeResponse(exchange, creation, record));
  }
  return answer;
}

function responseOf({ exchange, ok }: Answer): 'accepted' | 'rejected' | 'unknown' {
  if (!isTelling(exchange)) return 'unknown';
  return ok ? 'accepted' : 'rejected';
}

function describeResponse(
  { response }: Exchange,
  { user }: Creation,
  record: Item | undefined,
): string {
  if (response?.bodyBytes === 0) return 'empty';
  if (record === undefined) return 'without the user';
  return showsUser(record, user) ? 'shows the user' : 'shows other values';
}
