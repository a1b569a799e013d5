import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listen } from '../../tests/services/listen.ts';
import { clientTo } from './client.ts';
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

/** Sends a burst to a service that answers at once; says what came in, in order. */
async function burstOf(requests: Request[], refuses: Request['method'][] = []): Promise<string[]> {
  const came: string[] = [];
  const service = await listen(
    createServer((request, response) => {
      came.push(`${request.method} head`);
      if (refuses.includes(request.method as Request['method'])) response.destroy();
      request.on('data', () => {});
      request.on('end', () => {
        came.push(`${request.method} end`);
        response.end('{}');
      });
    }),
    '/v1',
    'k3y-of-the-client',
  );
  const client = clientTo(service, SETTINGS);
  try {
    await Promise.all(
      client.inBurst(() => requests.map((request) => client.send(request, 'record'))),
    );
    return came;
  } finally {
    await client.close();
    await service.close();
  }
}

test('of a burst nothing is complete before all of it is there', async () => {
  const came = await burstOf([...Array.from({ length: 20 }, () => POST), GET]);
  expect(came.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 'POST head'));
  expect(came.filter((one) => one.endsWith('end'))).toHaveLength(21);
});

test('what fails keeps the others waiting for no longer than they must', async () => {
  const came = await burstOf([POST, POST, GET], ['POST']);
  expect(came).toContain('GET end');
});
