import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parse, stringify } from 'yaml';
import { quote, sanitizeLine } from '../reports/text.ts';
import { orThrow, SettingsError } from '../settings/errors.ts';
import { causeOf, readUpTo } from '../settings/files.ts';
import { nameOf } from '../settings/names.ts';
import { readTarget } from '../settings/target.ts';
import { readText } from '../settings/text-file.ts';
import { readVariables } from '../settings/variables.ts';
import { parseFlags } from './flags.ts';
import { commandHere } from './made-by.ts';

const HINT =
  'init takes --base-url, --start, --ci and --action; the key is read from API_KEY or .env.';

/** The usual address of a service in development. */
const LOCAL = 'http://127.0.0.1:3000/v1';

const CIS = ['github', 'gitlab', 'none'];

/**
 * Sets up a project: writes `.env`, lines of `.gitignore` and, with --ci, a CI workflow. Reads flags,
 * the environment and `.env`; the user fills in the rest. Returns the text to print. Rejects with a
 * SettingsError if a flag is unusable or a file can't be written.
 */
export async function init(args: string[]): Promise<string> {
  const text = { type: 'string' } as const;
  const options = { 'base-url': text, start: text, ci: text, action: text };
  const { values } = parseFlags({ args, options }, HINT);
  return setUp(readSetup(values));
}

/** The values with which a project is set up. */
interface Setup {
  baseUrl: string;
  apiKey: string;
  /** Whether init has drawn the key. A service that the run starts gets it as API_KEY. */
  isDrawnKey: boolean;
  start: string;
  ci: string;
  /** The GitHub action that contains the suite and gets the key. */
  action: string;
}

function setUp(setup: Setup): string {
  const files: Record<string, string> = { '.env': envFileText(setup), ...makeWorkflow(setup) };
  const existing = Object.keys(files).filter(isThere);
  const missing = Object.entries(files).filter(([path]) => !existing.includes(path));
  if (missing.length === 0)
    throw new SettingsError(`${existing.join(', ')}: already there, and init overwrites no file.`);
  const modules = existsSync('node_modules') ? ['node_modules/'] : [];
  const written = ignore(['.env', 'reports/', ...modules]);
  for (const [path, content] of missing) written.push(write(path, content));
  const lines = [`Written: ${written.join(', ')}`];
  if (existing.length > 0) lines.push(`Unchanged: ${existing.join(', ')}`);
  const job = files[GITLAB];
  if (job !== undefined && existing.includes(GITLAB))
    lines.push(`Add to ${GITLAB}:`, ...job.trimEnd().split('\n'));
  lines.push(...nextSteps(setup, existing.includes('.env')));
  return lines.map((line) => `${sanitizeLine(line)}\n`).join('');
}

/** Returns sentences on the steps that are left to the user. */
function nextSteps(setup: Setup, hasEnvFile: boolean): string[] {
  const { baseUrl, apiKey, start, ci, action, isDrawnKey } = setup;
  const exception = start ? ', unless the service accepts any key that it gets as API_KEY' : '';
  const isGitlab = ci === 'gitlab';
  const steps: [applies: boolean, step: string][] = [
    [
      !hasEnvFile && baseUrl === LOCAL,
      `The address in .env is ${LOCAL}: change it if the service is elsewhere.`,
    ],
    [
      isDrawnKey,
      'The key in .env is a new one: replace it unless the service takes its key from API_KEY.',
    ],
    [apiKey === '', 'Add the key to .env, after API_KEY='],
    [
      ci === 'github',
      `Add the secret API_KEY to the repository at GitHub${exception}: ${action} gets it.`,
    ],
    [isGitlab, 'Add the variable SUITE, the package of the suite, to the project.'],
    [isGitlab, `Add API_KEY as well${exception}.`],
  ];
  return [
    ...steps.filter(([applies]) => applies).map(([, step]) => step),
    ...(hasEnvFile ? missingLines(setup) : []).map((line) => `Add to .env: ${line}`),
    `Check the service: ${commandHere()}`,
  ];
}

/** Returns the lines that an existing `.env` needs for this setup. Its own values stay. */
function missingLines(setup: Setup): string[] {
  const { values } = readVariables(process.env, process.cwd());
  const lines = envFileText(setup).trimEnd().split('\n');
  return lines.filter((line) => values[line.split('=')[0] ?? ''] === undefined);
}

/** Reads the flags, which win over the environment and `.env`. Throws a SettingsError. */
function readSetup(flags: Partial<Record<string, string>>): Setup {
  const { values } = readVariables(process.env, process.cwd());
  const baseUrl = flags['base-url'] ?? (values.BASE_URL || LOCAL);
  const start = flags.start ?? values.CONFORMANCE_START ?? '';
  const { ci = 'none', action = '' } = flags;
  const isDrawnKey = !values.API_KEY && start !== '' && !existsSync('.env');
  const apiKey = isDrawnKey ? randomBytes(16).toString('hex') : (values.API_KEY ?? '');
  // Refuses a target that a run would refuse.
  readTarget(baseUrl, apiKey || 'any-key-4711');
  const fault = findAddressFault(baseUrl, start, ci) ?? findFlagFault(start, ci, action);
  if (fault !== undefined) throw new SettingsError(fault);
  const ref = action.includes('@') ? action : `${action}@v1`;
  return { baseUrl, apiKey, isDrawnKey, start, ci, action: ref };
}

