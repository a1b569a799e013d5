import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createService } from '../../reference/service.ts';
import { type JudgeSettings, judge } from '../../src/api/judge.ts';
import { certificate } from '../services/certificate.ts';
import { listen } from '../services/listen.ts';
import { brokenBy } from '../services/named.ts';
import { type Patch, start } from '../services/service.ts';
import { COMMAND, contentOf, FEW, filesBelow, inFolder, run, runNode } from '../shell.ts';
import { runCommand } from './kept-command.ts';

const ID = '31c4f0.access';
const SECRET = 'G4teway/Secret+0815==';

/** A gateway that rejects requests without its headers, and repeats them in each response. */
const gateway: Patch = (service) => {
  const { handle } = service;
  service.handle = async (request) => {
    const { 'x-gate-id': id, 'x-gate-secret': secret, cookie = '' } = request.headers;
    if (id !== ID || secret !== SECRET || !cookie.endsWith('route=blue')) {
      const received = { 'x-gate-id': id, 'x-gate-secret': secret };
      return { status: 403, body: { error: 'gateway', received } };
    }
    const { headers, body, ...reply } = await handle(request);
    const debug = { encoded: Buffer.from(SECRET).toString('base64'), secret, id };
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
    return {
      ...reply,
      headers: { ...headers, 'x-debug': `${id} ${encodeURIComponent(SECRET)}` },
      body: isObject ? { ...body, debug } : body,
    };
  };
};

const HEADERS = `X-Gate-Id: ${ID}\nX-Gate-Secret: ${SECRET}\nCookie: route=blue`;

/** Returns the forms of a secret that a response may repeat. */
const formsOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64'),
];

test.concurrent('each request has the headers of a gateway; no output shows them', async () => {
  const service = await start(brokenBy('total is a string'), gateway);
  await inFolder(async (folder) => {
    const env = { BASE_URL: service.baseUrl, API_KEY: service.apiKey };
    const flags = HEADERS.split('\n').flatMap((line) => ['--header', line]);
    const args = [COMMAND, '--only', 'list.*', 'create.*', ...flags];
    const { code, stdout, stderr } = await runNode(args, { ...env, DEBUG: '*' }, folder);
    expect(stderr).toBe('');
    // More requirements would fail if the gateway had rejected a request.
    expect(stdout).toContain(
      'Verdict: non-conformant (partial). 1 requirement failed: list.total-integer.',
    );
    expect(stdout).toContain('✗ MUST list.total-integer');
    expect(code).toBe(1);
    // With NODE_DEBUG, Node would print every request.
    const debugged = await runCommand(flags, { ...env, NODE_DEBUG: '*' }, folder);
    expect(debugged.stderr).toContain('NODE_DEBUG makes Node print requests');
    expect(debugged.code).toBe(2);

    const files = filesBelow(folder);
    const screen = `${stdout}${debugged.stdout}${debugged.stderr}`;
    const outputs = [{ path: 'the screen', content: screen }, ...files];
    const secrets = [ID, SECRET, service.apiKey].flatMap(formsOf);
    for (const secret of [...secrets, 'G4teway', '0815==']) {
      const leaks = outputs.filter(({ content }) => content.includes(secret));
      expect(leaks.map(({ path }) => path)).toEqual([]);
    }
    const entries: { request: unknown }[] = JSON.parse(contentOf(files, 'exchanges.har')).log
      .entries;
    for (const { request } of entries) {
      expect(JSON.stringify(request)).toContain(
        '{"name":"X-Gate-Id","value":"<CONFORMANCE_HEADERS>"}',
      );
    }

    const [, curlLine = ''] = /repeat {4}(curl .*)/.exec(stdout) ?? [];
    const curlEnv = { ...env, CONFORMANCE_HEADERS: HEADERS };
    const repeated = await run('sh', ['-c', curlLine], curlEnv, folder);
    expect(repeated.stdout).toMatch(/^HTTP\/1\.1 200 OK/);
  }).finally(service.close);
});

test.concurrent('a header value that responses contain anyway changes no verdict', async () => {
  const { baseUrl, apiKey, close } = await start();
  const headers = [
    `X-Forwarded-Host: ${new URL(baseUrl).host}`,
    'X-Kind: application/json',
    'X-Domain: example.com',
  ];
  const only = ['list.*', 'create.*', 'authentication.*'];
  const settings = { baseUrl, apiKey, headers, strict: true, only };
  expect((await judge(settings).finally(close)).verdict).toBe('conformant');
});

test.concurrent('a service requires a client certificate', async () => {
  const [serverCert, accepted, rejected] = await Promise.all([
    certificate(-1, 2),
    certificate(-1, 2),
    certificate(-1, 2),
  ]);
  const options = {
    key: serverCert.private,
    cert: serverCert.cert,
    ca: accepted.cert,
    requestCert: true,
  };
  const users = [{ email: 'ada@example.org', name: 'Ada Lovelace' }];
  const server = createServer(options, createService('Tls-0815_Key.x', users));
  const service = await listen(server, '/v1', 'Tls-0815_Key.x');
  const baseUrl = service.baseUrl.replace('http://127.0.0.1', 'https://localhost');
  await inFolder(async (folder) => {
    const { apiKey } = service;
    const certificateFiles = {
      'ca.pem': serverCert.cert,
      'accepted.pem': accepted.cert,
      'accepted.key': accepted.private,
      'rejected.pem': rejected.cert,
      'rejected.key': rejected.private,
    };
    for (const [name, text] of Object.entries(certificateFiles))
      writeFileSync(join(folder, name), text);
    const reasonsWith = async (settings: Partial<JudgeSettings>) => {
      const report = await judge({ baseUrl, apiKey, ca: join(folder, 'ca.pem'), ...settings });
      return `${report.verdict}: ${report.requirements.map(({ reason }) => reason).join()}`;
    };
    expect(await reasonsWith({})).toMatch(
      /^inconclusive: .*does the server ask for a client certificate/,
    );
    const otherCertificate = {
      clientCert: join(folder, 'rejected.pem'),
      clientKey: join(folder, 'rejected.key'),
    };
    expect(await reasonsWith(otherCertificate)).toMatch(
      /^inconclusive: .*or for another \(clientCert\)/,
    );

    const runWithKey = (keyFile: string) => {
      const env = {
        BASE_URL: baseUrl,
        API_KEY: apiKey,
        CONFORMANCE_CA: 'ca.pem',
        CONFORMANCE_CLIENT_CERT: 'accepted.pem',
        CONFORMANCE_CLIENT_KEY: keyFile,
      };
      return runCommand(FEW, env, folder);
    };
    const match = await runWithKey('accepted.key');
    expect(match.stdout).toContain('Verdict: conformant (partial).');
    expect(match.code).toBe(0);
    const mismatch = await runWithKey('rejected.key');
    expect(mismatch.stderr).toBe(
      "The files for TLS can't be used: CONFORMANCE_CLIENT_KEY is the key of another certificate.\n",
    );
    expect(mismatch.code).toBe(2);
  }).finally(service.close);
});
