import { existsSync, readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { quote } from '../../reports/text.ts';
import { SettingsError } from '../../settings/settings-error.ts';

export const CIS = ['github', 'gitlab', 'none'] as const;

/** What a project is set up with. */
export interface Setup {
  baseUrl: string;
  /** Empty: to be filled in by hand. */
  apiKey: string;
  /** Empty: the service is already running. */
  start: string;
  ci: (typeof CIS)[number];
  /** The action that holds the suite, for GitHub: it gets the key. */
  action: string;
}

/** `.env`, which a shell reads as the suite does. Throws a SettingsError where a value can't be written so. */
export function envFile({ baseUrl, apiKey, start }: Setup): string {
  const values = { BASE_URL: baseUrl, API_KEY: apiKey, ...(start && { CONFORMANCE_START: start }) };
  return Object.entries(values).reduce((text, [name, value]) => `${text}${name}=${quoted(name, value)}\n`, '');
}

function quoted(name: string, value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  if (!/["$`\\!]/.test(value)) return `"${value}"`;
  throw new SettingsError(
    `${name} has characters that .env and a shell don't read alike: run init without it, and set it in the environment.`,
  );
}

/** The key of a service that the job itself starts, where the project has no secret API_KEY: any does. */
const JOB_KEY = 'a-key-for-this-job-alone';

/** The workflows of GitHub and GitLab that a project may want, by their paths. */
export function workflow({ ci, baseUrl, start, action }: Setup): Record<string, string> {
  if (ci === 'none') return {};
  const { github, gitlab, programs, files } = parse(readFileSync(new URL('./workflows.yml', import.meta.url), 'utf8'), {
    merge: true,
  });
  const [file = ''] = start ? Object.keys(files).filter((one) => existsSync(one)) : [];
  const [program = ''] = start.split(' ');
  const { uses, with: inputs, run, packages } = files[file] ?? programs[program] ?? {};
  if (ci === 'github') {
    const key = start ? `\${{ secrets.API_KEY || '${JOB_KEY}' }}` : '${{ secrets.API_KEY }}';
    const settings = { 'base-url': baseUrl, ...(start && { start }), artifact: 'conformance' };
    const suite = { uses: action, with: settings, env: { API_KEY: key } };
    github.jobs.conformance.steps.push(...(uses ? [{ uses, with: inputs }] : []), ...(run ? [{ run }] : []), suite);
    return { '.github/workflows/conformance.yml': stringify(github) };
  }
  const before = [
    ...(packages ? [`apt-get update -qq && apt-get install -y -qq ${packages}`] : []),
    ...(run ? [run] : []),
  ];
  if (before.length > 0) gitlab.before_script = before;
  // A variable of the project wins.
  if (start) gitlab.variables = { API_KEY: JOB_KEY };
  const flags = `--base-url ${quote(baseUrl)}${start && ` --start ${quote(start)}`}`;
  gitlab.script.push(`node_modules/.bin/user-management-conformance ${flags}`);
  return { '.gitlab-ci.yml': stringify({ conformance: gitlab }) };
}
