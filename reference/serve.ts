import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
    const server = createServer(createService(apiKey, people));
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const close = () =>
        new Promise<void>((closed) => {
          server.close(() => closed());
          server.closeAllConnections();
        });
      resolve({ baseUrl, close });
    });
  });
}
