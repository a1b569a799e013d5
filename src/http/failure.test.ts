import { createServer } from 'node:net';
import { Agent, errors, request } from 'undici';
import { expect, test } from 'vitest';
import { listen } from '../../tests/services/listen.ts';
import { describeFailure, isClosedConnection, isTimeout } from './failure.ts';
import { Unreadable } from './unreadable.ts';

const ORIGIN = 'http://127.0.0.1:3000';

const errorWith = (code: string, message = 'x') => Object.assign(new Error(message), { code });

const describe = (error: unknown) => describeFailure(error, ORIGIN, 5000);

/** Returns the error of undici for a target that sends these bytes. */
async function errorOf(response: string): Promise<unknown> {
  const server = createServer((socket) => socket.once('data', () => socket.end(response)));
  const closable = Object.assign(server, { closeAllConnections: () => {} });
  const { baseUrl, close } = await listen(closable, '/v1', '');
  const error = await request(baseUrl, { dispatcher: new Agent() }).catch(
    (reason: unknown) => reason,
  );
  await close();
  return error;
}

test.each([
  [errorWith('ECONNREFUSED'), 'connection refused: is the service running, and is BASE_URL right?'],
  [errorWith('ENOTFOUND'), 'the host name does not resolve'],
  [errorWith('EMFILE'), 'too many open files and connections'],
  [errorWith('DEPTH_ZERO_SELF_SIGNED_CERT'), 'CONFORMANCE_CA'],
  [new Error('fetch failed', { cause: errorWith('ECONNRESET') }), 'the connection was reset'],
  [new errors.SocketError('other side closed'), 'closed before the response was complete'],
  [new errors.HeadersOverflowError(), 'the response headers are larger than the suite reads'],
  [
    new DOMException('timed out', 'TimeoutError'),
    `no complete response within 5000 ms from ${ORIGIN}`,
  ],
  [new Unreadable('the body is larger'), 'the body is larger'],
  [errorWith('HPE_INVALID_VERSION'), 'the response is not HTTP (HPE_INVALID_VERSION)'],
])('%s is described as: %s', (error, sentence) => {
  expect(describe(error)).toContain(sentence);
});

test('a response of another protocol is described as such, even without a code', async () => {
  const error = await errorOf('SSH-2.0-OpenSSH_9.2\r\n');
  expect(describe(error)).toContain('the response is not HTTP');
});

test.each([
  ['a bare line feed', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n', 'Missing expected CR'],
  ['a folded header', 'HTTP/1.1 200 OK\r\nx-a: b\r\n c\r\n\r\n', 'whitespace after header value'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\nx-a : b\r\n\r\n', 'Invalid header token'],
])('%s is described in the words of the parser', async (_, response, words) => {
  const error = await errorOf(response);
  expect(describe(error)).toMatch(/^the response is not valid HTTP\/1\.1: /);
  expect(describe(error)).toContain(words);
  expect(describe(error)).not.toContain('https://');
});

test.each([errorWith('ECONNRESET'), errorWith('EPIPE'), new errors.SocketError('closed')])(
  '%s is a closed connection, not a timeout',
  (error) => {
    expect(isClosedConnection(error)).toBe(true);
    expect(isTimeout(error)).toBe(false);
  },
);

test('a timeout is not a closed connection', () => {
  const error = new DOMException('timed out', 'TimeoutError');
  expect(isTimeout(error)).toBe(true);
  expect(isClosedConnection(error)).toBe(false);
});

test('BASE_URL is not suspected if the target has responded before', () => {
  const closed = new errors.SocketError('other side closed');
  expect(describe(closed)).toContain('should BASE_URL begin with https://?');
  expect(describeFailure(closed, ORIGIN, 5000, false)).not.toContain('BASE_URL');
  const refused = describeFailure(errorWith('ECONNREFUSED'), ORIGIN, 5000, false);
  expect(refused).toContain(`connections are refused (${ORIGIN}`);
});
