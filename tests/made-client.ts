import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Client, makeClient } from '../src/http/client.ts';
import type { Request } from '../src/http/exchange.ts';
import { KEY } from '../src/http/key.ts';
import { type MadeClock, madeClock } from './made-clock.ts';
import { listen } from './services/listen.ts';

export const API_KEY = 'k3y-of-the-client';

export const GET: Request = {
  method: 'GET',
  path: '/v1/users',
  headers: { authorization: `Bearer ${KEY}` },
};

export const POST: Request = {
  ...GET,
  method: 'POST',
  headers: { ...GET.headers, 'content-type': 'application/json' },
  body: '{}',
};

/** The reaction of a target to one request. */
export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export const responds =
  (status: number, headers = {}, body = '{}'): Reply =>
  (response) =>
    response.writeHead(status, headers).end(body);

export const closesConnection: Reply = (response) => response.destroy();

export const neverResponds: Reply = () => {};

/** A client and the requests that its target received. */
export interface MadeClient extends AsyncDisposable {
  client: Client;
  received: IncomingMessage[];
  clock: MadeClock;
}

/** Makes a client of a target that gives these replies in turn, the last one again and again. */
export async function madeClient(
  replies: Reply[],
  settings: { timeoutMs?: number; bodyLimit?: number } = {},
): Promise<MadeClient> {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const reply = replies[received.length] ?? replies.at(-1);
    received.push(request);
    request.resume();
    reply?.(response, request);
  });
  const service = await listen(server, '/v1', API_KEY);
  const clock = madeClock();
  const client = makeClient(service, {
    timeoutMs: 5000,
    deadlineMs: 60_000,
    bodyLimit: 1e6,
    clock,
    ...settings,
  });
  const close = async () => {
    await client.close();
    await service.close();
  };
  return { client, received, clock, [Symbol.asyncDispose]: close };
}
