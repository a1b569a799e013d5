import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { refresh } from '../../bin/build.mjs';
import { createService } from '../../reference/service.ts';
import { makeClient } from '../../src/http/client.ts';
import { isAborted } from '../../src/http/exchange.ts';
import { KEY } from '../../src/http/key.ts';
import { judgeAll } from '../run.ts';
import { certificate } from '../services/certificate.ts';
import { startWorkers } from '../services/workers.ts';

/**
 * The reference in another thread. It handles one request at a time, in some milliseconds each,
 * behind a queue of five connections, like Python's standard library. TCP retries further
 * connections after one second, three and seven.
 */
const SERVICE = `
  const { parentPort } = require('node:worker_threads');
  const { createServer } = require('node:http');
  import(${JSON.stringify(new URL('../../dist/reference/service.js', import.meta.url).href)}).then(({ createService }) => {
    const answer = createService('s3cret-Key-of-8', [{ email: 'ada@example.org', name: 'Ada Lovelace' }]);
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const server = createServer((request, response) => {
      // Blocks the thread for 4 ms.
      Atomics.wait(cell, 0, 0, 4);
      answer(request, response);
    });
    server.listen({ port: 0, host: '127.0.0.1', backlog: 5 }, () => parentPort.postMessage(server.address().port));
  });`;

test.concurrent('a service whose queue of connections holds five gets few requests at once, and is conformant', async () => {
  await refresh();
  const service = new Worker(SERVICE, { eval: true });
  try {
    const port = await new Promise((resolve) => service.once('message', resolve));
    const target = { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 's3cret-Key-of-8' };
    // Less than the time of the third TCP retry.
    const run = await judgeAll(target, { timeoutMs: 5000 });
    expect(run.notPassed()).toEqual([]);
    expect(run.tally.observations['requests at once']).toEqual([expect.stringMatching(/^few: /)]);
  } finally {
    await service.terminate();
  }
});

test.concurrent('a service whose first connection takes half of the timeout is judged', async () => {
  const apiKey = 's3cret-Key-of-8';
  const { private: key, cert } = await certificate(-1, 2);
  const service = createTlsServer({ key, cert }, createService(apiKey));
  let wait = 3000;
  const inFront = createServer((socket) => {
    setTimeout(() => service.emit('connection', socket), wait);
    wait = 0;
  });
  await new Promise<void>((listening) => inFront.listen(0, '127.0.0.1', listening));
  const baseUrl = `https://localhost:${(inFront.address() as AddressInfo).port}/v1`;
  try {
    const run = await judgeAll(
      { baseUrl, apiKey, tls: { ca: cert } },
      { timeoutMs: 6000 },
      { only: ['list.answers'] },
    );
    expect(run.notPassed()).toEqual([]);
  } finally {
    inFront.close();
    service.closeAllConnections();
  }
});

test.for([2, 4, 10])(
  'a service that closes connections beyond %s at once is conformant',
  async (most) => {
    const apiKey = 's3cret-Key-of-8';
    const service = createHttpServer(
      createService(apiKey, [{ email: 'ada@example.org', name: 'Ada Lovelace' }]),
    );
    service.maxConnections = most;
    await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
    const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`;
    try {
      const run = await judgeAll({ baseUrl, apiKey });
      expect(run.notPassed()).toEqual([]);
      expect(run.tally.observations['requests at once']).toEqual([
        'few: connections beyond a few are closed',
      ]);
    } finally {
      service.close();
      service.closeAllConnections();
    }
  },
);

test('a slow service, or one with idle connections, is not taken for a service with few workers', async () => {
  const apiKey = 's3cret-Key-of-8';
  const handler = createService(apiKey, [{ email: 'ada@example.org', name: 'Ada Lovelace' }]);
  const service = createHttpServer((request, response) => {
    // Longer than a quick response, and shorter than the silence of a service with few workers.
    setTimeout(() => handler(request, response), request.method === 'POST' ? 170 : 0);
  });
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
  const client = makeClient(
    { baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`, apiKey },
    { timeoutMs: 20_000, deadlineMs: 60_000, bodyLimit: 1e6 },
  );
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'zoe@example.com', name: 'Zoë Ångström' });
  const list = { method: 'GET', path: '/v1/users', headers } as const;
  const creation = { ...list, method: 'POST', body } as const;
  try {
    for (const framing of [undefined, undefined, 'bytes', 'bytes', undefined] as const) {
      // The connection of the list is idle during the creation.
      await client.send(list, 'record');
      await client.send({ ...creation, ...(framing && { framing }) }, 'record');
    }
    expect(client.pace.whyFew).toBeUndefined();
  } finally {
    await client.close();
    service.close();
  }
});

const prefork = [
  { workers: 1, isStubborn: false },
  { workers: 1, isStubborn: true },
  { workers: 2, isStubborn: false },
  { workers: 4, isStubborn: true },
  { workers: 5, isStubborn: false },
];

test.for(prefork)(
  '$workers workers that keep their connections longer than a request may take are conformant (even where asked to close them: $isStubborn)',
  async (options) => {
    const apiKey = 's3cret-Key-of-8';
    const handler = createService(apiKey, [{ email: 'ada@example.org', name: 'Ada Lovelace' }]);
    const service = await startWorkers(handler, { ...options, keepMs: 180_000, apiKey });
    try {
      const run = await judgeAll(service);
      expect(run.notPassed()).toEqual([]);
      const failed = run.record.filter(({ lost, failure }) => lost || failure);
      // A request that the suite aborts gets no response.
      const unexpected = failed.filter(({ request }) => !isAborted(request));
      const texts = unexpected.map(
        ({ request: { method, path, framing }, failure }) =>
          `${method} ${path} (${framing}): ${failure}`,
      );
      expect(texts.join('\n')).toBe('');
    } finally {
      await service.close();
    }
  },
);
