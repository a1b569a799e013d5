import type { Creation } from '../history/creation.ts';
import { isLong } from '../history/list.ts';
import { showsOnlyUser } from '../history/record.ts';
import type { Request } from '../http/exchange.ts';
import { createUser } from './create-user.ts';
import { type PlannedCase, retryFailures, sendAndRecord } from './runner.ts';
import type { World } from './world.ts';

/** Lists that are fetched while users are created. */
const LISTS_BESIDE = 3;

/** Creates users at the same moment, with lists beside them, and retrieves each. */
export async function createTogether(world: World, planned: readonly PlannedCase[]): Promise<void> {
  const listCount = isLong(world.lists[0]) ? 0 : LISTS_BESIDE;
  const [results] = await world.client.inBurst(() => {
    const creations = Promise.all(planned.map((plan) => sendAndRecord(world, plan)));
    const lists = Promise.all(startTimes(listCount, () => world.fetchList()));
    return Promise.all([creations, lists]);
  });
  await retryFailures(world, planned, results);
}

function startTimes<T>(count: number, start: () => Promise<T>): Promise<T>[] {
  return Array.from({ length: count }, start);
}

/** Reads at the same moment, of each known user in turn. */
const READS = 12;

/** Retrieves known users at the same moment. */
export async function readTogether(world: World): Promise<void> {
  const users = takeInTurn(world.ledger.identified, READS);
  if (users.length > 0) await readInBurst(world, users, () => []);
}

/** Returns the given number of users, each in turn; none if there are no users. */
function takeInTurn(users: readonly Creation[], count: number): Creation[] {
  if (users.length === 0) return [];
  return Array.from({ length: count }, (_, index) => users[index % users.length] as Creation);
}

/**
 * Retrieves users at the same moment as other requests. If a response is wrong, sends its request
 * once more, alone.
 */
async function readInBurst(
  world: World,
  users: readonly Creation[],
  startOthers: () => Promise<unknown>[],
): Promise<void> {
  const requestFor = ({ identifier }: Creation) => world.retrieval(identifier?.segment ?? '');
  const [reads] = await world.client.inBurst(() => {
    const retrievals = users.map((user) => world.readOnce(user, requestFor(user)));
    return Promise.all([Promise.all(retrievals), Promise.all(startOthers())]);
  });
  for (const [index, concurrent] of reads.entries()) {
    if (world.mayBeStale(concurrent)) continue;
    const user = users[index] as Creation;
    const isRight = showsOnlyUser(concurrent);
    const read = isRight ? concurrent : await world.retrieve(user, requestFor(user));
    world.history.rereads.push({ user, read, why: 'concurrent', concurrent });
  }
}

/** Requests of the mixed burst. */
const MIXED = { reads: 6, lists: 2, unauthorized: 2 };

/**
 * Sends lists, a creation, an invalid one, reads, and requests without the key at the same moment:
 * a service must not apply the decision on one request to another.
 */
export async function sendMixedBurst(world: World): Promise<void> {
  const { readOnly } = world.settings;
  const users = takeInTurn(world.ledger.identified, MIXED.reads);
  const listCount = isLong(world.lists[0]) ? 0 : MIXED.lists;
  let creation: Creation | undefined;
  const create = async () => {
    creation = await createUser(world, { isConcurrent: true });
  };
  await readInBurst(world, users, () => {
    const started: Promise<unknown>[] = startTimes(listCount, () => world.fetchList());
    if (!readOnly) {
      started.push(create());
      started.push(createInvalid(world));
    }
    for (const request of unauthorizedRequests(world)) {
      started.push(...startTimes(MIXED.unauthorized, () => sendUnauthorized(world, request)));
    }
    return started;
  });
  if (creation?.response === 'rejected') await createUser(world, { user: creation.user });
}

const createInvalid = (world: World): Promise<Creation> =>
  createUser(world, {
    name: 'neither email nor name, among other requests',
    expected: 'rejected',
    isConcurrent: true,
    request: (usual) => ({ ...usual, body: '{}' }),
  });

/**
 * Returns the reads of the burst without the key and with a wrong one: a service must not share a
 * response in flight with another client.
 */
function unauthorizedRequests(world: World): Request[] {
  const identifier = world.ledger.identified[0]?.identifier;
  const reads: Request[] = [];
  if (!isLong(world.lists[0]) || identifier === undefined) reads.push(world.listing());
  if (identifier) reads.push(world.retrieval(identifier.segment));
  const wrongKey = `Bearer ${world.client.secrets.wrongKey}`;
  return reads.flatMap((read) => {
    const { authorization: _, ...headers } = read.headers;
    const withoutKey = { ...read, headers };
    const withWrongKey = { ...read, headers: { ...headers, authorization: wrongKey } };
    return [withoutKey, withWrongKey];
  });
}

async function sendUnauthorized(world: World, request: Request): Promise<void> {
  const { exchange } = await world.send(request, 'text');
  world.history.unauthorized.push(exchange);
}
