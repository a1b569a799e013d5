import { gzipSync } from 'node:zlib';
import type { Verdict } from '../../src/verdict/verdict.ts';
import type { Running } from './listen.ts';
import { API_KEY, answering, flood, head, onSockets, same, saying } from './raw-targets.ts';
import { start } from './service.ts';

/** A target that is no service, or one in a bad state, and the verdict that it gets. */
export interface Hostile {
  name: string;
  verdict: Verdict | Verdict[];
  /** A part of the reason that is told. */
  says: RegExp;
  start: () => Promise<Running>;
}

const nothing = 'inconclusive' as const;
const broken = 'non-conformant' as const;

export const hostileTargets: Hostile[] = [
  {
    name: 'nothing listens',
    verdict: nothing,
    says: /connection refused/,
    start: async () => {
      const running = await start();
      await running.close();
      return { ...running, close: async () => {} };
    },
  },
  {
    name: 'a name that does not resolve',
    verdict: nothing,
    says: /host name does not resolve/,
    start: async () => ({
      baseUrl: 'http://users.invalid/v1',
      apiKey: API_KEY,
      close: async () => {},
    }),
  },
  {
    name: 'accepts and never answers',
    verdict: nothing,
    says: /no complete response/,
    start: onSockets(() => {}),
  },
  {
    name: 'a status line and then silence',
    verdict: nothing,
    says: /no complete response/,
    start: onSockets((socket) => socket.write('HTTP/1.1 200 OK\r\n')),
  },
  {
    name: 'a byte now and then',
    verdict: nothing,
    says: /no complete response/,
    start: onSockets((socket) => {
      socket.write(head('Content-Length: 1000'));
      const timer = setInterval(() => socket.write('['), 50);
      socket.on('close', () => clearInterval(timer));
    }),
  },
  {
    name: 'an endless body',
    verdict: nothing,
    says: /larger than the 4 MiB of CONFORMANCE_BODY_LIMIT_MIB/,
    start: onSockets((socket, asked) => {
      // A 200 without the right key would be a finding of its own.
      if (!asked.includes(`Bearer ${API_KEY}\r`))
        return socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
      socket.write(head('Content-Type: application/json'));
      flood(socket, Buffer.alloc(1024 * 1024, ' '));
    }),
  },
  {
    name: 'announces 2 GB and ends',
    verdict: nothing,
    says: /closed before the response was complete/,
    start: saying(`${head('Content-Length: 2147483648')}{"data":[],"total":0}`),
  },
  {
    name: 'a compressed bomb',
    // Where it is read in time, its 200 to a request without the key is a fault.
    verdict: ['inconclusive', 'non-conformant'],
    says: /larger than the 4 MiB|1 MiB in one piece|no complete response/,
    start: (() => {
      const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
      return answering((response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      );
    })(),
  },
  {
    name: 'broken gzip',
    verdict: ['non-conformant'],
    says: /can't be decoded as gzip/,
    start: same(200, 'no gzip', { 'content-encoding': 'gzip' }),
  },
  {
    name: 'no HTTP at all',
    verdict: nothing,
    says: /the response is not HTTP/,
    start: saying('SSH-2.0-OpenSSH_9.2\r\n'),
  },
  {
    name: 'half a status line',
    verdict: nothing,
    says: /closed before the response was complete/,
    start: saying('HTTP/1.1 2'),
  },
  {
    name: 'a reset in the middle of a body',
    verdict: nothing,
    says: /connection was (reset|closed)/,
    start: onSockets((socket) => {
      socket.write(`${head('Content-Length: 100')}{"data"`, () => socket.resetAndDestroy());
    }),
  },
  {
    name: 'Content-Length too small',
    verdict: broken,
    says: /http\.json: failed, expected a JSON body/,
    start: saying(
      `${head('Content-Type: application/json\r\nContent-Length: 5')}{"data":[],"total":0}`,
    ),
  },
  {
    // 110 kB of them: proxies add many, so they are read.
    name: '10,000 headers',
    verdict: broken,
    says: /list\.data-array: failed, .* the body has no data/,
    start: onSockets((socket, asked) => {
      const isList = asked.startsWith('GET /v1/users HTTP');
      socket.end(`HTTP/1.1 200 OK\r\n${'x-more: 1\r\n'.repeat(isList ? 10_000 : 1)}\r\n{}`);
    }),
  },
  {
    name: '1 MB of headers',
    verdict: nothing,
    says: /response headers are larger than the suite reads/,
    start: saying(`HTTP/1.1 200 OK\r\nx-more: ${'x'.repeat(1024 * 1024)}\r\n\r\n{}`),
  },
  {
    name: 'a redirect in a circle',
    verdict: broken,
    says: /a redirect is not followed/,
    start: same(302, '', { location: '/v1/users' }),
  },
  {
    name: 'invalid UTF-8',
    verdict: broken,
    says: /not valid UTF-8/,
    start: answering((response) =>
      response.writeHead(200).end(Buffer.from('{"data":[],"total":0,"é":1}', 'latin1')),
    ),
  },
  {
    name: 'JSON nested 100,000 deep',
    verdict: broken,
    says: /list\.data-array: failed/,
    start: same(200, `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  },
  {
    name: 'members __proto__ and constructor',
    verdict: broken,
    says: /list\.data-array: failed, .* the body has no data/,
    start: same(200, '{"__proto__":{"data":[],"total":0},"constructor":{"prototype":{"data":[]}}}'),
  },
  {
    name: 'a total of 1e999',
    verdict: broken,
    says: /list\.total-integer: failed, /,
    start: same(200, '{"data":[],"total":1e999}'),
  },
  {
    name: '200 with {} to everything',
    verdict: broken,
    says: /list\.data-array: failed, .* the body has no data/,
    start: same(200, '{}'),
  },
  {
    name: '204 to everything',
    verdict: broken,
    says: /list\.data-array: failed, .* the body is nothing/,
    start: answering((r) => r.writeHead(204).end()),
  },
  {
    name: '401 to everything',
    verdict: nothing,
    says: /returns 401 for .*: is it the right key\?/,
    start: same(401, '{}'),
  },
  {
    name: '403 to everything',
    verdict: nothing,
    says: /returns 403 for .*: is it the right key\?/,
    start: same(403),
  },
  {
    name: '404 to everything',
    verdict: nothing,
    says: /returns 404 for .*: is BASE_URL the right/,
    start: same(404),
  },
  {
    name: 'a web page for everything',
    verdict: nothing,
    says: /\/v1\/users is a web page/,
    start: same(200, '<!doctype html><title>Users</title>', {
      'content-type': 'text/html; charset=utf-8',
    }),
  },
  {
    name: 'a gateway without a service',
    verdict: nothing,
    says: /a gateway responded 502 in place of the service/,
    start: same(502, '<h1>Bad Gateway</h1>', { 'content-type': 'text/html' }),
  },
  {
    name: '500 to everything',
    verdict: broken,
    says: /a 2xx status/,
    start: same(500, '{"error":"down"}'),
  },
  {
    name: '429 with Retry-After of a day',
    verdict: nothing,
    says: /asks to retry after 86400 s/,
    start: same(429, '', { 'retry-after': '86400' }),
  },
  {
    // Four requests, a creation and the list once more come one after the other: nothing else is under way.
    name: 'dies after the sixth request',
    verdict: nothing,
    says: /connection refused: is the service running/,
    start: async () => {
      let count = 0;
      let running: Running | undefined;
      running = await start((patched) => {
        const { write } = patched;
        patched.write = (response, reply, request) => {
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
    verdict: broken,
    says: /list\.data-array: failed, expected a JSON object with an array `data`/,
    start: async () => {
      const service = await start((patched) => {
        patched.handle = ({ headers, body, path }) => ({
          status: 200,
          headers: { 'x-echo': JSON.stringify(headers) },
          body: { path, headers, body },
        });
      });
      return service;
    },
  },
];
