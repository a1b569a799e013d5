import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { inFolder } from '../shell.ts';
import { ADDRESS, API_KEY, GITHUB, init } from './init.ts';

interface Step {
  uses: string;
  run?: string;
  with?: Record<string, unknown>;
  env?: Record<string, string>;
}

/** Returns the steps of the workflow that init wrote. */
function stepsIn(folder: string): Step[] {
  const workflow = readFileSync(join(folder, '.github/workflows/conformance.yml'), 'utf8');
  return parse(workflow).jobs.conformance.steps;
}

test.concurrent.each([
  ['package-lock.json', 'setup-node', 'npm ci'],
  ['requirements.txt', 'setup-python', 'pip install -r requirements.txt'],
  ['pom.xml', 'setup-java', 'mvn -B -q package -DskipTests'],
  ['go.mod', 'setup-go', 'go build ./...'],
])('the workflow builds a project with %s, and leaves its .env', async (file, action, command) => {
  await inFolder(async (folder) => {
    for (const name of ['package.json', file]) writeFileSync(join(folder, name), '');
    writeFileSync(join(folder, '.env'), 'BASE_URL=mine\n');
    const args = [...ADDRESS, ...GITHUB, '--start', 'make serve'];
    const { code, stdout, stderr } = await init(args, folder);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(stdout).toContain(
      'Unchanged: .env\nAdd the secret API_KEY to the repository at GitHub, unless the service accepts any key that it gets as API_KEY: us/suite@v1 gets it.\n',
    );
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('BASE_URL=mine\n');
    const [checkout, setUp, build, suite] = stepsIn(folder);
    expect(checkout?.with).toEqual({ 'persist-credentials': false });
    expect(setUp?.uses).toMatch(new RegExp(`^actions/${action}@[0-9a-f]{40}$`));
    expect(build).toEqual({ run: command });
    const env = { API_KEY: "${{ secrets.API_KEY || 'a-key-for-this-job-alone' }}" };
    expect(suite).toMatchObject({ uses: 'us/suite@v1', with: { start: 'make serve' }, env });
  });
});

test.concurrent('without a file of a language, the start command shows the language', async () => {
  await inFolder(async (folder) => {
    await init([...ADDRESS, ...GITHUB, '--start', 'java Service.java'], folder);
    const actions = stepsIn(folder).map(({ uses }) => uses.split('@')[0]);
    expect(actions).toEqual(['actions/checkout', 'actions/setup-java', 'us/suite']);
  });
});

test.concurrent('the workflow takes the address and the command from .env', async () => {
  await inFolder(async (folder) => {
    const baseUrl = 'http://127.0.0.1:4000/v1';
    const env = `BASE_URL=${baseUrl}\nAPI_KEY='${API_KEY}'\nCONFORMANCE_START='make run'\n`;
    writeFileSync(join(folder, '.env'), env);
    const { stdout, stderr } = await init(GITHUB, folder, {});
    expect(stderr).toBe('');
    expect(stdout).toContain('Unchanged: .env\n');
    expect(stdout).not.toContain('Add the key to .env');
    const inputs = { 'base-url': baseUrl, start: 'make run' };
    expect(stepsIn(folder).at(-1)?.with).toMatchObject(inputs);
  });
});

test.concurrent('init prints the job for a .gitlab-ci.yml that exists', async () => {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, '.gitlab-ci.yml'), 'stages: [test]\n');
    const { stdout } = await init([...ADDRESS, '--ci', 'gitlab'], folder);
    expect(stdout).toContain(
      'Unchanged: .gitlab-ci.yml\nAdd to .gitlab-ci.yml:\nconformance:\n  image: node:22\n',
    );
    expect(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8')).toBe('stages: [test]\n');
  });
});

test.concurrent('a job for GitLab starts the service with a key of the job', async () => {
  await inFolder(async (folder) => {
    await init([...ADDRESS, '--start', 'npm start', '--ci', 'gitlab'], folder);
    const { conformance } = parse(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8'));
    expect(conformance.variables).toEqual({ API_KEY: 'a-key-for-this-job-alone' });
    expect(conformance.script.at(-1)).toBe(
      "node_modules/.bin/user-management-conformance --base-url 'https://api.example.com/v1' --start 'npm start'",
    );
  });
});
