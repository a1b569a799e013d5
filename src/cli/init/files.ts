import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { stringify } from 'yaml';
import { SettingsError } from '../../settings/settings-error.ts';

/** What a project is set up with. */
export interface Setup {
  baseUrl: string;
  /** Empty: to be filled in by hand. */
  apiKey: string;
  /** Empty: the service runs already. */
  start: string;
  ci: Ci;
}

export const CIS = ['github', 'gitlab', 'none'] as const;
export type Ci = (typeof CIS)[number];

/** A file to write; it is there already only where it is one that lines are added to. */
export interface NewFile {
  path: string;
  text: string;
  isSecret?: boolean;
}

/**
 * The files of a set-up that are to be written into a folder. Throws a SettingsError where one of them is there already, so
 * that nothing is written over.
 */
export function filesOf(setup: Setup, folder: string, repository: string): NewFile[] {
  const fresh = [
    { path: '.env', text: envFile(setup), isSecret: true },
    ...(setup.ci === 'github'
      ? [{ path: '.github/workflows/conformance.yml', text: githubWorkflow(setup, repository) }]
      : []),
    ...(setup.ci === 'gitlab' ? [{ path: '.gitlab-ci.yml', text: gitlabWorkflow(setup) }] : []),
  ];
  const there = fresh.find(({ path }) => existsSync(join(folder, path)));
  if (there)
    throw new SettingsError(`${there.path} is there already, and init writes over nothing: move it away first.`);
  return [...fresh, ...ignored(folder)];
}

function envFile({ baseUrl, apiKey, start }: Setup): string {
  const values = { BASE_URL: baseUrl, API_KEY: apiKey, ...(start && { CONFORMANCE_START: start }) };
  const text = Object.entries(values)
    .map(([name, value]) => `${name}=${quoted(value)}\n`)
    .join('');
  const [wrong] = Object.entries(values).find(([name, value]) => parse(text)[name] !== value) ?? [];
  if (wrong === undefined) return text;
  throw new SettingsError(`${wrong} has characters that .env can't hold together: set it in the environment.`);
}

/** A value that dotenv and a shell read alike. */
function quoted(value: string): string {
  if (/^[\w./:@%+,=~-]*$/.test(value)) return value;
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}

function ignored(folder: string): NewFile[] {
  const path = join(folder, '.gitignore');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const lines = before.split(/\r?\n/).map((line) => line.trim().replace(/^\/|\/$/g, ''));
  const missing = ['.env', 'reports/'].filter((one) => !lines.includes(one.replace(/\/$/, '')));
  if (missing.length === 0) return [];
  const end = before === '' || before.endsWith('\n') ? '' : '\n';
  return [{ path: '.gitignore', text: `${before}${end}${missing.join('\n')}\n` }];
}

function githubWorkflow({ baseUrl, start }: Setup, repository: string): string {
  const suite = {
    uses: `${repository}@v1`,
    with: { 'base-url': baseUrl, ...(start && { start }) },
    env: { API_KEY: '${{ secrets.API_KEY }}' },
  };
  const conformance = {
    'runs-on': 'ubuntu-latest',
    steps: [{ uses: 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683' }, suite],
  };
  const workflow = {
    name: 'conformance',
    on: ['push', 'pull_request'],
    permissions: { contents: 'read' },
    jobs: { conformance },
  };
  return `# ${repository} is where the suite is kept; API_KEY is a secret of this repository.\n${stringify(workflow)}`;
}

function gitlabWorkflow({ baseUrl, start }: Setup): string {
  const flags = [`--base-url ${inShell(baseUrl)}`, ...(start ? [`--start ${inShell(start)}`] : [])].join(' ');
  const conformance = {
    image: 'node:22',
    script: ['npm i --no-save --ignore-scripts "$SUITE"', `npx --no -- user-management-conformance ${flags}`],
    artifacts: { when: 'always', paths: ['reports'], reports: { junit: 'reports/junit.xml' } },
  };
  return `# The variables SUITE, the package of the suite, and API_KEY are those of the project.\n${stringify({ conformance })}`;
}

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
