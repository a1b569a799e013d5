import { type Creation, isAccepted, mustExist } from '../history/creation.ts';
import { isReadable, type List } from '../history/list.ts';
import type { Read } from '../history/record.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { Case } from '../requirement/case.ts';
import { type BareResult, requestsOf } from './case-context.ts';
import { createUser } from './create-user.ts';
import { findUser } from './find-user.ts';
import type { SendOptions } from './negative-cases.ts';
import { NO_USER } from './users.ts';
import { ExcludedError, isStaleAfterRejection, type World } from './world.ts';

/** Sends a valid case. Throws ExcludedError if this key, user or service has no such variation. */
export function sendValidCase(
  world: World,
  testCase: Case,
  options: SendOptions,
): Promise<BareResult> {
  if (testCase.operation === 'POST /users') return create(world, testCase, options);
  if (testCase.operation === 'GET /users') return list(world, testCase);
  return retrieve(world, testCase);
}

/** Creates the user of a case, a new one or the same as before, and retrieves the user. */
async function create(
  world: World,
  testCase: Case,
  { user: sameUser, connection }: SendOptions,
): Promise<BareResult> {
  const { name, user: kind, expected = 'created', phase, rereadsShared } = testCase;
  const sharer = rereadsShared ? await takeSharer(world) : undefined;
  const creation = await createUser(world, {
    other: sharer,
    user: sameUser,
    name,
    kind,
    expected,
    isConcurrent: phase === 'together',
    request: (usual, user) => {
      const [request] = requestsOf(world, testCase, user, usual, undefined) as [Request];
      if (expected === 'created') limitBody(world, request, usual);
      return connection ? { ...request, connection } : request;
    },
  });
  const read = isAccepted(creation) ? await findUser(world, creation) : undefined;
  const sharerRead = sharer && (await retrieveAgain(world, sharer, creation));
  return {
    exchange: creation.exchange as Exchange,
    creation,
    ...(read && { read }),
    ...(sharer && sharerRead && { usual: sharerRead, user: sharer }),
  };
}

/**
 * Takes a user whose email or name a new user will share. Skips the first users, because they are
 * retrieved again at the end. Creates a user if there is none.
 */
async function takeSharer(world: World): Promise<Creation | undefined> {
  const { ledger, sharedUsers } = world;
  const valid = ledger.identified.filter(({ expected }) => expected === 'created');
  const unshared = valid.slice(2).find((creation) => !sharedUsers.has(creation));
  const sharer = unshared ?? (await createUser(world));
  sharedUsers.add(sharer);
  if (sharer.identifier === undefined && isAccepted(sharer)) await findUser(world, sharer);
  return sharer.identifier && sharer;
}

/**
 * Throws ExcludedError if a body is longer than usual and than any that was accepted, because a
 * service may limit its size.
 */
function limitBody({ ledger }: World, request: Request, usual: Request): void {
  const accepted = ledger.creations.filter(isAccepted);
  const requests = [usual, ...accepted.map(({ exchange }) => exchange?.request)];
  const longest = Math.max(...requests.map((sent) => sent?.body?.length ?? 0));
  const length = request.body?.length ?? 0;
  if (length > longest) {
    throw new ExcludedError('its body is longer than any that the service has accepted');
  }
}

/** Retrieves the user whose email or name the new user shares. */
async function retrieveAgain(
  world: World,
  sharer: Creation,
  { response }: Creation,
): Promise<Read | undefined> {
  const { identifier } = sharer;
  if (identifier === undefined) return undefined;
  const request = world.retrieval(identifier.segment);
  if (response !== 'rejected') return world.retrieve(sharer, request);
  return world.retrieve(sharer, request, isStaleAfterRejection);
}

/** Sends the list request of a case, again while the list counts fewer users than must exist. */
async function list(world: World, testCase: Case): Promise<BareResult> {
  const [request] = requestsOf(world, testCase, NO_USER, world.listing(), undefined);
  const least = leastTotal(world);
  const fetch = async (): Promise<List> => {
    const rewritten = await world.fetchList(request);
    rewritten.isRewritten = true;
    return rewritten;
  };
  const isDone = (latest: List) => !isReadable(latest) || latest.total >= least;
  const last = await world.until(fetch, isDone, world.ledger.lastEnd());
  return { exchange: last.exchange, list: last };
}

/** Returns the least total that a list must have by the lists and the creations so far. */
function leastTotal({ ledger, lists }: World): number {
  const usual = lists.filter((fetched) => !fetched.isRewritten && isReadable(fetched));
  const created = ledger.creations.filter(mustExist).length;
  const expected = (usual[0]?.total ?? 0) + created;
  return Math.max(0, expected, ...usual.map(({ total }) => total));
}

/** Sends the retrieval of a case, for the first user. */
async function retrieve(world: World, testCase: Case): Promise<BareResult> {
  const [creation] = world.ledger.identified;
  if (creation?.identifier === undefined) throw new ExcludedError('no user could be retrieved');
  const usual = world.retrieval(creation.identifier.segment);
  const [request] = requestsOf(world, testCase, creation.user, usual, creation) as [Request];
  const read = await world.retrieve(creation, request);
  return { exchange: read.exchange, read, user: creation };
}
