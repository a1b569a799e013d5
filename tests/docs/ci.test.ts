import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { COMMAND, inFolder, run } from '../shell.ts';

interface Step {
  uses?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const snippets = (language: string) =>
  [...read('docs/ci.md').matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
const [oneStep = '', workflow = '', started = '', gitlab = ''] = snippets('yaml');
const stepsOf = (text: string) =>
  Object.values(parse(text).jobs as Record<string, { steps: Step[] }>).flatMap(({ steps }) => steps);

test('the lines for GitHub Actions use the action as it is, with the key as a variable', () => {
  const inputs = Object.keys(parse(read('action.yml')).inputs);
  const steps: Step[] = [...parse(oneStep), ...stepsOf(workflow), ...stepsOf(read('.github/workflows/ci.yml'))];
  const ours = steps.filter(({ uses = '' }) => uses === './' || uses.startsWith('OWNER/'));
  expect(ours).toHaveLength(3);
  for (const { uses, with: given = {}, env } of ours) {
    for (const input of Object.keys(given)) expect(inputs).toContain(input);
    expect(given).toHaveProperty('base-url');
    if (uses !== './') expect(env).toEqual({ API_KEY: '${{ secrets.API_KEY }}' });
  }
  for (const { uses = './' } of steps) expect(uses).toMatch(/^\.\/$|@v\d+$/);
});

test('a service that the run starts gets its key from the lines', () => {
  const inputs = Object.keys(parse(read('action.yml')).inputs);
  const examples = readdirSync(new URL('../../examples', import.meta.url)).map(
    (one) => `examples/${one}/conformance.yml`,
  );
  for (const steps of [parse(started) as Step[], ...examples.map((path) => stepsOf(read(path)))]) {
    const [ours, ...more] = steps.filter(({ uses = '' }) => uses.startsWith('OWNER/'));
    expect(more).toEqual([]);
    for (const input of Object.keys(ours?.with ?? {})) expect(inputs).toContain(input);
    expect(ours?.with).toMatchObject({ 'base-url': 'http://127.0.0.1:3000/v1', start: expect.any(String) });
    expect(ours?.env).toEqual({ API_KEY: 'a-key-for-this-job-alone' });
  }
});

test('the lines for GitLab CI keep the reports whatever the verdict', () => {
  const { conformance } = parse(gitlab);
  expect(conformance.script.at(-1)).toBe('npx user-management-conformance --base-url "$SERVICE_URL"');
  expect(conformance.artifacts).toMatchObject({ when: 'always', reports: { junit: 'reports/junit.xml' } });
});

test('the lines for a shell run as they stand', async () => {
  const [script = ''] = snippets('sh');
  const service = await start(brokenBy('total is a string'));
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'bin'));
    const npx = join(folder, 'bin/npx');
    writeFileSync(npx, `#!/bin/sh\n[ "$1" = user-management-conformance ] && shift && exec node "${COMMAND}" "$@"\n`);
    chmodSync(npx, 0o755);
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      API_KEY: service.apiKey,
      CONFORMANCE_ONLY: 'list.*',
    };
    const SERVICES = `broken=${service.baseUrl} empty=`;
    const { code, stdout, stderr } = await run('sh', ['-c', script], { ...env, SERVICES }, folder);
    expect(stdout).toContain('✗ MUST list.total-integer');
    expect(readdirSync(join(folder, 'reports'))).toEqual(['broken']);
    expect(stderr).toContain('BASE_URL is set but empty');
    expect(code).toBe(2);
    // No service at all is no pass.
    expect((await run('sh', ['-c', script], env, folder)).code).not.toBe(0);
  }).finally(service.close);
});