function findAddressFault(baseUrl: string, start: string, ci: string): string | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const url = new URL(baseUrl);
  if (!/\/v1\/?$/.test(url.pathname)) {
    url.pathname = `${url.pathname.replace(/\/(v1(\/.*)?)?$/i, '')}/v1`;
    return `${nameOf('BASE_URL')} must end in /v1: did you mean ${url}?`;
  }
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  if (ci === 'none' || start !== '' || !isLocal) return undefined;
  return `In CI no service runs at ${baseUrl}: add --start, or set --base-url to an address that CI reaches.`;
}

/** A secret in clear text, not a variable. */
const SECRET =
  /:\/\/[^\s/@]*:[^\s/@$]+@|bearer\s+[^\s"'$]|(api[-_]?key|token|secret|password)["']?(=|:\s*|(?<=--\S*)\s+)["']?[^\s"'$=-]/i;

/** An action at GitHub, but not the placeholder of the documentation. */
const ACTION = /^(?!OWNER\/REPOSITORY)[\w-]+\/[\w.-]+(\/[\w./-]+)?(@[\w./-]+)?$/;

function findFlagFault(start: string, ci: string, action: string): string | undefined {
  if (SECRET.test(start)) {
    return 'The command contains a key or a password, which the files would show: the service gets API_KEY instead.';
  }
  if (!CIS.includes(ci)) return `--ci must be one of ${CIS.join(', ')}.`;
  if (ci !== 'github' || ACTION.test(action)) return undefined;
  return '--ci github gives API_KEY to the action, so name its repository: --action OWNER/REPOSITORY@REF.';
}

/** Returns the text of `.env`, which also a shell can read. Throws a SettingsError if it couldn't. */
function envFileText({ baseUrl, apiKey, start }: Setup): string {
  const values = { BASE_URL: baseUrl, API_KEY: apiKey, ...(start && { CONFORMANCE_START: start }) };
  const lines = Object.entries(values).map(([name, value]) => `${name}=${quoteValue(name, value)}`);
  return `${lines.join('\n')}\n`;
}

function quoteValue(name: string, value: string): string {
  if (/^[\w./:@%+,=-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  if (!/["$`\\!]/.test(value)) return `"${value}"`;
  throw new SettingsError(
    `${name} has characters that .env and a shell don't read alike: run init without it, and set it in the environment.`,
  );
}

/** The key of a service that the job starts, if the project has no secret API_KEY. */
const JOB_KEY = 'a-key-for-this-job-alone';

const GITLAB = '.gitlab-ci.yml';

/** Returns the workflow of GitHub or GitLab by its path. */
function makeWorkflow({ ci, baseUrl, start, action }: Setup): Record<string, string> {
  if (ci === 'none') return {};
  const text = readText('./workflows.yml', import.meta.url);
  const { github, gitlab, programs, files } = parse(text, { merge: true });
  const file = start ? Object.keys(files).find((path) => existsSync(path)) : undefined;
  const [program = ''] = start.split(' ');
  const { uses, with: inputs, run, packages } = files[file ?? ''] ?? programs[program] ?? {};
  if (ci === 'github') {
    const { steps } = github.jobs.conformance;
    if (uses) steps.push({ uses, with: inputs });
    if (run) steps.push({ run });
    const settings = { 'base-url': baseUrl, ...(start && { start }), artifact: 'conformance' };
    const key = start ? `\${{ secrets.API_KEY || '${JOB_KEY}' }}` : '${{ secrets.API_KEY }}';
    steps.push({ uses: action, with: settings, env: { API_KEY: key } });
    return { '.github/workflows/conformance.yml': stringify(github) };
  }
  const install = packages && `apt-get update -qq && apt-get install -y -qq ${packages}`;
  const before = [install, run].filter(Boolean);
  if (before.length > 0) gitlab.before_script = before;
  // A variable of the project has precedence.
  if (start) gitlab.variables = { API_KEY: JOB_KEY };
  const flags = `--base-url ${quote(baseUrl)}${start && ` --start ${quote(start)}`}`;
  gitlab.script.push(`node_modules/.bin/user-management-conformance ${flags}`);
  return { [GITLAB]: stringify({ conformance: gitlab }) };
}

/** Whether a path exists. Throws a SettingsError if it is, or leads through, a symbolic link. */
function isThere(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink())
    throw new SettingsError(`${path} is a symbolic link, and init writes through none.`);
  if (path.includes('/')) isThere(dirname(path));
  return entry !== undefined;
}

/**
 * Writes a new file, or appends to one with the flag `a`. Only the user may read `.env`. Returns
 * the path. Throws a SettingsError.
 */
function write(path: string, text: string, flag: 'wx' | 'a' = 'wx'): string {
  const action = () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag, mode: path === '.env' ? 0o600 : 0o666 });
  };
  orThrow(action, (error) => new SettingsError(`${path} can't be written (${causeOf(error)}).`));
  return path;
}

/**
 * Adds the entries that .gitignore lacks, or that a later line takes back. Returns the written
 * paths. Throws a SettingsError.
 */
function ignore(entries: string[]): string[] {
  const toError = (clause: string) => new SettingsError(`.gitignore ${clause}.`);
  const before = isThere('.gitignore') ? `${readUpTo('.gitignore', 2 ** 20, toError)}` : '';
  const trimSlashes = (entry: string) => entry.trim().replace(/^\/|\/$/g, '');
  const lines = before.split('\n').map(trimSlashes);
  const effective = lines.slice(lines.findLastIndex((line) => line.startsWith('!')) + 1);
  const missing = entries.filter((entry) => !effective.includes(trimSlashes(entry)));
  if (missing.length === 0) return [];
  const isLineOpen = /[^\n]$/.test(before);
  return [write('.gitignore', `${isLineOpen ? '\n' : ''}${missing.join('\n')}\n`, 'a')];
}
