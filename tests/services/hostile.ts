import { gzipSync } from 'node:zlib';
import type { Verdict } from '../../src/verdict/verdict.ts';
import type { Running } from './listen.ts';
import {
  API_KEY,
  flood,
  head,
  onSockets,
  responds,
  sendsBytes,
  sendsResponse,
} from './raw-targets.ts';
import { start } from './service.ts';

/** A target that is no service, or a service in a bad state, and its verdict. */
export interface Hostile {
  name: string;
  verdict: Verdict | Verdict[];
  /** A part of the reported reason. */
  says: RegExp;
  start: () => Promise<Running>;
}

const INCONCLUSIVE = 'inconclusive';
const NON_CONFORMANT = 'non-conformant';

/** 10 MiB of zeros, compressed. */
const BOMB = gzipSync(Buffer.alloc(10 * 1024 * 1024));

/** Targets that are no service, or a service in a bad state. */
export const hostileTargets: Hostile[] = [
  {
    name: 'nothing listens',
    verdict: INCONCLUSIVE,
    says: /connection refused/,
    start: async () => {
      const running = await start();
      await running.close();
      return { ...running, close: async () => {} };
    },
  },
  {
    name: 'a name that does not resolve',
    verdict: INCONCLUSIVE,
    says: /host name does not resolve/,
    start: async () => ({
      baseUrl: 'http://users.invalid/v1',
      apiKey: API_KEY,
      close: async () => {},
    }),
  },
  {
    name: 'accepts and never answers',
    verdict: INCONCLUSIVE,
    says: /no complete response/,
    start: onSockets(() => {}),
  },
  {
    name: 'a status line and then silence',
    verdict: INCONCLUSIVE,
    says: /no complete response/,
    start: onSockets((socket) => socket.write('HTTP/1.1 200 OK\r\n')),
  },
  {
    name: 'a byte now and then',
    verdict: INCONCLUSIVE,
    says: /no complete response/,
    start: onSockets((socket) => {
      socket.write(head('Content-Length: 1000'));
      const timer = setInterval(() => socket.write('['), 50);
      socket.on('close', () => clearInterval(timer));
    }),
  },
  {
    name: 'an endless body',
    verdict: INCONCLUSIVE,
    says: /larger than the 4 MiB of CONFORMANCE_BODY_LIMIT_MIB/,
    start: onSockets((socket, received) => {
      // A 200 without the right key would be another failure.
      if (!received.includes(`Bearer ${API_KEY}\r`))
        return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      socket.write(head('Content-Type: application/json'));
      flood(socket, Buffer.alloc(1024 * 1024, ' '));
    }),
  },
  {
    name: 'announces 2 GB and ends',
    verdict: INCONCLUSIVE,
    says: /closed before the response was complete/,
    start: sendsBytes(`${head('Content-Length: 2147483648')}{"data":[],"total":0}`),
  },
  {
    name: 'a compressed bomb',
    // If the body is read in time, the 200 to a request without the key is a failure.
    verdict: [INCONCLUSIVE, NON_CONFORMANT],
    says: /larger than the 4 MiB|1 MiB in one piece|no complete response/,
    start: responds((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB),
    ),
  },
  {
    name: 'broken gzip',
    verdict: NON_CONFORMANT,
    says: /can't be decoded as gzip/,
    start: sendsResponse(200, 'no gzip', { 'content-encoding': 'gzip' }),
  },
  {
    name: 'no HTTP at all',
    verdict: INCONCLUSIVE,
    says: /the response is not HTTP/,
    start: sendsBytes('SSH-2.0-OpenSSH_9.2\r\n'),
  },
  {
    name: 'half a status line',
    verdict: INCONCLUSIVE,
    says: /closed before the response was complete/,
    start: sendsBytes('HTTP/1.1 2'),
  },
  {
    name: 'a reset in the middle of a body',
    verdict: INCONCLUSIVE,
    says: /connection was (reset|closed)/,
    start: onSockets((socket) => {
      socket.write(`${head('Content-Length: 100')}{"data"`, () => socket.resetAndDestroy());
    }),
  },
  {
    name: 'Content-Length too small',
    verdict: NON_CONFORMANT,
    says: /http\.json: failed, expected a JSON body/,
    start: sendsBytes(
      `${head('Content-Type: application/json\r\nContent-Length: 5')}{"data":[],"total":0}`,
    ),
  },
  {
    // 110 kB are read, because proxies may add many headers.
    name: '10,000 headers',
    verdict: NON_CONFORMANT,
    says: /list\.data-array: failed, .* the body has no data/,
    start: onSockets((socket, received) => {
      const isList = received.startsWith('GET /v1/users HTTP');
      socket.end(`HTTP/1.1 200 OK\r\n${'x-more: 1\r\n'.repeat(isList ? 10_000 : 1)}\r\n{}`);
    }),
  },
  {
    name: '1 MB of headers',
    verdict: INCONCLUSIVE,
    says: /response headers are larger than the suite reads/,
    start: sendsBytes(`HTTP/1.1 200 OK\r\nx-more: ${'x'.repeat(1024 * 1024)}\r\n\r\n{}`),
  },
  {
    name: 'a redirect in a circle',
    verdict: NON_CONFORMANT,
    says: /a redirect is not followed/,
    start: sendsResponse(302, '', { location: '/v1/users' }),
  },
  {
    name: 'invalid UTF-8',
    verdict: NON_CONFORMANT,
    says: /not valid UTF-8/,
    start: responds((response) =>
      response.writeHead(200).end(Buffer.from('{"data":[],"total":0,"é":1}', 'latin1')),
    ),
  },
  {
    name: 'JSON nested 100,000 deep',
    verdict: NON_CONFORMANT,
    says: /list\.data-array: failed/,
    start: sendsResponse(200, `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  },
  {
    name: 'members __proto__ and constructor',
    verdict: NON_CONFORMANT,
    says: /list\.data-array: failed, .* the body has no data/,
    start: sendsResponse(
      200,
      '{"__proto__":{"data":[],"total":0},"constructor":{"prototype":{"data":[]}}}',
    ),
  },
  {
    name: 'a total of 1e999',
    verdict: NON_CONFORMANT,
    says: /list\.total-integer: failed, /,
    start: sendsResponse(200, '{"data":[],"total":1e999}'),
  },
  {
    name: '200 with {} to everything',
    verdict: NON_CONFORMANT,
    says: /list\.data-array: failed, .* the body has no data/,
    start: sendsResponse(200, '{}'),
  },
  {
    name: '204 to everything',
    verdict: NON_CONFORMANT,
    says: /list\.data-array: failed, .* the body is nothing/,
    start: responds((response) => response.writeHead(204).end()),
  },
  {
    name: '401 to everything',
    verdict: INCONCLUSIVE,
    says: /returns 401 for .*: is it the right key\?/,
    start: sendsResponse(401, '{}'),
  },
  {
    name: '403 to everything',
    verdict: INCONCLUSIVE,
    says: /returns 403 for .*: is it the right key\?/,
    start: sendsResponse(403),
  },
  {
    name: '404 to everything',
    verdict: INCONCLUSIVE,
    says: /returns 404 for .*: is BASE_URL the right/,
    start: sendsResponse(404),
  },
  {
    name: 'a web page for everything',
    verdict: INCONCLUSIVE,
    says: /\/v1\/users is a web page/,
    start: sendsResponse(200, '<!doctype html><title>Users</title>', {
      'content-type': 'text/html; charset=utf-8',
    }),
  },
  {
    name: 'a gateway without a service',
    verdict: INCONCLUSIVE,
    says: /a gateway responded 502 in place of the service/,
    start: sendsResponse(502, '<h1>Bad Gateway</h1>', { 'content-type': 'text/html' }),
  },
  {
    name: '500 to everything',
    verdict: NON_CONFORMANT,
    says: /a 2xx status/,
    start: sendsResponse(500, '{"error":"down"}'),
  },
  {
    name: '429 with Retry-After of a day',
    verdict: INCONCLUSIVE,
    says: /locks the suite out for 86400 s/,
    start: sendsResponse(429, '', { 'retry-after': '86400' }),
  },
  {
    // The first six requests of a run are sequential: four, a creation and the list once more.
    name: 'dies after the sixth request',
    verdict: INCONCLUSIVE,
    says: /the service no longer responds: connections are refused/,
    start: async () => {
      let count = 0;
      let running: Running | undefined;
      running = await start((service) => {
        const { write } = service;
        service.write = (response, reply, request) => {
          count += 1;
          write(response, reply, request);
          if (count === 6) setImmediate(() => running?.close());
        };
      });
      return running;
    },
  },
  {
    name: 'an echo of the whole request',
    verdict: NON_CONFORMANT,
    says: /list\.data-array: failed, expected a JSON object with an array `data`/,
    start: () =>
      start((service) => {
        service.handle = ({ headers, body, path }) => ({
          status: 200,
          headers: { 'x-echo': JSON.stringify(headers) },
          body: { path, headers, body },
        });
      }),
  },
];
