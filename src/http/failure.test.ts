import { createServer } from 'node:net';
import { errors, request } from 'undici';
import { expect, test } from 'vitest';
import { listen } from '../../tests/services/listen.ts';
import { describeFailure, isClosedConnection, isTimeout } from './failure.ts';
import { Unreadable } from './unreadable.ts';

const ORIGIN = 'http://127.0.0.1:3000';
const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });
const told = (error: unknown) => describeFailure(error, ORIGIN, 5000);

test.each([
  [withCode('ECONNREFUSED'), 'connection refused: is the service running, and is BASE_URL right?'],
  [withCode('ENOTFOUND'), 'the host name does not resolve'],
  [withCode('EMFILE'), 'too many open files and connections'],
  [withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'CONFORMANCE_CA'],
  [new Error('fetch failed', { cause: withCode('ECONNRESET') }), 'the connection was reset'],
  [new errors.SocketError('other side closed'), 'closed before the response was complete'],
  [new errors.HeadersOverflowError(), 'the response headers are larger than the suite reads'],
  [
    new DOMException('timed out', 'TimeoutError'),
    `no complete response within 5000 ms from ${ORIGIN}`,
  ],
  [new Unreadable('the body is larger'), 'the body is larger'],
  [withCode('HPE_INVALID_VERSION'), 'the response is not HTTP (HPE_INVALID_VERSION)'],
])('%s is told as: %s', (error, sentence) => {
  expect(told(error)).toContain(sentence);
});

test('an answer that is no HTTP is told as such, also where the parser gives no code', async () => {
  const closeAllConnections = () => {};
  const server = createServer((socket) =>
    socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n')),
  );
  const { baseUrl, close } = await listen(
    Object.assign(server, { closeAllConnections }),
    '/v1',
    '',
  );
  const error = await request(baseUrl).catch((reason: unknown) => reason);
  await close();
  expect(told(error)).toContain('the response is not HTTP');
});

test.each([
  ['a bare line feed', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n', 'Missing expected CR'],
  ['a folded header', 'HTTP/1.1 200 OK\r\nx-a: b\r\n c\r\n\r\n', 'whitespace after header value'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\nx-a : b\r\n\r\n', 'Invalid header token'],
])('%s is described in the words of the parser', async (_, response, words) => {
  const server = createServer((socket) => socket.once('data', () => socket.end(response)));
  const closing = Object.assign(server, { closeAllConnections: () => {} });
  const { baseUrl, close } = await listen(closing, '/v1', '');
  const error = await request(baseUrl).catch((reason: unknown) => reason);
  await close();
  expect(told(error)).toMatch(/^the response is not valid HTTP\/1\.1: /);
  expect(told(error)).toContain(words);
  expect(told(error)).not.toContain('https://');
});

test('a closed connection and a time-out are told apart', () => {
  for (const closed of [
    withCode('ECONNRESET'),
    withCode('EPIPE'),
    new errors.SocketError('closed'),
  ]) {
    expect([isClosedConnection(closed), isTimeout(closed)]).toEqual([true, false]);
  }
  const timedOut = new DOMException('timed out', 'TimeoutError');
  expect([isClosedConnection(timedOut), isTimeout(timedOut)]).toEqual([false, true]);
});

test('who has answered before is not asked to be looked for elsewhere', () => {
  const closed = new errors.SocketError('other side closed');
  expect(told(closed)).toContain('should BASE_URL begin with https://?');
  expect(describeFailure(closed, ORIGIN, 5000, false)).not.toContain('BASE_URL');
});
