import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, request as forward } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { refresh } from '../../bin/build.mjs';
import { createService, serveReference } from '../../reference/service.ts';
import type { SkippedCase } from '../../src/history/history.ts';
import { senderFactory } from '../../src/http/senders.ts';
import { runCommand } from '../command/kept-command.ts';
import { freePort } from '../free-port.ts';
import { type JudgedRun, judgeAll } from '../run.ts';
import { certificate } from '../services/certificate.ts';
import { listen } from '../services/listen.ts';
import { COMMAND, contentOf, filesBelow, inFolder, reportIn, runNode } from '../shell.ts';

const API_KEY = 'network-test-key';

const SENDERS = new URL('../../dist/src/http/senders.js', import.meta.url).href;

/** The users from before each run. */
const PEOPLE = [{ email: 'ada@example.org', name: 'Ada Lovelace' }];

/** Starts the reference service behind TLS. */
async function serveTls({ private: key, cert }: { private: string; cert: string }) {
  const server = createTlsServer({ key, cert }, createService(API_KEY, PEOPLE));
  const running = await listen(server, '/v1', API_KEY);
  return { ...running, baseUrl: running.baseUrl.replace('http://127.0.0.1', 'https://localhost') };
}

/** Starts a proxy that counts its tunnels. */
async function serveProxy() {
  let tunnels = 0;
  const proxy = createHttpServer((request, response) => {
    const { hostname, port, pathname, search } = new URL(request.url ?? '');
    const { method, headers } = request;
    const through = forward(
      { host: hostname, port, path: pathname + search, method, headers },
      (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers);
        upstream.pipe(response);
      },
    );
    request.pipe(through);
  });
  proxy.on('connect', (request, socket) => {
    tunnels += 1;
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const through = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    through.on('error', () => socket.destroy());
    socket.on('error', () => socket.destroy());
  });
  const { baseUrl, close } = await listen(proxy, '', '');
  return { url: baseUrl, close, tunnels: () => tunnels };
}

/** Returns the reason why the list could not be verified. */
const listReason = ({ outcomes }: JudgedRun) =>
  outcomes.find(({ slug }) => slug === 'list.answers')?.reason;

const judge = (env: Record<string, string>) =>
  inFolder(async (folder) => ({
    ...(await runCommand([], { API_KEY, ...env }, folder)),
    report: reportIn(folder),
  }));

