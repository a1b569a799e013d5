import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeExchange } from '../../tests/made-report.ts';
import { inFolder } from '../../tests/shell.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { KEY } from '../http/key.ts';
import { repeatLines } from './curl.ts';
import { exchangeText } from './exchange-text.ts';
import { Html, html } from './html.ts';
import { sanitize } from './text.ts';

const exchange = (request: Partial<ShownExchange['request']>): ShownExchange =>
  madeExchange({ request: { method: 'GET', path: '/v1/users', headers: {}, ...request } });

const linesFor = (exchange: ShownExchange, origin = 'http://127.0.0.1:3000') =>
  repeatLines([{ exchange }], `${origin}/v1`);

const curlFor = (exchange: ShownExchange, origin?: string) => linesFor(exchange, origin).join('\n');

/** Runs a command in a shell in which curl prints its arguments as JSON. */
function argumentsOf(line: string, API_KEY: string): Promise<string[]> {
  return inFolder(async (folder) => {
    const curlHere = join(folder, 'curl');
    writeFileSync(
      curlHere,
      `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(2)));\n`,
    );
    chmodSync(curlHere, 0o755);
    const env = { PATH: `${folder}:${process.env.PATH}`, API_KEY };
    const child = spawn('sh', ['-c', line], { env });
    let out = '';
    for await (const chunk of child.stdout) out += chunk;
    return JSON.parse(out);
  });
}

test('a curl command repeats the request character by character', async () => {
  const body = JSON.stringify({ email: 'o@example.com', name: `O'Brien "Bob" \`id\` $HOME \\ !` });
  const line = curlFor(
    exchange({
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
      body,
    }),
    'http://127.0.0.1:3000',
  );
  expect(line).toContain('$API_KEY');
  expect(await argumentsOf(line, `k'e"y $x`)).toEqual([
    '-sS',
    '-i',
    '--globoff',
    '--path-as-is',
    '-X',
    'POST',
    '-H',
    'content-type: application/json',
    '-H',
    `authorization: Bearer k'e"y $x`,
    '--data-binary',
    body,
    'http://127.0.0.1:3000/v1/users',
  ]);
});

test('a curl command decodes the response if the request accepts a content coding', () => {
  const lineFor = (coding: string) =>
    curlFor(exchange({ headers: { 'accept-encoding': coding } }), 'http://127.0.0.1');
  expect(lineFor('gzip, br')).toContain(' --compressed ');
  expect(lineFor('identity')).not.toContain('--compressed');
});

test.each([
  ['<API_KEY without its last character>', 'Secret/Key'],
  ['<API_KEY without its first character>', 'ecret/Key1'],
  ['<API_KEY in swapped case>', 'sECRET/kEY1'],
  ['<base64 of API_KEY and a colon>', Buffer.from('Secret/Key1:').toString('base64')],
])('a curl command computes %s from the key', async (mark, value) => {
  const line = curlFor(
    exchange({ headers: { authorization: `Bearer ${mark}` } }),
    'http://127.0.0.1',
  );
  expect(await argumentsOf(line, 'Secret/Key1')).toContain(`authorization: Bearer ${value}`);
});

test('a curl command sends an absolute URL as the request target', async () => {
  const line = curlFor(exchange({ path: 'http://localhost/v1/users' }), 'http://127.0.0.1:3000');
  const args = await argumentsOf(line, 'key');
  expect(args.slice(-3)).toEqual([
    '--request-target',
    'http://localhost/v1/users',
    'http://127.0.0.1:3000',
  ]);
});

test('a curl command encodes a key in the query, and sends an empty header and an empty body', async () => {
  const query = curlFor(exchange({ path: `/v1/users?api_key=${KEY}` }), 'http://127.0.0.1');
  expect(await argumentsOf(query, 'a/b=c d')).toContain(
    'http://127.0.0.1/v1/users?api_key=a%2Fb%3Dc%20d',
  );
  const empty = curlFor(
    exchange({ method: 'POST', headers: { authorization: '' }, body: '' }),
    'http://127.0.0.1',
  );
  const args = await argumentsOf(empty, 'key');
  expect(args).toContain('authorization;');
  expect(args.slice(args.indexOf('--data-binary'))[1]).toBe('');
});

test('sanitized text has no escape sequences, control characters or reordered text', () => {
  const nasty = '\u001b[2J\u0007\u0000\u009b31m \u202etxt\u2028 ok\n';
  expect(sanitize(nasty)).toBe('\\u001b[2J\\u0007\\u0000\\u009b31m \\u202etxt\\u2028 ok\n');
  expect(sanitize('{\r\n}')).toBe('{\\r\n}');
  const response = {
    status: 200,
    headers: [['x', nasty]] as [string, string][],
    body: nasty,
    bodyBytes: 4_000_000,
    byteOrderMark: false,
    keyInBody: false,
    keyInHeader: false,
  };
  const text = exchangeText({ ...exchange({}), response });
  expect(text).not.toContain('\u001b');
  expect(text).toContain('(4000000 bytes)');
});

test('a request with a cut body has no command to repeat it', () => {
  const request = { method: 'POST', body: `${'x'.repeat(2000)}…`, cut: true } as const;
  expect(linesFor(exchange(request))).toEqual([]);
});

test('text in a template is escaped, and HTML is not escaped again', () => {
  const text = `<script>'"&amp;`;
  const escaped = '&lt;script&gt;&#39;&quot;&amp;amp;';
  expect(`${html`<p title="${text}">${text}</p>`}`).toBe(`<p title="${escaped}">${escaped}</p>`);
  expect(`${html`<ul>${[text, 'b'].map((item) => html`<li>${item}</li>`)}</ul>`}`).toBe(
    `<ul><li>${escaped}</li><li>b</li></ul>`,
  );
  expect(`${html`${new Html('<b>')}${[['&']]}`}`).toBe('<b>&amp;');
});

test('a template shows numbers and omits booleans, null and undefined', () => {
  expect(`${html`${0}|${false}|${true}|${null}|${undefined}|${''}`}`).toBe('0|||||');
});
