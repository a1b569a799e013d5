import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { serveReference } from '../../reference/service.ts';
import { judge } from '../../src/api/judge.ts';
import { judgeKept } from '../run.ts';
import { brokenServices } from '../services/broken/index.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { variants } from '../services/variants/index.ts';
import { inFolder, installCommand, run } from '../shell.ts';
import { blocks, ROOT, read } from './text.ts';

/** Runs a shell block as it stands, where the package is installed. */
function shell(code: string, folder: string) {
  installCommand(folder);
  return run('sh', ['-c', code], {}, folder);
}

/** Lines as patterns: `…` stands for anything, a number for any. */
const patterns = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) =>
      line
        .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
        .replaceAll('…', '.*')
        .replaceAll(/\b\d+\b/g, '\\d+'),
    )
    .map((line) => new RegExp(`^${line}$`, 'm'));

test.concurrent('judging a service goes as the page shows it: a failure, known failures, an open gate', async () => {
  const service = await start(brokenBy('total is a string'));
  const all = blocks(read('docs/judging-your-service.md'));
  const next = (language: string, part: string) => {
    const at = all.findIndex((block) => block.language === language && block.code.includes(part));
    const [block] = at < 0 ? [] : all.splice(0, at + 1).slice(-1);
    if (block === undefined) throw new Error(`no block with ${part}`);
    return block.code;
  };
  const env = next('ini', 'BASE_URL');
  const { BASE_URL = '', API_KEY = '' } = parse(env);
  const origin = (baseUrl: string) => new URL(baseUrl).origin;
  const shows = (stdout: string, text: string) => {
    const output = stdout.replaceAll(origin(service.baseUrl), origin(BASE_URL));
    for (const pattern of patterns(text)) expect(output).toMatch(pattern);
  };
  await inFolder(async (folder) => {
    writeFileSync(
      join(folder, '.env'),
      env.replace(BASE_URL, service.baseUrl).replace(API_KEY, service.apiKey),
    );
    const firstRun = next('text', 'Verdict');
    // The page tells the reader to export these variables.
    const { stdout } = await shell(`${next('sh', '. ./.env')}printf %s "$API_KEY"`, folder);
    expect(stdout).toBe(service.apiKey);

    const first = await shell('node_modules/.bin/user-management-conformance', folder);
    shows(first.stdout, firstRun);
    // Counts of outcomes are the same in each run.
    for (const [line] of firstRun.matchAll(/^ {2}(MUST|SHOULD) {2,}.*$/gm))
      expect(first.stdout).toContain(`${line}\n`);
    const [inReadme] = blocks(read('README.md')).filter(({ language }) => language === 'text');
    const readme = `${inReadme?.code}`
      .replace('https://api.example.com', origin(BASE_URL))
      // The README starts the suite in its clone.
      .replace('npm run conformance --', 'node_modules/.bin/user-management-conformance');
    shows(first.stdout, readme);
    expect(first.code).toBe(1);
    const known = join(folder, 'known.yml');
    const update = await shell(next('sh', '--update-known-failures'), folder);
    shows(update.stdout, next('text', 'Verdict'));
    expect(update.code).toBe(0);
    expect(readFileSync(known, 'utf8')).toContain('reason: "TODO: why is this accepted?"\n');
    writeFileSync(known, next('yaml', 'slug'));
    const second = await shell(next('sh', '--known-failures'), folder);
    shows(second.stdout, next('text', 'Verdict'));
    expect(second.code).toBe(0);
  }).finally(service.close);
});

test('the lines of the README check a service, and without one the reference', async () => {
  const service = await start(brokenBy('total is a string'));
  const [block] = blocks(read('README.md')).filter(({ language }) => language === 'sh');
  const lines = `${block?.code}`.trimEnd().split('\n');
  const [oneFile, , clone, install, check = ''] = lines;
  expect(lines).toHaveLength(5);
  expect(oneFile).toMatch(/^API_KEY=… node user-management-conformance\.mjs --base-url \S+$/);
  expect(clone).toContain('git clone');
  expect(install).toBe('npm ci');
  const [bare = ''] = /npm run conformance$/.exec(check) ?? [];
  const given = check
    .replace('https://api.example.com/v1', service.baseUrl)
    .replace('…', service.apiKey);
  await inFolder(async (folder) => {
    const env = { HOME: folder, CONFORMANCE_REPORT_DIR: join(folder, 'reports') };
    const only = { ...env, CONFORMANCE_ONLY: 'list.total-integer' };
    const judged = await run('sh', ['-c', given], only, ROOT);
    expect(judged.stdout).toContain('✗ MUST list.total-integer');
    expect(judged.code).toBe(1);
    const reference = await run('sh', ['-c', bare], only, ROOT);
    expect(reference.stdout).toContain('This was the embedded reference service');
    expect(reference.code).toBe(0);
  }).finally(service.close);
});

test('the numbers in the README are those of today', async () => {
  const readme = read('README.md');
  const [, requests, users] =
    /about (\d+) requests and creates about (\d+) users/.exec(readme) ?? [];
  const { baseUrl, close } = await serveReference('reference-key');
  const report = await judge({ baseUrl, apiKey: 'reference-key' }).finally(close);
  expect(Math.abs(report.requests - Number(requests))).toBeLessThan(50);
  expect(Math.abs(report.users.created - Number(users))).toBeLessThan(5);
  const [, broken, conforming] =
    /over (\d+) broken services,.*?, and over (\d+) unusual/s.exec(readme) ?? [];
  for (const [said, there] of [
    [broken, brokenServices.length],
    [conforming, variants.length],
  ] as const) {
    expect(Number(said)).toBeLessThan(there);
    expect(Number(said)).toBeGreaterThan(there * 0.8);
  }
});

test.concurrent('the line of SQL finds every user of a run, and nobody else', async () => {
  const sql = blocks(read('docs/judging-your-service.md')).filter(
    ({ language }) => language === 'sql',
  );
  const lines = sql.flatMap(({ code }) => code.trimEnd().split('\n'));
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).toMatch(
      / WHERE lower\(email\) LIKE '%malorine%' OR lower\(name\) LIKE '%malorine%';$/,
    );
  }
  const users: { email: string; name: string }[] = [];
  const service = await start((patched) => {
    patched.users.push({ id: 'ada', email: 'ada@example.org', name: 'Ada Lovelace' });
    const { store } = patched;
    patched.store = (user) => {
      users.push(user);
      store(user);
    };
  });
  const { tally } = await judgeKept(service).finally(service.close);
  const found = (text: string) => text.toLowerCase().includes(tally.tag);
  expect(tally.tag).toMatch(/^[a-z]{8}$/);
  expect(users.length).toBeGreaterThan(20);
  for (const { email, name } of users)
    expect(found(email) || found(name), `${email} ${name}`).toBe(true);
});