describe.concurrent('networks and TLS', () => {
  test('an IPv6 literal', async () => {
    const server = createHttpServer(createService(API_KEY, PEOPLE));
    await new Promise<void>((listening) => server.listen(0, '::1', listening));
    const baseUrl = `http://[::1]:${(server.address() as AddressInfo).port}/v1`;
    const run = await judgeAll({ baseUrl, apiKey: API_KEY });
    server.closeAllConnections();
    server.close();
    expect(run.notPassed()).toEqual([]);
  });

  test('a certificate that is not trusted, then named in CONFORMANCE_CA, through a proxy', async () => {
    const pair = await certificate(-1, 2);
    const [service, proxy] = await Promise.all([serveTls(pair), serveProxy()]);
    try {
      const untrusted = await judgeAll(service);
      expect(untrusted.slugs('failed')).toEqual([]);
      expect(listReason(untrusted)).toContain('CONFORMANCE_CA');
      await inFolder(async (folder) => {
        const CONFORMANCE_CA = join(folder, 'authority.pem');
        writeFileSync(CONFORMANCE_CA, pair.cert);
        const trusted = await judge({
          BASE_URL: service.baseUrl,
          CONFORMANCE_CA,
          HTTPS_PROXY: proxy.url,
        });
        expect(trusted.report?.requirements.filter(({ outcome }) => outcome !== 'passed')).toEqual(
          [],
        );
        expect(trusted.code).toBe(0);
      });
      expect(proxy.tunnels()).toBeGreaterThan(0);
    } finally {
      await Promise.all([service.close(), proxy.close()]);
    }
  });

  test('a header that a proxy takes as its own is not sent, and its case does not apply', async () => {
    const names = new Set<string | undefined>();
    const server = createHttpServer(createService(API_KEY, PEOPLE));
    server.on('request', ({ headers }) => names.add(headers.connection));
    const [service, proxy] = await Promise.all([listen(server, '/v1', API_KEY), serveProxy()]);
    await inFolder(async (folder) => {
      const env = { BASE_URL: service.baseUrl, API_KEY, HTTP_PROXY: proxy.url };
      const args = ['--only', 'guard.trusted-headers'];
      const { code } = await runCommand(args, env, folder);
      expect(code).toBe(0);
      const run = JSON.parse(contentOf(filesBelow(folder), 'run.json.gz'));
      const reasons = run.history.skipped.map(({ name, reason }: SkippedCase) => [name, reason]);
      expect(reasons).toContainEqual([
        expect.stringMatching(/^Connection with /),
        'the configured proxy consumes this header',
      ]);
    }).finally(() => Promise.all([service.close(), proxy.close()]));
    expect([...names].filter((name) => /x-/i.test(`${name}`))).toEqual([]);
  });

  test('neither a Host header with another name nor a Connection header changes the check of the certificate', async () => {
    const pair = await certificate(-1, 2);
    const service = await serveTls(pair);
    const { origin, port } = new URL(service.baseUrl);
    let sender = senderFactory({ ca: pair.cert })('new');
    const send = (from: string, headers = {}) =>
      sender.request({
        origin: from,
        method: 'GET',
        path: '/v1/users',
        headers: { host: 'internal', ...headers },
        signal: new AbortController().signal,
        onHead: () => 10_000,
      });
    const address = `https://127.0.0.1:${port}`;
    const connection = { connection: 'X-A' };
    const sent = [send(origin), send(address), send(origin, connection)];
    const responses = await Promise.all(sent).finally(() => sender.destroy());
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401]);
    sender = senderFactory()('new');
    for (const headers of [{}, connection]) {
      await expect(send(origin, headers)).rejects.toThrow(/self-signed certificate/);
    }
    await sender.destroy();
    await service.close();
  });

  test("the dispatcher of the process's own fetch stays as it is", async () => {
    await refresh();
    await inFolder(async (folder) => {
      const program = `const { senderFactory } = await import(${JSON.stringify(SENDERS)});
        senderFactory();
        const { Agent } = await import(${JSON.stringify(import.meta.resolve('undici'))});
        const [first, second] = [1, 2].map((number) => globalThis[Symbol.for('undici.globalDispatcher.' + number)]);
        console.log([first, second].map((dispatcher) => dispatcher instanceof Agent).join());`;
      writeFileSync(join(folder, 'program.mjs'), program);
      const { stdout, stderr } = await runNode(['program.mjs'], {}, folder);
      expect([stdout, stderr]).toEqual(['false,false\n', '']);
    });
  });

  test('an aborted request opens no further connection', async () => {
    let opened = 0;
    let givenUp = new AbortController();
    const server = createHttpServer((request, response) => {
      if (request.url === '/held') givenUp.abort(new Error('given up'));
      else response.end();
    });
    server.on('connection', () => {
      opened += 1;
    });
    const service = await listen(server, '', '');
    const senders = (['lane 1', 'lane 2'] as const).map(senderFactory());
    const [sendFirst, sendSecond] = senders.map((sender) => (path: string) => {
      const request = { origin: service.baseUrl, method: 'GET', path, headers: {} } as const;
      return sender.request({ ...request, signal: givenUp.signal, onHead: () => 10_000 });
    });
    await expect(sendFirst?.('/held')).rejects.toThrow('given up');
    givenUp = new AbortController();
    // A connection that replaces the first would be open before the second one.
    const response = await sendSecond?.('/').finally(() =>
      Promise.all(senders.map((sender) => sender.destroy())),
    );
    await service.close();
    expect([response?.statusCode, opened]).toEqual([200, 2]);
  });

  test('a certificate that has expired', async () => {
    const service = await serveTls(await certificate(-3, -1));
    const run = await judgeAll(service).finally(service.close);
    expect(run.slugs('failed')).toEqual([]);
    expect(listReason(run)).toMatch(/expired|not trusted/);
  });

  test('TLS to a plain port, and plain HTTP to a TLS port', async () => {
    const [plain, tls] = await Promise.all([
      serveReference(API_KEY, PEOPLE),
      serveTls(await certificate(-1, 2)),
    ]);
    const toPlain = await judgeAll({
      baseUrl: plain.baseUrl.replace('http:', 'https:'),
      apiKey: API_KEY,
    });
    const toTls = await judgeAll({
      baseUrl: tls.baseUrl.replace('https:', 'http:'),
      apiKey: API_KEY,
    });
    await Promise.all([plain.close(), tls.close()]);
    expect(listReason(toPlain)).toContain('should BASE_URL begin with http://?');
    expect(listReason(toTls)).toContain('begin with https://?');
  });

  test('a keep-alive time of a millisecond, twice', async () => {
    const runs = Array.from({ length: 2 }, async () => {
      const server = createHttpServer({ keepAliveTimeout: 1 }, createService(API_KEY, PEOPLE));
      const service = await listen(server, '/v1', API_KEY);
      return judgeAll(service).finally(service.close);
    });
    for (const run of await Promise.all(runs)) expect(run.notPassed()).toEqual([]);
  });

  test('two runs at the same time on one service', async () => {
    const service = await serveReference(API_KEY, PEOPLE);
    const target = { baseUrl: service.baseUrl, apiKey: API_KEY };
    const runs = await Promise.all([judgeAll(target), judgeAll(target)]).finally(service.close);
    expect(runs.flatMap((run) => run.reasons('failed'))).toEqual([]);
  });

  const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
  if (!hasNginx) console.log('nginx is not installed: no service behind it is judged');
  const testWithNginx: typeof test | (() => void) = hasNginx ? test : () => {};
  testWithNginx('nginx with gzip and TLS in front', async () => {
    const [pair, service] = await Promise.all([
      certificate(-1, 2),
      serveReference(API_KEY, PEOPLE),
    ]);
    await inFolder(async (folder) => {
      const port = await freePort();
      const writeFile = (name: string, text: string) => {
        writeFileSync(join(folder, name), text);
        return join(folder, name);
      };
      const authority = writeFile('cert.pem', pair.cert);
      writeFile('key.pem', pair.private);
      mkdirSync(join(folder, 'temp'));
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path temp;`)
        .join(' ');
      const config = writeFile(
        'nginx.conf',
        `daemon off; pid nginx.pid; error_log stderr;
         events {}
         http {
           access_log off; ${temporary} gzip on; gzip_min_length 1; gzip_types application/json; gzip_proxied any;
           server {
             listen 127.0.0.1:${port} ssl; ssl_certificate cert.pem; ssl_certificate_key key.pem;
             location / { proxy_pass ${service.baseUrl.replace('/v1', '')}; proxy_set_header Host $http_host; }
           }
         }`,
      );
      const nginx = spawn('nginx', ['-p', folder, '-c', config], { stdio: 'ignore' });
      try {
        await untilOpen(port);
        const env = { BASE_URL: `https://localhost:${port}/v1`, NODE_EXTRA_CA_CERTS: authority };
        // Node reads NODE_EXTRA_CA_CERTS only at its start, so the command runs in another process.
        const { code } = await runNode([COMMAND], { API_KEY, ...env }, folder);
        const failed = reportIn(folder)?.requirements.filter(
          ({ outcome, level }) => outcome !== 'passed' && level === 'MUST',
        );
        expect(failed).toEqual([]);
        expect(code).toBe(0);
      } finally {
        const ended = new Promise((end) => nginx.once('close', end));
        nginx.kill('SIGTERM');
        await ended;
      }
    }).finally(service.close);
  });
});

/** Waits until something accepts connections on a port; gives up after five seconds. */
async function untilOpen(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((later) => setTimeout(later, 50));
  }
}
