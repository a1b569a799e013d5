import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingRows } from '../../src/settings/table.ts';
import { installModules } from '../packed.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { runNode, VITEST } from '../shell.ts';
import { blocks, ROOT, read } from './text.ts';

const page = read('docs/judging-your-service.md');
const [judging = '', inVitest = ''] = blocks(page).flatMap(({ language, code }) =>
  language === 'ts' ? code : [],
);

const KEY = 'a-key-for-tests';

/** A service for the example, which is conforming but for what `spoil` does to its answers. */
const service = (spoil: string) => `
import type { IncomingMessage, ServerResponse } from 'node:http';
const users = new Map<string, object>();
const spoil = (json: string) => ${spoil};
export async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += part;
  const answer = (status: number, value?: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json', 'www-authenticate': 'Bearer' });
    response.end(spoil(JSON.stringify(value ?? {})));
  };
  const [, id] = /^\\/v1\\/users(?:\\/([^/]+))?$/.exec(request.url ?? '') ?? [];
  if (!request.url?.startsWith('/v1/users')) return answer(404);
  const [, key] = /^bearer +(\\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (key !== '${KEY}') return answer(401);
  if (request.method === 'POST' && id === undefined) {
    let value: { email?: unknown; name?: unknown } | undefined;
    try {
      value = JSON.parse(body);
    } catch {}
    if (typeof value?.email !== 'string' || typeof value.name !== 'string') return answer(400);
    const user = { id: crypto.randomUUID(), email: value.email, name: value.name };
    users.set(user.id, user);
    response.setHeader('location', \`/v1/users/\${user.id}\`);
    return answer(201, user);
  }
  if (id !== undefined) return users.has(id) ? answer(200, users.get(id)) : answer(404);
  return answer(200, { data: [...users.values()], total: users.size });
}
`;

const TSCONFIG = {
  compilerOptions: {
    ...{
      module: 'NodeNext',
      target: 'ES2023',
      types: ['node'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    },
    ...{ allowImportingTsExtensions: true, exactOptionalPropertyTypes: true },
  },
  include: ['*.ts', '*/*.ts'],
};

/** The change to their responses, the key, and the setting in place of `strict: true`. */
const SERVICES: Record<string, { spoil?: string; key?: string; setting?: string }> = {
  conforming: {},
  broken: { spoil: 'json.replace(/"total":(\\d+)/, \'"total":"$1"\')' },
  locked: { key: 'another-key' },
  misspelt: { setting: "only: ['list.total']" },
};

interface Results {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
}

test('the page has every setting that has a flag, by its flag', () => {
  const flags = [...page.matchAll(/^\| `\w+` \| `--([\w-]+)` \|/gm)].map(([, flag]) => flag);
  const ofTheCommand = ['start', 'start-timeout', 'reuse', 'baseline', 'fail-on'];
  for (const flag of ofTheCommand) expect(page).toContain(`\`--${flag}\``);
  expect(flags).toEqual(
    settingRows.flatMap(({ flag = '' }) => (['', ...ofTheCommand].includes(flag) ? [] : [flag])),
  );
});

describe('the examples, as they stand', () => {
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-examples-'));
    // The project has Vitest itself.
    await installModules(folder, ['@types/node', 'undici-types', 'vitest']);
    write('package.json', '{ "type": "module" }');
    for (const [name, given] of Object.entries(SERVICES)) {
      const { spoil = 'json', key = KEY, setting = 'strict: true' } = given;
      mkdirSync(join(folder, name));
      const tests = inVitest.replace(KEY, key).replace('strict: true', setting);
      write(`${name}/conformance.test.ts`, tests);
      write(`${name}/service.ts`, service(spoil));
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  test('a program judges', async () => {
    // Node runs what TypeScript would make of it: there are no types in it.
    const target = await start(brokenBy('total is a string'));
    write('judge.js', judging);
    const env = { SERVICE_URL: target.baseUrl, API_KEY: target.apiKey };
    const judged = await runNode(['judge.js'], env, folder).finally(target.close);
    expect(judged.stderr).toBe('');
    expect(judged.stdout).toMatch(/^passed list\.answers/m);
    expect(judged.stdout).toMatch(/^failed list\.total-integer .+/m);
    expect(judged.stdout).toMatch(/^non-conformant \(partial\) \S+/m);
    expect(judged.code).toBe(1);
  });

  test('tests of Vitest pass where the service conforms, and fail where it does not; a wrong key is one failed test', async () => {
    // In one thread, which takes half of the time.
    const light = ['--pool', 'threads', '--no-isolate', '--maxWorkers', '1'];
    const args = [
      VITEST,
      'run',
      '--root',
      folder,
      ...light,
      '--reporter',
      'json',
      '--reporter',
      'default',
    ];
    const { code, stderr } = await runNode([...args, '--outputFile', 'results.json'], {}, folder);
    expect(code).toBe(1);
    expect(stderr).toContain('list.total-integer');
    const { testResults }: Results = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'));
    const failedIn = (name: string) => {
      const { assertionResults = [] } =
        testResults.find((one) => one.name.includes(`/${name}/`)) ?? {};
      expect(assertionResults.length).toBeGreaterThan(60);
      return assertionResults.filter(({ status }) => status === 'failed').map(({ title }) => title);
    };
    expect(failedIn('conforming')).toEqual([]);
    expect(failedIn('broken')).toEqual(['list.total-integer']);
    // The service ends with the tests.
    expect(stderr).not.toContain('curl ');
    expect(stderr).toContain("npx vitest run broken/conformance.test.ts -t 'list.total-integer$'");
    expect(stderr).toContain('with this apiKey: is it the right key?');
    expect(failedIn('locked')).toHaveLength(1);
    expect(failedIn('misspelt')).toEqual([]);
    const refused =
      'Error: No requirement matches "list.total": did you mean list.total-integer?\n';
    expect(stderr.split(refused)).toHaveLength(2);
    expect(stderr).not.toContain('user-management-conformance/dist');
  });

  test('they are typed', async () => {
    write('judge.ts', judging);
    const wrong =
      "import { judge } from 'user-management-conformance';\n// @ts-expect-error\nawait judge({ baseUrl: 1 });\n";
    write('wrong.ts', wrong);
    write('tsconfig.json', JSON.stringify(TSCONFIG));
    const checked = await runNode([join(ROOT, 'node_modules/typescript/bin/tsc')], {}, folder);
    expect(checked.stdout).toBe('');
    expect(checked.code).toBe(0);
  });
});
