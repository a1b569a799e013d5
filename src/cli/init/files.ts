import { existsSync } from 'node:fs';
import { parse } from 'dotenv';
import { stringify } from 'yaml';
import { SettingsError } from '../../settings/settings-error.ts';
import { BY_PROGRAM, SET_UPS } from './languages.ts';

export const CIS = ['github', 'gitlab', 'none'] as const;

/** What a project is set up with. */
export interface Setup {
  baseUrl: string;
  /** Empty: to be filled in by hand. */
  apiKey: string;
  /** Empty: the service runs already. */
  start: string;
  ci: (typeof CIS)[number];
  /** The action that holds the suite, for GitHub: it gets the key. */
  action: string;
}

/** `.env`, which a shell reads as the suite does. Throws a SettingsError where a value can't be written so. */
export function envFile({ baseUrl, apiKey, start }: Setup): string {
  const values = { BASE_URL: baseUrl, API_KEY: apiKey, ...(start && { CONFORMANCE_START: start }) };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${quoted(name, value)}\n`);
  return lines.join('');
}

function quoted(name: string, value: string): string {
  const text = [
    ...(/^[\w./:@%+,=-]*$/.test(value) ? [value] : []),
    ...(value.includes("'") ? [] : [`'${value}'`]),
    ...(/["$`\\!]/.test(value) ? [] : [`"${value}"`]),
  ].find((one) => parse(`${name}=${one}\n`)[name] === value);
  if (text !== undefined) return text;
  throw new SettingsError(
    `${name} has characters that .env and a shell don't read alike: run init without it, and set it in the environment.`,
  );
}

/** What a project needs before its service can be started; undefined where it runs already, or nothing tells. */
function setUpOf({ start }: Setup) {
  const file = start ? Object.keys(SET_UPS).find((one) => existsSync(one)) : undefined;
  return file === undefined ? BY_PROGRAM[start.split(' ')[0] ?? ''] : SET_UPS[file];
}

/** The key of a service that the job itself starts, where the project has no secret API_KEY: any does. */
const JOB_KEY = 'a-key-for-this-job-alone';

/** The workflow for GitHub. */
export function githubWorkflow(setup: Setup): string {
  const { baseUrl, start, action } = setup;
  const language = setUpOf(setup);
  const steps = [
    // What runs later can't push to the repository.
    { uses: 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683', with: { 'persist-credentials': false } },
    ...(language?.uses ? [{ uses: language.uses, with: language.with }] : []),
    ...(language?.run ? [{ run: language.run }] : []),
    {
      uses: action,
      with: { 'base-url': baseUrl, ...(start && { start }), artifact: 'conformance' },
      env: { API_KEY: start ? `\${{ secrets.API_KEY || '${JOB_KEY}' }}` : '${{ secrets.API_KEY }}' },
    },
  ];
  return stringify({
    name: 'conformance',
    on: ['push', 'pull_request'],
    permissions: { contents: 'read' },
    jobs: { conformance: { 'runs-on': 'ubuntu-latest', steps } },
  });
}

/** The job for GitLab. */
export function gitlabWorkflow(setup: Setup): string {
  const { baseUrl, start } = setup;
  const language = setUpOf(setup);
  const flags = [`--base-url ${inShell(baseUrl)}`, ...(start ? [`--start ${inShell(start)}`] : [])].join(' ');
  const packages = language?.packages ? [`apt-get update -qq && apt-get install -y -qq ${language.packages}`] : [];
  const prepare = [...packages, ...(language?.run ? [language.run] : [])];
  const conformance = {
    image: 'node:22',
    // A variable of the project wins.
    ...(start && { variables: { API_KEY: JOB_KEY } }),
    ...(prepare.length > 0 && { before_script: prepare }),
    script: ['npm i --no-save --ignore-scripts "$SUITE"', `node_modules/.bin/user-management-conformance ${flags}`],
    artifacts: { when: 'always', paths: ['reports'], reports: { junit: 'reports/junit.xml' } },
  };
  return stringify({ conformance });
}

const inShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
