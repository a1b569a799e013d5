import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SettingsError } from '../../settings/settings-error.ts';
import { readTarget } from '../../settings/target.ts';
import { parseFlags } from '../parse-flags.ts';
import { CIS, type Ci, filesOf, type NewFile, type Setup } from './files.ts';
import { type Ask, withQuestions } from './questions.ts';

export const INIT_USAGE = `  user-management-conformance init [--base-url URL] [--start COMMAND] [--ci ${CIS.join('|')}]
`;

const HINT = `init takes --base-url, --start and --ci; the key is read from API_KEY, or asked for.`;

/**
 * Sets a project up: writes .env, lines of .gitignore and, where it is wanted, the workflow for a CI. What no flag says is
 * asked for at a terminal. Returns what to print. Throws a SettingsError where an answer is unusable or a file is there.
 */
export async function init(args: string[]): Promise<string> {
  const options = {
    'base-url': { type: 'string' },
    start: { type: 'string' },
    ci: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseFlags({ args, options }, HINT);
  if (values.help) return INIT_USAGE;
  const given: Partial<Setup> = {
    ...(values['base-url'] !== undefined && { baseUrl: readBaseUrl(values['base-url']) }),
    ...(values.start !== undefined && { start: values.start }),
    ...(values.ci !== undefined && { ci: readCi(values.ci) }),
    ...(process.env.API_KEY && { apiKey: readKey(process.env.API_KEY) }),
  };
  const folder = process.cwd();
  const repository = repositoryOfSuite();
  // Before anybody answers questions in vain.
  filesOf({ ...defaults, ...given }, folder, repository);
  const setup = await completed(given);
  const files = filesOf(setup, folder, repository);
  for (const file of files) write(folder, file);
  const key = setup.apiKey === '' ? 'Put the key into .env behind API_KEY=. ' : '';
  return `Written: ${files.map(({ path }) => path).join(', ')}\n${key}Judge the service: npx --no -- user-management-conformance\n`;
}

/** Where the suite is kept, as GitHub names it. */
function repositoryOfSuite(): string {
  const { repository } = createRequire(import.meta.url)('user-management-conformance/package.json');
  return /github\.com\/([\w.-]+\/[\w.-]+?)(\.git)?$/.exec(repository.url)?.[1] ?? 'OWNER/REPOSITORY';
}

function write(folder: string, { path, text, isSecret = false }: NewFile): void {
  try {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, isSecret ? { mode: 0o600, flag: 'wx' } : {});
  } catch (error) {
    throw new SettingsError(`${path} can't be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const ANY_ADDRESS = 'http://127.0.0.1:3000/v1';
const defaults: Setup = { baseUrl: ANY_ADDRESS, apiKey: '', start: '', ci: 'none' };

async function completed(given: Partial<Setup>): Promise<Setup> {
  if (process.stdin.isTTY && process.stdout.isTTY) return withQuestions((ask) => askForRest(given, ask));
  if (given.baseUrl === undefined) throw new SettingsError(`--base-url is missing: nobody can be asked here. ${HINT}`);
  return { ...defaults, ...given };
}

async function askForRest(given: Partial<Setup>, ask: Ask): Promise<Setup> {
  const ci = (answer: string) => (answer === '' ? 'none' : readCi(answer));
  return {
    baseUrl:
      given.baseUrl ??
      (await ask(`Base address of the service (${ANY_ADDRESS}): `, (answer) => readBaseUrl(answer || ANY_ADDRESS))),
    apiKey: given.apiKey ?? (await ask('API key, not shown (none: to be filled in): ', readKey, true)),
    start: given.start ?? (await ask('Command that starts the service (none: it runs already): ', (answer) => answer)),
    ci: given.ci ?? (await ask(`Workflow for a CI: ${CIS.join(', ')} (none): `, ci)),
  };
}

function readBaseUrl(value: string): string {
  return readTarget(value, 'any-key-4711')?.baseUrl ?? value;
}

function readKey(value: string): string {
  return value === '' ? '' : (readTarget(ANY_ADDRESS, value)?.apiKey ?? '');
}

function readCi(value: string): Ci {
  const found = CIS.find((one) => one === value.toLowerCase());
  if (found === undefined)
    throw new SettingsError(`"${value}" is no CI that init knows: it is one of ${CIS.join(', ')}.`);
  return found;
}
