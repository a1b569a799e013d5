import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from '../../tests/services/listen.ts';
import { makeClient } from './client.ts';
import type { Request } from './exchange.ts';
import { KEY } from './key.ts';

const SETTINGS = { timeoutMs: 20_000, deadlineMs: 60_000, bodyLimit: 1e6 };

const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
const POST: Request = {
  method: 'POST',
  path: '/v1/users',
  headers,
  body: '{"email":"a@example.com"}',
};
const GET: Request = { method: 'GET', path: '/v1/users', headers };

/**
 * Sends a burst to a service that responds at once, or closes the connections of a method. Returns
 * the heads and ends of requests in the order in which the service received them.
 */
async function sendBurst(requests: Request[], closedMethod?: Request['method']): Promise<string[]> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} head`);
    if (request.method === closedMethod) response.destroy();
    request.on('data', () => {});
    request.on('end', () => {
      received.push(`${request.method} end`);
      response.end('{}');
    });
  });
  const service = await listen(server, '/v1', 'k3y-of-the-client');
  const client = makeClient(service, SETTINGS);
  const sendAll = () => requests.map((request) => client.send(request, 'record'));
  try {
    await Promise.all(client.inBurst(sendAll));
    return received;
  } finally {
    await client.close();
    await service.close();
  }
}

test('a service receives the heads of a burst before the end of any request', async () => {
  const posts = Array.from({ length: 20 }, () => POST);
  const received = await sendBurst([...posts, GET]);
  expect(received.slice(0, 20)).toEqual(posts.map(() => 'POST head'));
  expect(received.filter((event) => event.endsWith('end'))).toHaveLength(21);
});

test('a request of a burst is sent although others fail', async () => {
  const received = await sendBurst([POST, POST, GET], 'POST');
  expect(received).toContain('GET end');
});
