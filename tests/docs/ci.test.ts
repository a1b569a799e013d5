import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readFlags } from '../../src/cli/flags.ts';
import { brokenBy } from '../services/named.ts';
import { start } from '../services/service.ts';
import { inFolder, installCommand, run } from '../shell.ts';

interface Job {
  strategy?: { matrix: Record<string, number[]> };
  steps: Step[];
}

interface Step {
  uses?: string;
  env?: Record<string, string>;
  with?: Record<string, unknown>;
}

/** Requirements that need few requests. */
const FEW = 'authentication.retrieve-needs-key';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const snippets = (language: string) =>
  [
    ...read('docs/ci.md').matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
  ].map(([, code = '']) => code);
const [
  oneStep = '',
  workflow = '',
  started = '',
  matrix = '',
  daily = '',
  table = '',
  gitlab = '',
  parallel = '',
] = snippets('yaml');
const stepsOf = (text: string) =>
  Object.values(parse(text).jobs as Record<string, { steps: Step[] }>).flatMap(
    ({ steps }) => steps,
  );

test('the lines for GitHub Actions use the action as it is, with the key as a variable', () => {
  const inputs = Object.keys(parse(read('action.yml')).inputs);
  const steps: Step[] = [
    ...parse(oneStep),
    ...[workflow, daily, `jobs:\n${table}`, read('.github/workflows/ci.yml')].flatMap(stepsOf),
  ];
  const ours = steps.filter(({ uses = '' }) => uses === './release' || uses.startsWith('OWNER/'));
  expect(ours).toHaveLength(4);
  for (const { uses, with: given = {}, env } of ours) {
    for (const input of Object.keys(given)) expect(inputs).toContain(input);
    expect(given).toHaveProperty('base-url');
    if (uses !== './release') expect(env).toEqual({ API_KEY: '${{ secrets.API_KEY }}' });
  }
  for (const { uses = './release' } of steps)
    expect(uses).toMatch(/^\.\/release$|^OWNER\/REPOSITORY@v\d+$|@[0-9a-f]{40}$/);
});

test('the README has the lines for GitHub Actions', () => {
  expect(read('README.md')).toContain(`\`\`\`yaml\n${oneStep}\`\`\`\n`);
});

test('the release that is pushed is the version of the package', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(snippets('sh')[0]).toContain(
    `git push --force origin v${version} v${version.split('.')[0]}\n`,
  );
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
    expect(ours?.with).toMatchObject({
      'base-url': 'http://127.0.0.1:3000/v1',
      start: expect.any(String),
    });
    expect(ours?.env).toEqual({ API_KEY: 'a-key-for-this-job-alone' });
  }
});

test('the lines for GitLab CI keep the reports whatever the verdict', () => {
  const { conformance } = parse(gitlab);
  expect(conformance.script.at(-1)).toBe(
    'node_modules/.bin/user-management-conformance --base-url "$SERVICE_URL"',
  );
  expect(conformance.artifacts).toMatchObject({
    when: 'always',
    reports: { junit: 'reports/junit.xml' },
  });
});

test('the matrix of GitHub Actions has sixty seeds', () => {
  const { inputs } = parse(read('action.yml'));
  const { explore } = parse(matrix).jobs as Record<string, Job>;
  const { tens = [], ones = [] } = explore?.strategy?.matrix ?? {};
  const ours = (job: Job | undefined) =>
    job?.steps.find(({ uses = '' }) => uses.startsWith('OWNER/'));
  const given = ours(explore)?.with ?? {};
  const seeds = tens.flatMap((ten) =>
    ones.map((one) =>
      evaluated(`${given.seed}`, {
        'github.run_number': 417,
        'matrix.tens': ten,
        'matrix.ones': one,
      }),
    ),
  );
  expect(new Set(seeds).size).toBe(60);
  for (const seed of seeds)
    expect(readFlags(['--seed', seed]).values).toEqual({ CONFORMANCE_SEED: seed });
  for (const input of Object.keys(given)) expect(Object.keys(inputs)).toContain(input);
  expect(given).toMatchObject({ thorough: true, start: expect.any(String) });
});

test('the sixty jobs of GitLab CI run as they stand, each with its seed', async () => {
  const { explore } = parse(parallel);
  expect(explore.parallel).toBe(60);
  expect(explore.artifacts.paths).toEqual(['runs']);
  const service = await start(brokenBy('the guard matches the path exactly'));
  await inFolder(async (folder) => {
    installCommand(folder);
    const lines = (script: string[]) =>
      script.filter((line) => !line.startsWith('npm ')).join('\n');
    // The service of this test is there already.
    const script = lines(explore.script).replace('http://127.0.0.1:3000/v1', service.baseUrl);
    const little = {
      CONFORMANCE_BUDGET_S: '1',
      CONFORMANCE_MAX_REQUESTS: '100',
      CONFORMANCE_REUSE: '1',
    };
    for (const index of ['1', '2']) {
      const env = {
        API_KEY: service.apiKey,
        CI_PIPELINE_IID: '7',
        CI_NODE_INDEX: index,
        ...little,
      };
      const { code, stdout } = await run(
        'sh',
        ['-ec', script],
        { ...env, CONFORMANCE_ONLY: FEW },
        folder,
      );
      expect(code).toBe(1);
      expect(stdout).toContain('notice: nothing was started');
      const file = join(folder, `runs/${index}/conformance.json`);
      expect(JSON.parse(readFileSync(file, 'utf8')).coverage.seed).toBe(420 + Number(index));
    }
  }).finally(service.close);
});

test('the lines for a shell run as they stand', async () => {
  const script = snippets('sh').at(-1) ?? '';
  const service = await start(brokenBy('the guard matches the path exactly'));
  await inFolder(async (folder) => {
    installCommand(folder);
    const env = {
      API_KEY: service.apiKey,
      CONFORMANCE_ONLY: FEW,
    };
    const SERVICES = `broken=${service.baseUrl} empty=`;
    const { code, stdout, stderr } = await run('sh', ['-c', script], { ...env, SERVICES }, folder);
    expect(stdout).toContain('✗ MUST authentication.retrieve-needs-key');
    expect(readdirSync(join(folder, 'reports'))).toEqual(['broken']);
    expect(stderr).toContain('--base-url is set but empty');
    expect(code).toBe(2);
    // No service at all is no pass.
    expect((await run('sh', ['-c', script], env, folder)).code).not.toBe(0);
  }).finally(service.close);
});

/** Evaluates the expressions in a text as a runner does. */
function evaluated(text: string, values: Record<string, number>): string {
  return text.replace(/\$\{\{ ([\w.]+) \}\}/g, (_, name: string) => `${values[name]}`);
}
