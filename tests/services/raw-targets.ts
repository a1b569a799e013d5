import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { listen, type Running } from './listen.ts';

export const API_KEY = 'hostile-target-key';

/** Makes a target on plain sockets. `serve` is called with the first bytes of each connection. */
export function onSockets(
  serve: (socket: Socket, received: string) => void,
): () => Promise<Running> {
  return async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      socket.once('data', (received) => serve(socket, `${received}`));
    });
    const closeAllConnections = () => {
      for (const socket of sockets) socket.destroy();
    };
    return listen(Object.assign(server, { closeAllConnections }), '/v1', API_KEY);
  };
}

/** Makes a target that sends the same bytes on each connection, and closes it. */
export const sendsBytes = (bytes: string | Buffer) => onSockets((socket) => socket.end(bytes));

/** The status line and headers of a 200. */
export const head = (lines: string) => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;

/**
 * Makes an HTTP target that responds to every request alike; `count` is the number of the request.
 */
export function responds(
  respond: (response: ServerResponse, count: number) => void,
): () => Promise<Running> {
  return () => {
    let count = 0;
    const server = createHttpServer((request, response) => {
      request.resume();
      count += 1;
      respond(response, count);
    });
    return listen(server, '/v1', API_KEY);
  };
}

/** Makes a target that sends the same response to every request. */
export const sendsResponse = (
  status: number,
  body?: string,
  headers: Record<string, string> = {},
) =>
  responds((response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
  );

/** Writes until the client closes the connection. */
export function flood(socket: Socket, chunk: Buffer): void {
  const write = () => {
    while (socket.writable && socket.write(chunk));
    if (socket.writable) socket.once('drain', write);
  };
  write();
}
