import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { madeClock } from '../../tests/made-clock.ts';
import { listen } from '../../tests/services/listen.ts';
import { AWAY_MS, clientTo } from './client.ts';
import { Ended } from './deadline.ts';
import type { Request } from './exchange.ts';
import { KEY } from './key.ts';
import { RETRY_PAUSE_MS } from './pace.ts';
import { RECORD_LIMIT } from './response.ts';

type Reply = (response: ServerResponse, request: IncomingMessage) => void;

const says =
  (status: number, headers = {}, body = '{}'): Reply =>
  (response) =>
    response.writeHead(status, headers).end(body);
const hangsUp: Reply = (response) => response.destroy();
const isSilent: Reply = () => {};

const GET: Request = {
  method: 'GET',
  path: '/v1/users',
  headers: { authorization: `Bearer ${KEY}` },
};
const POST: Request = {
  ...GET,
  method: 'POST',
  headers: { ...GET.headers, 'content-type': 'application/json' },
  body: '{}',
};

/** A client of a target that gives these replies in turn, the last one again and again. */
async function clientOf(replies: Reply[], limits: { timeoutMs?: number; bodyLimit?: number } = {}) {
  const asked: IncomingMessage[] = [];
  const service = await listen(
    createServer((request, response) => {
      asked.push(request);
      request.resume();
      (replies[asked.length - 1] ?? (replies.at(-1) as Reply))(response, request);
    }),
    '/v1',
    'k3y-of-the-client',
  );
  const clock = madeClock();
  const settings = { timeoutMs: 5000, deadlineMs: 60_000, bodyLimit: 1e6, clock, ...limits };
  const client = clientTo(service, settings);
  const close = async () => {
    await client.close();
    await service.close();
  };
  return { client, asked, clock, [Symbol.asyncDispose]: close };
}

describe('a lost connection', () => {
  test('of a GET is tried again', async () => {
    await using made = await clientOf([hangsUp, hangsUp, says(200)]);
    const { status, exchange } = await made.client.send(GET, 'record');
    expect({ status, ...exchange }).toMatchObject({ status: 200, attempts: 3, lost: 2 });
    expect(exchange).not.toHaveProperty('failure');
  });

  test('of a GET is tried three times, and then said', async () => {
    await using made = await clientOf([hangsUp]);
    const { status, ok, exchange } = await made.client.send(GET, 'record');
    expect({ status, ok }).toEqual({ status: 0, ok: false });
    expect(exchange).toMatchObject({
      attempts: 3,
      lost: 3,
      failure: expect.stringContaining('connection was closed'),
    });
    expect(made.asked).toHaveLength(3);
  });

  test('of a POST is never tried again: it may have been carried out', async () => {
    await using made = await clientOf([hangsUp, says(201)]);
    const { status, exchange } = await made.client.send(POST, 'record');
    expect({ status, ...exchange }).toMatchObject({ status: 0, attempts: 1, lost: 1 });
    expect(made.asked).toHaveLength(1);
  });
});

describe('a gateway’s answer', () => {
  test.each([502, 504])('%d to a GET is asked again', async (status) => {
    await using made = await clientOf([says(status), says(200)]);
    const { status: last, exchange } = await made.client.send(GET, 'record');
    expect({ last, ...exchange }).toMatchObject({ last: 200, attempts: 2, lost: 1 });
  });

  test.each([502, 504])(
    '%d to a POST is no answer, and the creation is not sent again',
    async (status) => {
      await using made = await clientOf([says(status), says(201)]);
      const answer = await made.client.send(POST, 'record');
      expect(answer).toMatchObject({ status: 0, ok: false });
      expect(answer.exchange.failure).toBe(`a gateway responded ${status} in place of the service`);
      expect(answer.exchange.response?.status).toBe(status);
      expect(made.asked.map(({ method }) => method)).toEqual(['POST', 'GET']);
    },
  );
});

describe('an answer that asks to wait', () => {
  test.each([
    [429, 'GET'],
    [429, 'POST'],
    [503, 'GET'],
  ])('%d to a %s is waited for', async (status, method) => {
    const request = method === 'GET' ? GET : POST;
    await using made = await clientOf([
      says(status),
      says(status, { 'retry-after': '2' }),
      says(200),
    ]);
    const answer = await made.client.send(request, 'record');
    expect(answer.status).toBe(200);
    expect(answer.exchange).toMatchObject({ attempts: 3 });
    expect(answer.exchange).not.toHaveProperty('lost');
    expect(made.clock.pauses).toEqual([RETRY_PAUSE_MS, 2000]);
  });

  test('503 at another address is the answer, and nothing is held back for it', async () => {
    await using made = await clientOf([says(503), says(200)]);
    made.client.isElsewhere = ({ path }) => path === GET.path;
    const answer = await made.client.send(GET, 'record');
    expect(answer).toMatchObject({ status: 503, exchange: { elsewhere: true, attempts: 1 } });
    expect(made.clock.pauses).toEqual([]);
  });

  test('503 to a POST is not: it does not say that nothing was carried out', async () => {
    await using made = await clientOf([says(503), says(201)]);
    const { status, exchange } = await made.client.send(POST, 'record');
    expect(status).toBe(503);
    expect(exchange.attempts).toBe(1);
    expect(made.asked).toHaveLength(1);
  });

  test('longer than the run may take ends it for all', async () => {
    await using made = await clientOf([
      says(200),
      says(429, { 'retry-after': '86400' }),
      says(200),
    ]);
    await made.client.send(GET, 'record');
    const { status, exchange } = await made.client.send(GET, 'record');
    expect(status).toBe(0);
    expect(exchange.failure).toContain('429 and asks to retry after 86400 s');
    const next = await made.client.send(GET, 'record');
    expect(next.exchange).toMatchObject({ attempts: 0, failure: exchange.failure });
    expect(made.asked).toHaveLength(2);
  });
});

