import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { parse, stringify } from 'yaml';
import { quote, sanitizeLine } from '../reports/text.ts';
import { codeOf, orThrow, SettingsError } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import { settingRows } from '../settings/table.ts';
import { readTarget } from '../settings/target.ts';
import { readVariables } from '../settings/variables.ts';
import { namingFlags, parseFlags } from './flags.ts';

const HINT =
  'init takes --base-url, --start, --ci and --action; the key is read from API_KEY or .env.';

/** Where a service usually is while it is developed. */
const LOCAL = 'http://127.0.0.1:3000/v1';

const CIS = ['github', 'gitlab', 'none'];

/**
 * Sets a project up: writes .env, lines of .gitignore and, where it is wanted, the workflow for a CI. What neither a
 * flag nor the environment nor `.env` says is to be filled in there. Returns what to print. Rejects with a
 * SettingsError where a flag is unusable or nothing can be written.
 */
export async function init(args: string[]): Promise<string> {
  const text = { type: 'string' } as const;
  const options = { 'base-url': text, start: text, ci: text, action: text };
  const { values } = parseFlags({ args, options }, HINT);
  const typed = settingRows.flatMap(({ flag = '', variable }) =>
    Object.hasOwn(values, flag) ? [[variable, '']] : [],
  );
  return namingFlags(Object.fromEntries(typed), () => setUp(readSetup(values)));
}

function setUp(setup: Setup): string {
  const { baseUrl, apiKey, start, ci, action, isMadeKey } = setup;
  const files: Record<string, string> = { '.env': envFile(setup), ...workflow(setup) };
  const there = Object.keys(files).filter(isThere);
  const missing = Object.entries(files).filter(([path]) => !there.includes(path));
  if (missing.length === 0)
    throw new SettingsError(`${there.join(', ')}: already there, and init overwrites no file.`);
  const written = ignore([
    '.env',
    'reports/',
    ...(existsSync('node_modules') ? ['node_modules/'] : []),
  ]);
  for (const [path, content] of missing) written.push(write(path, content));
  const isNew = !there.includes('.env');
  const unless = start ? ', unless the service accepts any key that it gets as API_KEY' : '';
  const job = there.includes(GITLAB) && files[GITLAB];
  const lines = [
    `Written: ${written.join(', ')}`,
    there.length > 0 && `Unchanged: ${there.join(', ')}`,
    ...(job ? [`Add to ${GITLAB}:`, ...job.trimEnd().split('\n')] : []),
    isNew &&
      baseUrl === LOCAL &&
      `The address in .env is ${LOCAL}: change it if the service is elsewhere.`,
    isNew &&
      isMadeKey &&
      'The key in .env is a new one: replace it unless the service takes its key from API_KEY.',
    apiKey === '' && 'Add the key to .env, after API_KEY=',
    ci === 'github' &&
      `Add the secret API_KEY to the repository at GitHub${unless}: ${action} gets it.`,
    ci === 'gitlab' && 'Add the variable SUITE, the package of the suite, to the project.',
    ci === 'gitlab' && `Add API_KEY as well${unless}.`,
    ...(isNew ? [] : missingFrom(setup)).map((line) => `Add to .env: ${line}`),
    `Check the service: ${relative('', process.argv[1] ?? '')}`,
  ];
  return lines.map((line) => (line === false ? '' : `${sanitizeLine(line)}\n`)).join('');
}

/** Returns the lines that an existing `.env` lacks for a run as it was asked for; its own values stay. */
function missingFrom(setup: Setup): string[] {
  const { values } = readVariables(process.env, process.cwd());
  const lines = envFile(setup).trimEnd().split('\n');
  return lines.filter((line) => values[line.split('=')[0] ?? ''] === undefined);
}

/** What a project is set up with: the action is the one that holds the suite, for GitHub, which gets the key. */
interface Setup {
  baseUrl: string;
  apiKey: string;
  /** Whether init has made the key, for a service that the run starts: it gets the key as API_KEY. */
  isMadeKey: boolean;
  start: string;
  ci: string;
  action: string;
}

/** Reads the flags, which win over the environment and `.env`. Throws a SettingsError. */
function readSetup(flags: Partial<Record<string, string>>): Setup {
  const { values } = readVariables(process.env, process.cwd());
  const baseUrl = flags['base-url'] ?? (values.BASE_URL || LOCAL);
  const start = flags.start ?? values.CONFORMANCE_START ?? '';
  const { ci = 'none', action = '' } = flags;
  const isMadeKey = !values.API_KEY && start !== '' && !existsSync('.env');
  const apiKey = isMadeKey ? randomBytes(16).toString('hex') : (values.API_KEY ?? '');
  // Refuses what a run would refuse.
  readTarget(baseUrl, apiKey || 'any-key-4711');
  const fault = faultInAddress(baseUrl, start, ci) ?? faultInSetup(start, ci, action);
  if (fault !== undefined) throw new SettingsError(fault);
  const ref = action.includes('@') ? action : `${action}@v1`;
  return { baseUrl, apiKey, isMadeKey, start, ci, action: ref };
}

