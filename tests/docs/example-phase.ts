import type { World } from '../../src/run/world.ts';
import { broken } from '../services/broken/broken.ts';
import { variant } from '../services/variants/variant.ts';

// The code of the recipe "Add a phase" in CONTRIBUTING.md, to the letter: no part of the suite.

/** How often the first user is retrieved in a row: more often than in any other phase. */
const READS_IN_A_ROW = 20;

/** Retrieves one user many times in a row, on one connection. */
export async function readInARow(world: World): Promise<void> {
  const { client, history, ledger } = world;
  const [user] = ledger.identified;
  if (user?.identifier === undefined) return;
  const request = world.retrieval(user.identifier.segment);
  await client.onOneConnection(async (connection) => {
    for (let count = 0; count < READS_IN_A_ROW; count += 1) {
      const read = await world.readOnce(user, { ...request, connection });
      history.rereads.push({ user, read, why: 'unread' });
    }
  });
}

export const brokenServices = [
  broken('retrieve.repeatable', 'the tenth read in a row shows another name', (service) => {
    const { retrieve } = service;
    let last = '';
    let reads = 0;
    service.retrieve = (id, request) => {
      reads = id === last ? reads + 1 : 1;
      last = id;
      const user = service.find(id);
      if (user === undefined || reads < 10) return retrieve(id, request);
      return { status: 200, body: { ...user, name: 'Somebody Else' } };
    };
  }),
];

export const variants = [
  variant('retrieve-answer', 'every read shows how often the user was read', (service) => {
    const { record } = service;
    let reads = 0;
    service.record = (user) => {
      reads += 1;
      return { ...(record(user) as object), reads };
    };
  }),
];
