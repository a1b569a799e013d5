import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { createService, type NewUser } from './service.ts';

/**
 * Serves the reference service on a loopback port (0: one that is free).
 * Returns its base address and a function that ends it. Rejects when the port is taken.
 */
export function serveReference(
  apiKey: string,
  { port = 0, people = [] }: { port?: number; people?: NewUser[] } = {},
): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: createService(apiKey, people).fetch, port, hostname: '127.0.0.1' });
    server.once('error', reject);
    server.once('listening', () => {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          if ('closeAllConnections' in server) server.closeAllConnections();
        });
      resolve({ baseUrl, close });
    });
  });
}
