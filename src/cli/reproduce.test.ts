import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { madeReport } from '../../tests/made-report.ts';
import { SettingsError } from '../settings/errors.ts';
import { reproduce } from './reproduce.ts';

const NOWHERE = 'http://127.0.0.1:1/v1';
const slug = 'retrieve.pattern';
const failed = { outcome: 'failed', reason: 'expected 1, got 2' } as const;
const topic = 'identifiers that are patterns or queries';
const reproduction = { seen: 3, tried: 3, topic, cases: [{ identifier: '"%%"' }] };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reproduce-'));
  for (const name of ['BASE_URL', 'API_KEY']) vi.stubEnv(name, undefined);
  vi.stubEnv('CONFORMANCE_REPORT_DIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a report with one failure. Returns its file. */
function written(row: object): string {
  const report = madeReport([{ slug, ...failed }]);
  const file = join(folder, 'conformance.json');
  const requirements = report.requirements.map((one) => (one.id === slug ? { ...one, ...row } : one));
  writeFileSync(file, JSON.stringify({ ...report, requirements }));
  return file;
}

/** What is said in the place of trying: whoever sends something to this address would say so in another way. */
async function refusal(...args: string[]): Promise<string> {
  const error: Error = await reproduce(args).then(
    (code) => new Error(`it was tried, with ${code}`),
    (reason) => reason,
  );
  expect(error, error.stack).toBeInstanceOf(SettingsError);
  expect(error.message.length).toBeLessThan(600);
  return error.message;
}

describe('what can not be tried', () => {
  test.each<[string[], Record<string, string>, RegExp]>([
    [[], {}, /^reproduce takes the slug of one requirement/],
    [[slug, 'x'], {}, /^reproduce takes the slug of one requirement/],
    [[slug, '--strict'], {}, /^Unknown option '--strict'\. reproduce takes/],
    [['list.answers'], {}, /^The report has no failure of "list.answers": what failed there is retrieve.pattern/],
    [['\u001b[31mx\n'], {}, /^The report has no failure of "\P{Cc}*": /u],
    [[slug], {}, /^reproduce needs the address of the service: set BASE_URL, in that run http:/],
    [[slug], { API_KEY: 'Reproduce-0815_Key.x' }, /^API_KEY is set and BASE_URL is not: /],
    [[slug], { BASE_URL: NOWHERE }, /API_KEY/],
    [[slug, '--base-url', 'file:///etc/passwd'], { API_KEY: 'Reproduce-0815_Key.x' }, /^BASE_URL must be an http/],
    [[slug, '--report-dir', '/nowhere/at-all'], {}, /^\/nowhere\/at-all can't be read/],
  ])('%j with %o', async (args, env, sentence) => {
    written({});
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    expect(await refusal(...args)).toMatch(sentence);
  });
});

describe('a report that nobody can trust', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  const withCases = (cases: unknown, more: object = {}) => ({ reproduction: { ...reproduction, cases, ...more } });
  test.each<[string, object | ((file: string, report: string) => void)]>([
    ['a foreign topic', withCases(reproduction.cases, { topic: 'rm -rf' })],
    [
      'a topic that another requirement judges',
      withCases([{ address: '"$local"$domain' }], { topic: 'unusual addresses' }),
    ],
    ['an identifier of its own', withCases([{ identifier: '../../admin' }])],
    ['another member', withCases([{ ...reproduction.cases[0], path: 'http://127.0.0.1:1/' }])],
    ['no members', withCases([{}])],
    ['no object', withCases(['"%%"'])],
    ['too many cases', withCases(Array.from({ length: 301 }, () => reproduction.cases[0]))],
    ['no cases', withCases([])],
    ['a script', { reproduction: { ...reproduction, script: 'touch FILE' } }],
    ['__proto__', (file, report) => writeFileSync(file, report.replaceAll('"identifier"', '"__proto__"'))],
    ['depth', (file, report) => writeFileSync(file, report.replaceAll('"\\"%%\\""', deep))],
    ['a size', (file) => writeFileSync(file, Buffer.alloc(65 * 1024 * 1024, ' '))],
  ])('%s', async (_, row) => {
    for (const [name, value] of Object.entries({ BASE_URL: NOWHERE, API_KEY: 'Reproduce-0815_Key.x' }))
      vi.stubEnv(name, value);
    const file = written(typeof row === 'function' ? { reproduction } : row);
    if (typeof row === 'function') row(file, readFileSync(file, 'utf8'));
    await refusal(slug);
  });

  test('a link', async () => {
    const link = join(folder, 'link.json');
    symlinkSync(written({ reproduction }), link);
    expect(await refusal(slug, '--report-dir', link)).toMatch(/is a symbolic link, which is not followed/);
  });
});
