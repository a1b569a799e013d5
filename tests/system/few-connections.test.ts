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
 * The reference in a thread of its own, one request after the other, some milliseconds each, behind a queue that holds
 * five connections, as that of Python's standard library does: what does not fit into it is left to TCP, which tries
 * again after one second, three and seven.
 */
const SERVICE = `
  const { parentPort } = require('node:worker_threads');
  const { createServer } = require('node:http');
  import(${JSON.stringify(new URL('../../dist/reference/service.js', import.meta.url).href)}).then(({ createService }) => {
    const answer = createService('s3cret-Key-of-8', [{ email: 'ada@example.org', name: 'Ada Lovelace' }]);
    const forNothing = new Int32Array(new SharedArrayBuffer(4));
    const server = createServer((request, response) => {
      Atomics.wait(forNothing, 0, 0, 4);
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
    // Less than the time after which TCP tries again for the third time.
    const run = await judgeAll(target, { timeoutMs: 5000 });
    expect(run.notPassed()).toEqual([]);
    expect(run.tally.observations['requests at once']).toEqual([expect.stringMatching(/^few: /)]);
  } finally {
    await service.terminate();
  }
});

test.concurrent('a service to which the first connection takes half of the time-out is judged', async () => {
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

test('a service that takes its time, or whose clients do, is not taken for one with few workers', async () => {
  const apiKey = 's3cret-Key-of-8';
  const handler = createService(apiKey, [{ email: 'ada@example.org', name: 'Ada Lovelace' }]);
  const service = createHttpServer((request, response) => {
    // Longer than what is quick, and shorter than a silence of a service that is held up.
    setTimeout(() => handler(request, response), request.method === 'POST' ? 170 : 0);
  });
  await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
  const client = makeClient(
    { baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`, apiKey },
    { timeoutMs: 20_000, deadlineMs: 60_000, bodyLimit: 1e6 },
  );
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ email: 'zoe@example.com', name: 'Zoë Ångström' });
  const [list, creation] = [
    { method: 'GET', path: '/v1/users', headers } as const,
    { method: 'POST' } as const,
  ];
  try {
    for (const framing of [undefined, undefined, 'bytes', 'bytes', undefined] as const) {
      // Its connection is kept, and idle then.
      await client.send(list, 'record');
      await client.send({ ...list, ...creation, body, ...(framing && { framing }) }, 'record');
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
      // A request that the suite gives up gets no response.
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
