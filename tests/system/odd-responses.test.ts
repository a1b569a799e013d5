import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { makeClient } from '../../src/http/client.ts';
import type { Request } from '../../src/http/exchange.ts';
import { KEY } from '../../src/http/key.ts';
import { judgeAll, NEVER_MS } from '../run.ts';
import { head, onSockets } from '../services/raw-targets.ts';
import { start, withPeople } from '../services/service.ts';

const GET: Request = {
  method: 'GET',
  path: '/v1/users',
  headers: { authorization: `Bearer ${KEY}` },
};
const HOP_BY_HOP: Request = { ...GET, headers: { ...GET.headers, connection: 'X-A, X-B' } };
const POST: Request = { ...GET, method: 'POST', body: '{}' };

const LIST = '{"data":[],"total":0}';
const LENGTH = `Content-Length: ${LIST.length}`;
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';

/** Sends a text to a client again and again, until the client closes the connection. */
const endless = (begin: string, text: string) => (socket: Socket) => {
  socket.write(begin);
  const timer = setInterval(() => socket.write(text), 5);
  socket.on('close', () => clearInterval(timer));
};

const sends = (text: string) => (socket: Socket) => socket.write(text);
const sendsAndCloses = (text: string) => (socket: Socket) => socket.end(text);

/** Ways in which a target responds, and the status or the failure that the exchange has then. */
const WAYS: [name: string, respond: (socket: Socket) => unknown, end: number | RegExp][] = [
  ['a 101', sends(SWITCH), /unsolicited 101/],
  ['a 101, and bytes of another protocol', sends(`${SWITCH}\0\x01${LIST}`), /unsolicited 101/],
  ['a 101, and the end', sendsAndCloses(SWITCH), /unsolicited 101/],
  ['a 101 of no protocol', sends('HTTP/1.1 101 X\r\n\r\n'), /unsolicited 101/],
  ['a 101, then a 200', sends(`HTTP/1.1 101 X\r\n\r\n${head(LENGTH)}${LIST}`), /unsolicited 101/],
  ['a 100', sends(`HTTP/1.1 100 Continue\r\n\r\n${head(LENGTH)}${LIST}`), /unsolicited 100/],
  ['a thousand 103', sends(`${'HTTP/1.1 103 X\r\n\r\n'.repeat(1000)}${head(LENGTH)}${LIST}`), 200],
  ['103 without end', endless('', 'HTTP/1.1 103 X\r\n\r\n'), /no complete response/],
  ['headers of 100 kB', sends(`${head(`X-A: ${'a'.repeat(1e5)}\r\n${LENGTH}`)}${LIST}`), 200],
  [
    'headers of 1 MB',
    sends(`${head(`X-A: ${'a'.repeat(1e6)}\r\n${LENGTH}`)}${LIST}`),
    /headers are larger/,
  ],
  [
    'trailers',
    sends(`${head('Transfer-Encoding: chunked')}15\r\n${LIST}\r\n0\r\nX-A: a\r\n\r\n`),
    200,
  ],
  [
    'trailers without end',
    endless(`${head('Transfer-Encoding: chunked')}15\r\n${LIST}\r\n0\r\n`, 'X-A: a\r\n'),
    /no complete response|headers are larger/,
  ],
  [
    'a chunk extension of 1 MB',
    sends(`${head('Transfer-Encoding: chunked')}15;a=${'a'.repeat(1e6)}\r\n${LIST}\r\n0\r\n\r\n`),
    200,
  ],
  ['a chunk of no size', sends(`${head('Transfer-Encoding: chunked')}x\r\n`), /not valid HTTP/],
  ['a length below zero', sends(`${head('Content-Length: -1')}${LIST}`), /not valid HTTP/],
  ['a status below 100', sends(`HTTP/1.1 000 X\r\n${LENGTH}\r\n\r\n${LIST}`), /not valid HTTP/],
  ['no status line', sendsAndCloses(LIST), /not HTTP/],
  ['a second response', sends(`${head(LENGTH)}${LIST}`.repeat(2)), 200],
  ['a 101 after the response', sends(`${head(LENGTH)}${LIST}${SWITCH}`), 200],
  ['no response, but the end', sendsAndCloses(''), /was closed/],
  ['no response, but a reset', (socket) => socket.resetAndDestroy(), /was (reset|closed)/],
  ['a head, and the end', sendsAndCloses(head(LENGTH)), /was closed/],
  [
    'a response, and a reset',
    (socket) => socket.write(`${head(LENGTH)}${LIST}`, () => socket.resetAndDestroy()),
    200,
  ],
  ['nothing', () => {}, /no complete response/],
];

