import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createService, type NewUser } from './service.ts';

/** Users who are there before the run, so that it has some to look at. */
const PEOPLE = [
  { email: 'ada@example.org', name: 'Ada Lovelace' },
  { email: 'grace@example.org', name: 'Grace Hopper' },
];

/**
 * Serves the reference service on a loopback port (0: one that is free).
 * Returns its base address and a function that ends it. Rejects when the port is taken.
 */
export async function serveReference(
  apiKey: string,
  { port = 0, people = [] }: { port?: number; people?: NewUser[] } = {},
) {
  const server = createServer(createService(apiKey, people)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close };
}

/** Starts the reference service for a run without a target. `close` ends it. */
export async function startReference() {
  const apiKey = randomBytes(24).toString('base64url');
  return { apiKey, ...(await serveReference(apiKey, { people: PEOPLE })) };
}
