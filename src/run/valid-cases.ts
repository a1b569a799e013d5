import { type Creation, isAccepted, mustExist } from '../history/creation.ts';
import { isReadable, type List } from '../history/list.ts';
import type { Read } from '../history/record.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { Case } from '../requirement/case.ts';
import { NOBODY, requestsOf, type SentCase } from './case-context.ts';
import { createUser } from './create-user.ts';
import { findUser } from './find-user.ts';
import { Excluded, type World } from './world.ts';

/** Sends a valid case. Throws Excluded if it can't be made of this key, user or service. */
export function sendValidCase(world: World, one: Case): Promise<SentCase> {
  if (one.operation === 'POST /users') return create(world, one);
  return one.operation === 'GET /users' ? list(world, one) : retrieve(world, one);
}

/** Creates a user as the case says, and retrieves it. */
async function create(world: World, one: Case): Promise<SentCase> {
  const expected = one.expected ?? 'created';
  const other = one.rereadsShared ? await takeOtherUser(world) : undefined;
  const creation = await createUser(world, {
    other,
    name: one.name,
    kind: one.user,
    expected,
    isConcurrent: one.phase === 'together',
    request: (usual, user) => {
      const request = requestsOf(world, one, user, usual, undefined)[0] as Request;
      if (expected === 'created') mustNotBeLonger(world, request, usual);
      return request;
    },
  });
  const read = isAccepted(creation) ? await findUser(world, creation) : undefined;
  const shared = one.rereadsShared ? await rereadShared(world, other) : undefined;
  return {
    exchange: creation.exchange as Exchange,
    creation: world.ledger.creations.indexOf(creation),
    ...(read && { read }),
    ...(shared && { usual: shared, of: world.ledger.creations.indexOf(other as Creation) }),
  };
}

/**
 * Takes a user with whom another one may share something: not one of the first, who are read again at the end. Creates
 * one if there is none.
 */
async function takeOtherUser(world: World): Promise<Creation | undefined> {
  const { ledger, sharedUsers } = world;
  const plain = ledger.identified.filter(({ expected }) => expected === 'created').slice(2);
  const other = plain.find((creation) => !sharedUsers.has(creation)) ?? (await createUser(world));
  sharedUsers.add(other);
  if (other.identifier === undefined && isAccepted(other)) await findUser(world, other);
  return other.identifier && other;
}

/** Retrieves the user with whom the new one shares something again. */
async function rereadShared(world: World, other: Creation | undefined): Promise<Read | undefined> {
  const segment = other?.identifier?.segment;
  return other && segment !== undefined
    ? world.retrieve(other, world.retrieval(segment))
    : undefined;
}

/** Throws Excluded if a body is longer than usual and than any that was accepted: a service may limit its size. */
function mustNotBeLonger({ ledger }: World, { body = '' }: Request, usual: Request): void {
  const accepted = ledger.creations.filter(isAccepted).map(({ exchange }) => exchange?.request);
  const longest = Math.max(...[usual, ...accepted].map((request) => request?.body?.length ?? 0));
  if (body.length > longest)
    throw new Excluded('its body is longer than any that the service has accepted');
}

/** Fetches the list as the case says, again while it counts fewer users than there must be. */
async function list(world: World, one: Case): Promise<SentCase> {
  const usual = world.lists.filter((found) => !found.isRewritten && isReadable(found));
  const made = world.ledger.creations.filter(mustExist).length;
  const least = Math.max(0, (usual[0]?.total ?? 0) + made, ...usual.map(({ total }) => total));
  const [request] = requestsOf(world, one, NOBODY, world.listing(), undefined);
  const fetch = async (): Promise<List> => {
    const found = await world.fetchList(request);
    found.isRewritten = true;
    return found;
  };
  const isDone = (found: List) => !isReadable(found) || found.total >= least;
  const found = await world.until(fetch, isDone, world.ledger.lastEnd());
  return { exchange: found.exchange, list: world.lists.indexOf(found) };
}

/** Retrieves the first user as the case says. */
async function retrieve(world: World, one: Case): Promise<SentCase> {
  const [creation] = world.ledger.identified;
  if (creation?.identifier === undefined) throw new Excluded('no user could be retrieved');
  const usual = world.retrieval(creation.identifier.segment);
  const [request] = requestsOf(world, one, creation.user, usual, creation);
  const read = await world.retrieve(creation, request as Request);
  return { exchange: read.exchange, read, of: world.ledger.creations.indexOf(creation) };
}