const REQUESTS = [
  ['a GET', GET],
  ['a GET with a Connection header', HOP_BY_HOP],
  ['a POST', POST],
] as const;

describe.concurrent.each(WAYS)('%s', (_, respond, end) => {
  test.each(REQUESTS)('ends %s', async (__, request) => {
    const target = await onSockets(respond)();
    const isSilent = end instanceof RegExp && end.source.includes('no complete response');
    const settings = {
      timeoutMs: isSilent ? 1000 : NEVER_MS,
      deadlineMs: NEVER_MS,
      bodyLimit: 1e6,
    };
    const client = makeClient(target, settings);
    const { exchange } = await client.send(request, 'record').finally(client.close);
    await target.close();
    if (typeof end === 'number') expect(exchange.response?.status).toBe(end);
    else expect(exchange.failure).toMatch(end);
    expect(exchange.failure ?? '').not.toContain('\n');
  });
});

test.each(REQUESTS)('a closed port ends %s', async (_, request) => {
  const target = await onSockets(() => {})();
  await target.close();
  const client = makeClient(target, { timeoutMs: NEVER_MS, deadlineMs: NEVER_MS, bodyLimit: 1e6 });
  const { exchange } = await client.send(request, 'record').finally(client.close);
  expect(exchange.failure).toMatch(/connection refused/);
});

test('a Connection header is sent as it is, with the other headers and the usual ones', async () => {
  let received = '';
  const target = await onSockets((socket, text) => {
    received = text;
    socket.end(`${head(LENGTH)}${LIST}`);
  })();
  const settings = { timeoutMs: NEVER_MS, deadlineMs: NEVER_MS, bodyLimit: 1e6 };
  const client = makeClient(target, settings);
  const { status } = await client.send(HOP_BY_HOP, 'record').finally(client.close);
  await target.close();
  expect(status).toBe(200);
  const lines = received.split('\r\n');
  expect(lines).toContain('connection: X-A, X-B');
  expect(lines).toContain(`authorization: Bearer ${target.apiKey}`);
  expect(lines.filter((line) => /^connection:/i.test(line))).toHaveLength(1);
});

test('an Upgrade header is sent as it is, and a 101 to it shows nothing', async () => {
  let received = '';
  const target = await onSockets((socket, text) => {
    received = text;
    socket.write(SWITCH);
  })();
  const client = makeClient(target, { timeoutMs: 60_000, deadlineMs: 100_000, bodyLimit: 1e6 });
  const request = { ...GET, headers: { ...GET.headers, connection: 'Upgrade', upgrade: 'h2c' } };
  const sent = client.send(request, 'record').finally(client.close);
  await expect(sent).rejects.toThrow('the target switches to another protocol');
  await target.close();
  expect(received.split('\r\n')).toEqual(
    expect.arrayContaining(['connection: Upgrade', 'upgrade: h2c']),
  );
});

test('an offer of another protocol that gets no response shows nothing', async () => {
  const target = await onSockets(() => undefined)();
  const client = makeClient(target, { timeoutMs: 500, deadlineMs: 100_000, bodyLimit: 1e6 });
  const request = { ...GET, headers: { ...GET.headers, connection: 'Upgrade', upgrade: 'h2c' } };
  const sent = client.send(request, 'record').finally(client.close);
  await expect(sent).rejects.toThrow('does not respond to an offer of another protocol');
  await target.close();
});

test('a 101 to one request leaves its case open, and the run goes on', async () => {
  const service = await start(withPeople, (patched) => {
    const { write } = patched;
    patched.write = (response, reply, request) => {
      if (/^x-/i.test(`${request.headers.connection}`)) response.socket?.write(SWITCH);
      else write(response, reply, request);
    };
  });
  const run = await judgeAll(service).finally(service.close);
  expect(run.slugs('failed')).toEqual([]);
  expect(run.slugs('not-verified')).toEqual(['guard.trusted-headers']);
  expect(run.reasons('not-verified').join()).toContain('unsolicited 101');
});