describe('a target that is gone', () => {
  test('is given up at once where nothing ever came', async () => {
    await using made = await clientOf([hangsUp]);
    const { exchange } = await made.client.send(POST, 'record');
    expect((await made.client.send(GET, 'record')).exchange).toMatchObject({
      attempts: 0,
      failure: exchange.failure,
    });
  });

  test('is given up where a plain request gets no answer either, again and again', async () => {
    await using made = await clientOf([says(200), hangsUp]);
    await made.client.send(GET, 'record');
    made.clock.advance(10);
    expect((await made.client.send(POST, 'record')).exchange.attempts).toBe(1);
    expect((await made.client.send(GET, 'record')).exchange.attempts).toBe(0);
    expect(made.clock.pauses.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(AWAY_MS);
    expect(made.client.presence.outages).toEqual([]);
  });

  test('for a moment is waited for, and what it was asked meanwhile is asked again', async () => {
    await using made = await clientOf([
      says(200),
      ...Array.from({ length: 6 }, () => hangsUp),
      says(200),
    ]);
    await made.client.send(GET, 'record');
    made.clock.advance(10);
    expect((await made.client.send(GET, 'record')).status).toBe(200);
    expect(made.client.presence.outages).toHaveLength(1);
  });

  test('and is known to be over is not waited for', async () => {
    await using made = await clientOf([says(200), hangsUp]);
    made.client.isOver = () => true;
    await made.client.send(GET, 'record');
    made.clock.advance(10);
    await made.client.send(POST, 'record');
    expect(made.clock.pauses).toEqual([]);
    expect((await made.client.send(GET, 'record')).exchange.attempts).toBe(0);
  });

  test('is not given up where answers come between', async () => {
    await using made = await clientOf([
      says(200),
      ...Array.from({ length: 4 }, () => [hangsUp, says(200)]).flat(),
    ]);
    for (let times = 0; times < 9; times += 1) {
      made.clock.advance(10);
      expect((await made.client.send(POST, 'record')).exchange.attempts).toBe(1);
    }
  });

  test('and keeps silent for one request alone is not given up', async () => {
    await using made = await clientOf([says(200), isSilent, says(200)], { timeoutMs: 400 });
    await made.client.send(GET, 'record');
    made.clock.advance(10);
    const { exchange } = await made.client.send(POST, 'record');
    expect(exchange).toMatchObject({
      attempts: 1,
      failure: expect.stringContaining('no complete response within 400 ms'),
    });
    expect((await made.client.send(GET, 'record')).status).toBe(200);
  });
});

test.each([
  [1, 400],
  [30, 20],
])(
  '%i responses of a process that is held up, %i ms for each, are no silence',
  async (many, ms) => {
    const holdsUp: Reply = (response, request) => {
      says(200)(response, request);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    };
    await using made = await clientOf([holdsUp], { timeoutMs: 200 });
    const sent = await Promise.all(
      Array.from({ length: many }, () => made.client.send(POST, 'record')),
    );
    expect(sent.flatMap(({ exchange }) => exchange.failure ?? [])).toEqual([]);
  },
);

describe('bodies', () => {
  test('of a list are read whole, or it is said that they are too long', async () => {
    await using made = await clientOf([says(200, {}, `[${'1,'.repeat(600)}1]`)], {
      bodyLimit: 1000,
    });
    const { exchange } = await made.client.send(GET, 'list');
    expect(exchange).toMatchObject({
      failure: expect.stringMatching(/^the body is larger than/),
      attempts: 1,
    });
  });

  test('of anything else are read as far as a record goes', async () => {
    await using made = await clientOf([says(200, {}, ' '.repeat(RECORD_LIMIT + 1))]);
    const { exchange, json } = await made.client.send(GET, 'record');
    expect(exchange.response).toMatchObject({ bodyBytes: RECORD_LIMIT, cut: true });
    expect(json).toBeUndefined();
  });
});

test('the record has every exchange in the order of sending as it came, and what is shown of it never the key', async () => {
  await using made = await clientOf([
    (response, { headers }) => response.end(JSON.stringify(headers)),
  ]);
  const { client, asked } = made;
  await Promise.all([
    client.send(GET, 'record'),
    client.send(POST, 'record'),
    client.send(GET, 'text'),
  ]);
  expect(client.record.map(({ id, request }) => `${id} ${request.method}`)).toEqual([
    '1 GET',
    '2 POST',
    '3 GET',
  ]);
  for (const { headers } of asked) expect(headers.authorization).toBe('Bearer k3y-of-the-client');
  expect(client.record[0]?.response?.body).toContain('k3y-of-the-client');
  expect(JSON.stringify(client.record.map(client.secrets.shown))).not.toContain(
    'k3y-of-the-client',
  );
  expect(client.record[0]?.response).toMatchObject({ keyInBody: true });
});

test('when the run is over nothing more is sent, and what is under way ends', async () => {
  await using made = await clientOf([isSilent]);
  const underWay = made.client.send(GET, 'record');
  await vi.waitFor(() => expect(made.asked).toHaveLength(1));
  made.client.deadline.end('the run was interrupted');
  await expect(underWay).rejects.toThrow(Ended);
  await expect(made.client.send(GET, 'record')).rejects.toThrow('the run was interrupted');
  expect(made.asked).toHaveLength(1);
});
