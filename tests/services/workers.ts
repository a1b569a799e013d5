import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { listen, type Running } from './listen.ts';

interface Options {
  workers: number;
  /** Milliseconds for which a worker waits for the next request on a connection. */
  keepMs: number;
  /** Whether a worker waits even if the client asked to close the connection. */
  isStubborn?: boolean;
  apiKey: string;
}

/**
 * Starts a prefork server. Each worker serves one connection until the client closes it or it was
 * idle for `keepMs`. Further connections are accepted, but get no response until a worker is free.
 */
export async function startWorkers(
  handler: RequestListener,
  { workers, keepMs, isStubborn = false, apiKey }: Options,
): Promise<Running> {
  const inWorker = createServer({ keepAliveTimeout: keepMs }, (request, response) => {
    if (isStubborn)
      Object.defineProperty(response, 'shouldKeepAlive', { get: () => true, set: () => {} });
    handler(request, response);
  });
  const waiting: Socket[] = [];
  let busy = 0;
  const next = () => {
    while (busy < workers && waiting.length > 0) {
      const socket = waiting.shift() as Socket;
      busy += 1;
      socket.once('close', () => {
        busy -= 1;
        next();
      });
      inWorker.emit('connection', socket);
      socket.resume();
    }
  };
  const sockets = new Set<Socket>();
  const server = createSocketServer({ pauseOnConnect: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    waiting.push(socket);
    next();
  });
  const closeAllConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  return listen(Object.assign(server, { closeAllConnections }), '/v1', apiKey);
}
