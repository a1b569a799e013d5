import { describe, expect, test, vi } from 'vitest';
import {
  API_KEY,
  GET,
  madeClient,
  neverResponds,
  POST,
  type Reply,
  responds,
} from '../../tests/made-client.ts';
import { Ended } from './deadline.ts';
import { RECORD_LIMIT } from './response.ts';

describe('a body', () => {
  test('of a list that is longer than the limit is a failure', async () => {
    const list = `[${'1,'.repeat(600)}1]`;
    await using made = await madeClient([responds(200, {}, list)], { bodyLimit: 1000 });
    const { exchange } = await made.client.send(GET, 'list');
    const failure = expect.stringMatching(/^the body is larger than/);
    expect(exchange).toMatchObject({ failure, attempts: 1 });
  });

  test('of a record is cut at its limit', async () => {
    await using made = await madeClient([responds(200, {}, ' '.repeat(RECORD_LIMIT + 1))]);
    const { exchange, json } = await made.client.send(GET, 'record');
    expect(exchange.response).toMatchObject({ bodyBytes: RECORD_LIMIT, cut: true });
    expect(json).toBeUndefined();
  });
});

describe('the record', () => {
  const echoesHeaders: Reply = (response, { headers }) => response.end(JSON.stringify(headers));

  test('has every exchange in the order of sending', async () => {
    await using made = await madeClient([responds(200)]);
    const { client } = made;
    await Promise.all([
      client.send(GET, 'record'),
      client.send(POST, 'record'),
      client.send(GET, 'text'),
    ]);
    const requests = client.record.map(({ id, request }) => `${id} ${request.method}`);
    expect(requests).toEqual(['1 GET', '2 POST', '3 GET']);
  });

  test('has responses as received, and shown exchanges are without the key', async () => {
    await using made = await madeClient([echoesHeaders]);
    const { client, received } = made;
    await client.send(GET, 'record');
    expect(received[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
    const [exchange] = client.record;
    expect(exchange?.response?.body).toContain(API_KEY);
    expect(exchange?.response).toMatchObject({ keyInBody: true });
    const shown = client.record.map(client.secrets.shown);
    expect(JSON.stringify(shown)).not.toContain(API_KEY);
  });
});

test('when the run is over nothing more is sent, and requests in flight are aborted', async () => {
  await using made = await madeClient([neverResponds]);
  const inFlight = made.client.send(GET, 'record');
  await vi.waitFor(() => expect(made.received).toHaveLength(1));
  made.client.deadline.end('the run was interrupted');
  await expect(inFlight).rejects.toThrow(Ended);
  const next = made.client.send(GET, 'record');
  await expect(next).rejects.toThrow('the run was interrupted');
  expect(made.received).toHaveLength(1);
});
