import { describe, expect, test } from 'vitest';
import {
  closesConnection,
  GET,
  madeClient,
  neverResponds,
  POST,
  type Reply,
  responds,
} from '../../tests/made-client.ts';
import { AWAY_MS } from './client.ts';
import { RETRY_PAUSE_MS } from './pace.ts';

describe('after a lost connection', () => {
  test('a GET is sent again', async () => {
    await using made = await madeClient([closesConnection, closesConnection, responds(200)]);
    const { status, exchange } = await made.client.send(GET, 'record');
    expect(status).toBe(200);
    expect(exchange).toMatchObject({ attempts: 3, lost: 2 });
    expect(exchange).not.toHaveProperty('failure');
  });

  test('a GET is sent three times, and then the exchange has a failure', async () => {
    await using made = await madeClient([closesConnection]);
    const { status, ok, exchange } = await made.client.send(GET, 'record');
    expect({ status, ok }).toEqual({ status: 0, ok: false });
    const failure = expect.stringContaining('connection was closed');
    expect(exchange).toMatchObject({ attempts: 3, lost: 3, failure });
    expect(made.received).toHaveLength(3);
  });

  test('a POST is never sent again, because it may have been carried out', async () => {
    await using made = await madeClient([closesConnection, responds(201)]);
    const { status, exchange } = await made.client.send(POST, 'record');
    expect(status).toBe(0);
    expect(exchange).toMatchObject({ attempts: 1, lost: 1 });
    expect(made.received).toHaveLength(1);
  });
});

describe('after a gateway’s response', () => {
  test.each([502, 504])('%d, a GET is sent again', async (gatewayStatus) => {
    await using made = await madeClient([responds(gatewayStatus), responds(200)]);
    const { status, exchange } = await made.client.send(GET, 'record');
    expect(status).toBe(200);
    expect(exchange).toMatchObject({ attempts: 2, lost: 1 });
  });

  test.each([502, 504])('%d, a POST has no response and is not sent again', async (status) => {
    await using made = await madeClient([responds(status), responds(201)]);
    const answer = await made.client.send(POST, 'record');
    expect(answer).toMatchObject({ status: 0, ok: false });
    const failure = `a gateway responded ${status} in place of the service`;
    expect(answer.exchange.failure).toBe(failure);
    expect(answer.exchange.response?.status).toBe(status);
    expect(made.received.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });
});

describe('after a response that asks to retry later', () => {
  test.each([
    { status: 429, request: GET },
    { status: 429, request: POST },
    { status: 503, request: GET },
  ])('$status, a $request.method is sent again after a pause', async ({ status, request }) => {
    await using made = await madeClient([
      responds(status),
      responds(status, { 'retry-after': '2' }),
      responds(200),
    ]);
    const answer = await made.client.send(request, 'record');
    expect(answer.status).toBe(200);
    expect(answer.exchange).toMatchObject({ attempts: 3 });
    expect(answer.exchange).not.toHaveProperty('lost');
    expect(made.clock.pauses).toEqual([RETRY_PAUSE_MS, 2000]);
  });

  test('503, a request to another path is not sent again', async () => {
    await using made = await madeClient([responds(503), responds(200)]);
    made.client.isElsewhere = ({ path }) => path === GET.path;
    const answer = await made.client.send(GET, 'record');
    expect(answer).toMatchObject({ status: 503, exchange: { elsewhere: true, attempts: 1 } });
    expect(made.clock.pauses).toEqual([]);
  });

  test('503, a POST is not sent again, because it may have been carried out', async () => {
    await using made = await madeClient([responds(503), responds(201)]);
    const { status, exchange } = await made.client.send(POST, 'record');
    expect(status).toBe(503);
    expect(exchange.attempts).toBe(1);
    expect(made.received).toHaveLength(1);
  });

  test('429, nothing more is sent if the retry is due much later', async () => {
    const throttles = responds(429, { 'retry-after': '86400' });
    await using made = await madeClient([responds(200), throttles, responds(200)]);
    await made.client.send(GET, 'record');
    const { status, exchange } = await made.client.send(GET, 'record');
    expect(status).toBe(0);
    expect(exchange.failure).toContain('429 and locks the suite out for 86400 s');
    const next = await made.client.send(GET, 'record');
    expect(next.exchange).toMatchObject({ attempts: 0, failure: exchange.failure });
    expect(made.received).toHaveLength(2);
  });
});

describe('a target that stops responding', () => {
  test('is given up at once if it never responded', async () => {
    await using made = await madeClient([closesConnection]);
    const { exchange } = await made.client.send(POST, 'record');
    const next = await made.client.send(GET, 'record');
    expect(next.exchange).toMatchObject({ attempts: 0, failure: exchange.failure });
  });

  test('is given up after several probes without a response', async () => {
    await using made = await madeClient([responds(200), closesConnection]);
    await made.client.send(GET, 'record');
    made.clock.advance(10);
    const lost = await made.client.send(POST, 'record');
    expect(lost.exchange.attempts).toBe(1);
    const next = await made.client.send(GET, 'record');
    expect(next.exchange.attempts).toBe(0);
    const pausedMs = made.clock.pauses.reduce((sum, pause) => sum + pause, 0);
    expect(pausedMs).toBeGreaterThanOrEqual(AWAY_MS);
    expect(made.client.presence.outages).toEqual([]);
  });

  test('gets a lost GET again when it is back', async () => {
    const losses = Array.from({ length: 6 }, () => closesConnection);
    await using made = await madeClient([responds(200), ...losses, responds(200)]);
    await made.client.send(GET, 'record');
    made.clock.advance(10);
    expect((await made.client.send(GET, 'record')).status).toBe(200);
    expect(made.client.presence.outages).toHaveLength(1);
  });

  test('is given up without a pause if its process has ended', async () => {
    await using made = await madeClient([responds(200), closesConnection]);
    made.client.isOver = () => true;
    await made.client.send(GET, 'record');
    made.clock.advance(10);
    await made.client.send(POST, 'record');
    expect(made.clock.pauses).toEqual([]);
    expect((await made.client.send(GET, 'record')).exchange.attempts).toBe(0);
  });

  test('is not given up if it responds to every probe', async () => {
    const replies = Array.from({ length: 4 }, () => [closesConnection, responds(200)]).flat();
    await using made = await madeClient([responds(200), ...replies]);
    for (let times = 0; times < 9; times += 1) {
      made.clock.advance(10);
      expect((await made.client.send(POST, 'record')).exchange.attempts).toBe(1);
    }
  });

  test('is not given up after the timeout of a single request', async () => {
    const replies = [responds(200), neverResponds, responds(200)];
    await using made = await madeClient(replies, { timeoutMs: 400 });
    await made.client.send(GET, 'record');
    made.clock.advance(10);
    const { exchange } = await made.client.send(POST, 'record');
    const failure = expect.stringContaining('no complete response within 400 ms');
    expect(exchange).toMatchObject({ attempts: 1, failure });
    expect((await made.client.send(GET, 'record')).status).toBe(200);
  });

  test.each([
    { responses: 1, ms: 400 },
    { responses: 30, ms: 20 },
  ])(
    'is not silent if its process is blocked: $responses responses of $ms ms',
    async ({ responses, ms }) => {
      const blocks: Reply = (response, request) => {
        responds(200)(response, request);
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      };
      await using made = await madeClient([blocks], { timeoutMs: 200 });
      const requests = Array.from({ length: responses }, () => made.client.send(POST, 'record'));
      const answers = await Promise.all(requests);
      expect(answers.filter(({ exchange }) => exchange.failure !== undefined)).toEqual([]);
    },
  );
});
