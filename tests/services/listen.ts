import type { AddressInfo, Server } from 'node:net';

/** A running service. */
export interface Running {
  baseUrl: string;
  apiKey: string;
  close: () => Promise<void>;
}

/**
 * Starts a server on a free loopback port. `close` also calls `stop`, which ends background work.
 */
export async function listen(
  server: Server & { closeAllConnections: () => void },
  base: string,
  apiKey: string,
  stop = () => {},
): Promise<Running> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    stop();
    return new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  };
  return { baseUrl: `http://127.0.0.1:${port}${base}`, apiKey, close };
}
