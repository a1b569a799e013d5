import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createService } from '../../reference/service.ts';
import { PLACEHOLDERS } from '../../src/conduct/reproduction.ts';
import { HEADER_VALUE, KEY } from '../../src/http/key.ts';
import type { ReportedRequirement } from '../../src/reports/report.ts';
import { scriptText } from '../../src/reports/script.ts';
import { madeReport } from '../made-report.ts';
import { certificate } from '../services/certificate.ts';
import { listen } from '../services/listen.ts';
import { brokenBy } from '../services/named.ts';
import { type Patch, start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, run, runNode } from '../shell.ts';

const [ID, SECRET] = ['31c4f0.access', 'G4teway/Secret+0815=='];

/** A gateway that lets nobody in without its headers, and shows in each answer what it got. */
const gateway: Patch = (service) => {
  const { handle } = service;
  service.handle = async (request) => {
    const { 'x-gate-id': id, 'x-gate-secret': secret, cookie = '' } = request.headers;
    if (id !== ID || secret !== SECRET || !cookie.endsWith('route=blue')) {
      return { status: 403, body: { error: 'gateway', got: { 'x-gate-id': id, 'x-gate-secret': secret } } };
    }
    const { headers = {}, body, ...reply } = await handle(request);
    const debug = { encoded: Buffer.from(SECRET).toString('base64'), secret, id };
    const shown = typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, debug } : body;
    return { ...reply, headers: { ...headers, 'x-debug': `${id} ${encodeURIComponent(SECRET)}` }, body: shown };
  };
};

const HEADERS = `X-Gate-Id: ${ID}\nX-Gate-Secret: ${SECRET}\nCookie: route=blue`;

test.concurrent('the headers of a gateway go with every request, and their values are kept secret', async () => {
  const service = await start(brokenBy('total is a string'), gateway);
  await inFolder(async (folder) => {
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const flags = HEADERS.split('\n').flatMap((line) => ['--header', line]);
    const { code, stdout, stderr } = await runNode([COMMAND, ...flags], env, folder);
    expect(stderr).toBe('');
    // The gateway let every request in that carried the headers: else more would fail than this.
    expect(stdout).toContain('Verdict: non-conformant. 1 requirement failed.');
    expect(stdout).toContain('✗ MUST list.total-integer');
    expect(code).toBe(1);
    const shown = [{ path: 'the screen', content: stdout }, ...filesBelow(folder)];
    const writings = [
      ID,
      SECRET,
      encodeURIComponent(SECRET),
      Buffer.from(SECRET).toString('base64'),
      'G4teway',
      '0815==',
    ];
    for (const { path, content } of shown) {
      for (const writing of writings) expect(content, path).not.toContain(writing);
    }
    const har = shown.find(({ path }) => path.endsWith('exchanges.har'))?.content ?? '';
    const requests = JSON.parse(har).log.entries.map(({ request }: { request: unknown }) => JSON.stringify(request));
    for (const request of requests) expect(request).toContain('{"name":"X-Gate-Id","value":"<CONFORMANCE_HEADERS>"}');

    const [, repeat = ''] = /repeat {4}(curl .*)/.exec(stdout) ?? [];
    const repeated = await run('sh', ['-c', repeat], { ...env, CONFORMANCE_HEADERS: HEADERS }, folder);
    expect(repeated.stdout).toMatch(/^HTTP\/1\.1 200 OK/);
  }).finally(service.close);
});

