import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createService } from '../../reference/service.ts';
import type { JudgeSettings } from '../../src/api/judge.ts';
import { judge } from '../../src/api/judge.ts';
import { certificate } from '../services/certificate.ts';
import { listen } from '../services/listen.ts';
import { brokenBy } from '../services/named.ts';
import { type Patch, start } from '../services/service.ts';
import { COMMAND, filesBelow, inFolder, run, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const [ID, SECRET] = ['31c4f0.access', 'G4teway/Secret+0815=='];

/** A gateway that lets nobody in without its headers, and shows in each answer what it got. */
const gateway: Patch = (service) => {
  const { handle } = service;
  service.handle = async (request) => {
    const { 'x-gate-id': id, 'x-gate-secret': secret, cookie = '' } = request.headers;
    if (id !== ID || secret !== SECRET || !cookie.endsWith('route=blue')) {
      return {
        status: 403,
        body: { error: 'gateway', got: { 'x-gate-id': id, 'x-gate-secret': secret } },
      };
    }
    const { headers = {}, body, ...reply } = await handle(request);
    const debug = { encoded: Buffer.from(SECRET).toString('base64'), secret, id };
    const shown =
      typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, debug } : body;
    return {
      ...reply,
      headers: { ...headers, 'x-debug': `${id} ${encodeURIComponent(SECRET)}` },
      body: shown,
    };
  };
};

const HEADERS = `X-Gate-Id: ${ID}\nX-Gate-Secret: ${SECRET}\nCookie: route=blue`;

test.concurrent('the headers of a gateway go with every request; their values and the key are kept secret', async () => {
  const service = await start(brokenBy('total is a string'), gateway);
  await inFolder(async (folder) => {
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const flags = HEADERS.split('\n').flatMap((line) => ['--header', line]);
    const { code, stdout, stderr } = await runNode(
      [COMMAND, ...flags],
      { ...env, DEBUG: '*' },
      folder,
    );
    expect(stderr).toBe('');
    // The gateway let every request in that carried the headers: else more would fail than this.
    expect(stdout).toContain('Verdict: non-conformant. 1 requirement failed: list.total-integer.');
    expect(stdout).toContain('✗ MUST list.total-integer');
    expect(code).toBe(1);
    // Node would print every request.
    const debugged = await runCommand(flags, { ...env, NODE_DEBUG: '*' }, folder);
    expect(debugged.stderr).toContain('NODE_DEBUG makes Node print requests');
    expect(debugged.code).toBe(2);
    const shown = [
      { path: 'the screen', content: `${stdout}${debugged.stdout}${debugged.stderr}` },
      ...filesBelow(folder),
    ];
    const secrets = [ID, SECRET, service.apiKey];
    const base64 = secrets.map((secret) => Buffer.from(secret).toString('base64'));
    const writings = [
      ...secrets,
      ...secrets.map(encodeURIComponent),
      ...base64,
      'G4teway',
      '0815==',
    ];
    const told = shown.flatMap(({ path, content }) =>
      writings.filter((one) => content.includes(one)).map(() => path),
    );
    expect(told).toEqual([]);
    const har = shown.find(({ path }) => path.endsWith('exchanges.har'))?.content ?? '';
    const requests = JSON.parse(har).log.entries.map(({ request }: { request: unknown }) =>
      JSON.stringify(request),
    );
    for (const request of requests)
      expect(request).toContain('{"name":"X-Gate-Id","value":"<CONFORMANCE_HEADERS>"}');

    const [, repeat = ''] = /repeat {4}(curl .*)/.exec(stdout) ?? [];
    const repeated = await run(
      'sh',
      ['-c', repeat],
      { ...env, CONFORMANCE_HEADERS: HEADERS },
      folder,
    );
    expect(repeated.stdout).toMatch(/^HTTP\/1\.1 200 OK/);
  }).finally(service.close);
});

test.concurrent('a value that every answer holds anyway harms no verdict', async () => {
  const { baseUrl, apiKey, close } = await start();
  const headers = [
    `X-Forwarded-Host: ${new URL(baseUrl).host}`,
    'X-Kind: application/json',
    'X-Domain: example.com',
  ];
  const report = await judge({ baseUrl, apiKey, headers, strict: true }).finally(close);
  expect(report).toMatchObject({ verdict: 'conformant', because: 'Every MUST and SHOULD holds.' });
});

test.concurrent('a service that demands a client certificate', async () => {
  const [servers, mine, other] = await Promise.all([
    certificate(-1, 2),
    certificate(-1, 2),
    certificate(-1, 2),
  ]);
  const options = { key: servers.private, cert: servers.cert, ca: mine.cert, requestCert: true };
  const people = [{ email: 'ada@example.org', name: 'Ada Lovelace' }];
  const server = createServer(options, createService('Tls-0815_Key.x', people));
  const service = await listen(server, '/v1', 'Tls-0815_Key.x');
  const baseUrl = service.baseUrl.replace('http://127.0.0.1', 'https://localhost');
  await inFolder(async (folder) => {
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const { apiKey } = service;
    const ca = file('ca.pem', servers.cert);
    const stranger = {
      clientCert: file('other.pem', other.cert),
      clientKey: file('other.key', other.private),
    };
    const told = async (cert: Partial<JudgeSettings>) => {
      const report = await judge({ baseUrl, apiKey, ca, ...cert });
      return `${report.verdict}: ${report.requirements.map(({ reason }) => reason).join()}`;
    };
    expect(await told({})).toMatch(/^inconclusive: .*does the server ask for a client certificate/);
    expect(await told(stranger)).toMatch(/^inconclusive: .*or for another \(clientCert\)/);

    const run = (CONFORMANCE_CLIENT_KEY: string) => {
      const env = {
        BASE_URL: baseUrl,
        API_KEY: apiKey,
        CONFORMANCE_CA: 'ca.pem',
        CONFORMANCE_CLIENT_CERT: 'mine.pem',
      };
      return runCommand(['--only', 'create.location'], { ...env, CONFORMANCE_CLIENT_KEY }, folder);
    };
    file('mine.pem', mine.cert);
    file('mine.key', mine.private);
    const [known, mismatch] = await Promise.all([run('mine.key'), run('other.key')]);
    expect(known.stdout).toContain('Verdict: conformant (partial).');
    expect(known.code).toBe(0);
    expect(mismatch.stderr).toBe(
      "The files for TLS can't be used: CONFORMANCE_CLIENT_KEY is the key of another certificate.\n",
    );
    expect(mismatch.code).toBe(2);
  }).finally(service.close);
});
