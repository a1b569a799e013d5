import type { Creation } from '../history/creation.ts';
import type { CaseResult } from '../history/history.ts';
import { isLong } from '../history/list.ts';
import { type Read, showsOnlyUser } from '../history/record.ts';
import type { Request } from '../http/exchange.ts';
import { createUser } from './create-user.ts';
import { type PlannedCase, send, sendFailingAgain, sendUsual } from './runner.ts';
import type { World } from './world.ts';

/** Lists that are fetched while users are created. */
const LISTS_BESIDE = 3;

/** Reads at the same moment: of two users in turn, and of all others. */
const READS = 12;

/** Requests in the mixed burst. */
const MIXED = { reads: 6, lists: 2, unauthorized: 2 };

/** Creates users at the same moment, with lists beside them, and retrieves each. */
export async function createTogether(world: World, planned: readonly PlannedCase[]): Promise<void> {
  const lists = isLong(world.lists[0]) ? 0 : LISTS_BESIDE;
  const started = world.client.inBurst(() => [
    Promise.all(planned.map((one) => send(world, one))),
    Promise.all(Array.from({ length: lists }, () => world.fetchList())),
  ]) as [Promise<(CaseResult | undefined)[]>, Promise<unknown>];
  const [sent] = await Promise.all(started);
  await sendFailingAgain(world, planned, sent);
}

/** Retrieves known users at the same moment; a response that is wrong is repeated alone. */
export async function readTogether(world: World): Promise<void> {
  const known = world.ledger.identified;
  if (known.length === 0) return;
  const chosen = Array.from({ length: READS }, (_, at) => known[at % known.length] as Creation);
  await readAtOnce(world, chosen, () => []);
}

/** Retrieves users at the same moment as other requests. */
async function readAtOnce(
  world: World,
  chosen: readonly Creation[],
  beside: () => Promise<unknown>[],
): Promise<void> {
  const request = (creation: Creation) => world.retrieval(creation.identifier?.segment ?? '');
  const started = world.client.inBurst(() => [
    Promise.all(chosen.map((creation) => world.readOnce(creation, request(creation)))),
    Promise.all(beside()),
  ]) as [Promise<Read[]>, Promise<unknown>];
  const [reads] = await Promise.all(started);
  for (const [index, read] of reads.entries()) {
    const creation = chosen[index] as Creation;
    const of = world.ledger.creations.indexOf(creation);
    if (world.mayBeStale(read)) continue;
    if (showsOnlyUser(read)) {
      world.history.rereads.push({ of, read, why: 'concurrent', concurrent: read });
      continue;
    }
    const alone = await world.retrieve(creation, request(creation));
    world.history.rereads.push({ of, read: alone, why: 'concurrent', concurrent: read });
  }
}

/**
 * Lists, a creation, an invalid one, reads, and requests without a key, all at the same moment: no decision is kept for
 * another.
 */
export async function mix(world: World): Promise<void> {
  const known = world.ledger.identified;
  const { readOnly } = world.settings;
  const chosen = Array.from(
    { length: known.length > 0 ? MIXED.reads : 0 },
    (_, at) => known[at % known.length] as Creation,
  );
  const times = (count: number, start: () => Promise<unknown>) =>
    Array.from({ length: count }, start);
  let creation: Creation | undefined;
  await readAtOnce(world, chosen, () => [
    ...times(isLong(world.lists[0]) ? 0 : MIXED.lists, () => world.fetchList()),
    ...times(readOnly ? 0 : 1, async () => {
      creation = await createUser(world, { isConcurrent: true });
    }),
    ...times(readOnly ? 0 : 1, () => createInvalid(world)),
    ...unauthorizedRequests(world).flatMap((request) =>
      times(MIXED.unauthorized, () => sendUnauthorized(world, request)),
    ),
  ]);
  if (creation?.response === 'rejected') await sendUsual(world, 'POST /users');
}

const createInvalid = (world: World): Promise<Creation> =>
  createUser(world, {
    name: 'neither email nor name, among other requests',
    expected: 'rejected',
    isConcurrent: true,
    request: (usual) => ({ ...usual, body: '{}' }),
  });

/** The reads of the burst without the key and with a wrong one: a response in flight is for its own client alone. */
function unauthorizedRequests(world: World): Request[] {
  const identifier = world.ledger.identified[0]?.identifier;
  const reads = [
    ...(isLong(world.lists[0]) && identifier ? [] : [world.listing()]),
    ...(identifier ? [world.retrieval(identifier.segment)] : []),
  ];
  return reads.flatMap((read) => {
    const { authorization: _, ...headers } = read.headers;
    const wrong = `Bearer ${world.client.secrets.wrongKey}`;
    return [
      { ...read, headers },
      { ...read, headers: { ...headers, authorization: wrong } },
    ];
  });
}

async function sendUnauthorized(world: World, request: Request): Promise<void> {
  const { exchange } = await world.send(request, 'text');
  world.history.unauthorized.push(exchange);
}