test.concurrent('a script that shows a failure again sends the headers, too', async () => {
  const service = await start(gateway);
  const headers = {
    ...{ accept: 'application/json', authorization: `Bearer ${KEY}`, cookie: `session=1; ${HEADER_VALUE}` },
    ...{ 'X-Gate-Id': HEADER_VALUE, 'X-Gate-Secret': HEADER_VALUE },
  };
  const request = { method: 'GET' as const, path: `${PLACEHOLDERS.base}/users`, headers };
  const steps = [
    { do: 'fill' as const, users: 1 },
    { do: 'send' as const, request, seen: '200' },
  ];
  const [requirement] = madeReport([{ slug: 'list.answers' }]).requirements;
  const script = { steps, fault: { kind: 'success' as const }, expected: 'nothing', got: 'the list' };
  const text = scriptText(script, requirement as ReportedRequirement, service.baseUrl);
  await inFolder(async (folder) => {
    const env = { API_KEY: service.apiKey };
    const HEADER = HEADERS.replace('Cookie: ', 'Cookie: session=2; ');
    const shown = await run('sh', ['-c', text], { ...env, CONFORMANCE_HEADERS: HEADER }, folder);
    expect(shown.stdout).toContain('The fault shows: status 200');
    expect(shown.code).toBe(1);
    const without = await run('sh', ['-c', text], env, folder);
    expect(without.stderr).toContain('CONFORMANCE_HEADERS: set it to the headers of the run');
    expect([0, 1]).not.toContain(without.code);
  }).finally(service.close);
});

test.concurrent('a value that every answer holds anyway harms no verdict', async () => {
  const service = await start();
  await inFolder(async (folder) => {
    const host = new URL(service.baseUrl).host;
    const CONFORMANCE_HEADERS = `X-Forwarded-Host: ${host}\nAccept: application/json\nX-Domain: example.com`;
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey, CONFORMANCE_HEADERS };
    const { code, stdout } = await runNode([COMMAND, '--strict'], env, folder);
    expect(stdout).toContain('Verdict: conformant. Every MUST and SHOULD holds.');
    expect(code).toBe(0);
  }).finally(service.close);
});

test.concurrent('a service that demands a client certificate', async () => {
  const [servers, mine, other] = await Promise.all([certificate(-1, 2), certificate(-1, 2), certificate(-1, 2)]);
  const options = { key: servers.private, cert: servers.cert, ca: mine.cert, requestCert: true };
  const people = [{ email: 'ada@example.org', name: 'Ada Lovelace' }];
  const server = createServer(options, createService('Tls-0815_Key.x', people));
  const service = await listen(server, '/v1', 'Tls-0815_Key.x');
  const BASE_URL = service.baseUrl.replace('http://127.0.0.1', 'https://localhost');
  await inFolder(async (folder) => {
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return name;
    };
    const trust = { BASE_URL, API_KEY: service.apiKey, CONFORMANCE_CA: file('ca.pem', servers.cert) };
    const cert = { CONFORMANCE_CLIENT_CERT: file('mine.pem', mine.cert) };
    const judge = (env: Record<string, string>, ...args: string[]) =>
      runNode([COMMAND, ...args], { ...trust, ...env }, folder);

    const [without, stranger, mismatch, known] = await Promise.all([
      judge({}, '--only', 'list.answers'),
      judge({
        CONFORMANCE_CLIENT_CERT: file('other.pem', other.cert),
        CONFORMANCE_CLIENT_KEY: file('other.key', other.private),
      }),
      judge({ ...cert, CONFORMANCE_CLIENT_KEY: 'other.key' }),
      judge({ ...cert, CONFORMANCE_CLIENT_KEY: file('mine.key', mine.private), CONFORMANCE_REPORT_DIR: 'known' }),
    ]);
    expect(without.stdout).toContain('does the server ask for a client certificate');
    expect(without.code).toBe(3);
    expect(stranger.stdout).toContain('or for another (CONFORMANCE_CLIENT_CERT)');
    expect(stranger.code).toBe(3);
    expect(mismatch.stderr).toBe(
      "The files for TLS can't be used: CONFORMANCE_CLIENT_KEY is the key of another certificate.\n",
    );
    expect(mismatch.code).toBe(2);
    expect(known.stdout).toContain('Verdict: conformant. Every MUST holds.');
    expect(known.code).toBe(0);
  }).finally(service.close);
});
