import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { listen, type Running } from './listen.ts';

export const API_KEY = 'hostile-target-key';

/** A target on bare sockets: `serve` gets each connection as soon as it has sent something. */
export function onSockets(serve: (socket: Socket, asked: string) => void): () => Promise<Running> {
  return async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
      socket.once('data', (asked) => serve(socket, `${asked}`));
    });
    const closeAllConnections = () => {
      for (const socket of sockets) socket.destroy();
    };
    return listen(Object.assign(server, { closeAllConnections }), '/v1', API_KEY);
  };
}

export const saying = (text: string | Buffer) => onSockets((socket) => socket.end(text));
export const head = (lines: string) => `HTTP/1.1 200 OK\r\n${lines}\r\n\r\n`;

/** A target that answers every request the same way. */
export function answering(
  answer: (response: ServerResponse, count: number) => void,
): () => Promise<Running> {
  return () => {
    let count = 0;
    const server = createHttpServer((request, response) => {
      request.resume();
      count += 1;
      answer(response, count);
    });
    return listen(server, '/v1', API_KEY);
  };
}

export const same = (status: number, body?: string, headers: Record<string, string> = {}) =>
  answering((response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body),
  );

/** Writes until the other side hangs up. */
export function flood(socket: Socket, chunk: Buffer): void {
  const write = () => {
    while (socket.writable && socket.write(chunk));
    if (socket.writable) socket.once('drain', write);
  };
  write();
}