function faultInAddress(baseUrl: string, start: string, ci: string): string | undefined {
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

/** A secret that is written out, and not a variable that has it. */
const SECRET =
  /:\/\/[^\s/@]*:[^\s/@$]+@|bearer\s+[^\s"'$]|(api[-_]?key|token|secret|password)["']?(=|:\s*|(?<=--\S*)\s+)["']?[^\s"'$=-]/i;

/** An action at GitHub, but not the one of the documentation. */
const ACTION = /^(?!OWNER\/REPOSITORY)[\w-]+\/[\w.-]+(\/[\w./-]+)?(@[\w./-]+)?$/;

function faultInSetup(start: string, ci: string, action: string): string | undefined {
  if (SECRET.test(start)) {
    return 'The command contains a key or a password, which the files would show: the service gets API_KEY instead.';
  }
  if (!CIS.includes(ci)) return `--ci must be one of ${CIS.join(', ')}.`;
  if (ci !== 'github' || ACTION.test(action)) return undefined;
  return '--ci github gives API_KEY to the action, so name its repository: --action OWNER/REPOSITORY@REF.';
}

/** `.env`, which a shell reads as the suite does. Throws a SettingsError where a value can't be written so. */
function envFile({ baseUrl, apiKey, start }: Setup): string {
  const values = { BASE_URL: baseUrl, API_KEY: apiKey, ...(start && { CONFORMANCE_START: start }) };
  return Object.entries(values).reduce(
    (text, [name, value]) => `${text}${name}=${quoted(name, value)}\n`,
    '',
  );
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

const GITLAB = '.gitlab-ci.yml';

/** The workflow of GitHub or GitLab, by its path. */
function workflow({ ci, baseUrl, start, action }: Setup): Record<string, string> {
  if (ci === 'none') return {};
  const text = readFileSync(new URL('./workflows.yml', import.meta.url), 'utf8');
  const { github, gitlab, programs, files } = parse(text, { merge: true });
  const [file = ''] = start ? Object.keys(files).filter((one) => existsSync(one)) : [];
  const [program = ''] = start.split(' ');
  const { uses, with: inputs, run, packages } = files[file] ?? programs[program] ?? {};
  if (ci === 'github') {
    const key = start ? `\${{ secrets.API_KEY || '${JOB_KEY}' }}` : '${{ secrets.API_KEY }}';
    const settings = { 'base-url': baseUrl, ...(start && { start }), artifact: 'conformance' };
    const suite = { uses: action, with: settings, env: { API_KEY: key } };
    github.jobs.conformance.steps.push(
      ...(uses ? [{ uses, with: inputs }] : []),
      ...(run ? [{ run }] : []),
      suite,
    );
    return { '.github/workflows/conformance.yml': stringify(github) };
  }
  const install = packages && `apt-get update -qq && apt-get install -y -qq ${packages}`;
  const before = [install, run].filter(Boolean);
  if (before.length > 0) gitlab.before_script = before;
  // A variable of the project wins.
  if (start) gitlab.variables = { API_KEY: JOB_KEY };
  const flags = `--base-url ${quote(baseUrl)}${start && ` --start ${quote(start)}`}`;
  gitlab.script.push(`node_modules/.bin/user-management-conformance ${flags}`);
  return { [GITLAB]: stringify({ conformance: gitlab }) };
}

/** Whether a path of this directory exists. Throws a SettingsError where it is a link or leads through one. */
function isThere(path: string): boolean {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink())
    throw new SettingsError(`${path} is a symbolic link, and init writes through none.`);
  if (path.includes('/')) isThere(dirname(path));
  return entry !== undefined;
}

/**
 * Writes a new file, for the user alone where it is `.env`, or adds to one. Returns its path. Throws a SettingsError.
 */
function write(path: string, text: string, flag: 'wx' | 'a' = 'wx'): string {
  const act = () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag, mode: path === '.env' ? 0o600 : 0o666 });
  };
  orThrow(act, (error) => new SettingsError(`${path} can't be written (${codeOf(error)}).`));
  return path;
}

/**
 * Adds lines to .gitignore for what git does not ignore yet. Returns the paths that were written. Throws a
 * SettingsError where git would take `.env` all the same.
 */
function ignore(entries: string[]): string[] {
  const before = isThere('.gitignore') ? readFileSync('.gitignore', 'utf8') : '';
  const bare = (entry: string) => entry.trim().replace(/^\/|\/$/g, '');
  const lines = before.split('\n').map(bare);
  const missing = entries.filter((entry) => !(isIgnored(entry) ?? lines.includes(bare(entry))));
  if (missing.length === 0) return [];
  write('.gitignore', `${/(^|\n)$/.test(before) ? '' : '\n'}${missing.join('\n')}\n`, 'a');
  if (isIgnored('.env') !== false) return ['.gitignore'];
  throw new SettingsError(
    'git does not ignore .env, though .gitignore names it: try `git rm --cached .env`.',
  );
}

/**
 * What git says; undefined where there is no git, this is none of its directories, or the path leads through a link.
 */
function isIgnored(path: string): boolean | undefined {
  const { API_KEY: _, ...env } = process.env;
  // The configuration of a checkout may name a program.
  const args = ['-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', path];
  const { status } = spawnSync('git', args, { env, stdio: 'ignore' });
  return status === 0 ? true : status === 1 ? false : undefined;
}
