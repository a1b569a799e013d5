import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { inertLine } from '../../reports/text.ts';
import { SettingsError } from '../../settings/settings-error.ts';
import { holdsKey, readTarget } from '../../settings/target.ts';
import { parseFlags } from '../flags.ts';
import { ask, isTerminal } from './ask.ts';
import { CIS, envFile, type Setup, workflow } from './files.ts';
import { ignore, isThere, write } from './write.ts';

const HINT = 'init takes --base-url, --start, --ci and --action; the key is read from API_KEY, or asked for.';

/**
 * Sets a project up: writes .env, lines of .gitignore and, where it is wanted, the workflow for a CI. What no flag says is
 * asked for at a terminal. Returns what to print. Throws a SettingsError where an answer is unusable or nothing can be written.
 */
export async function init(args: string[]): Promise<string> {
  const text = { type: 'string' } as const;
  const options = { 'base-url': text, start: text, ci: text, action: text };
  const { values } = parseFlags({ args, options }, HINT);
  if (!isTerminal && values['base-url'] === undefined) {
    throw new SettingsError(`--base-url is missing, and there is no terminal to ask at. ${HINT}`);
  }
  const setup = await readSetup(values);
  const files = { '.env': envFile(setup), ...workflow(setup) };
  const there = Object.keys(files).filter(isThere);
  const missing = Object.entries(files).filter(([path]) => !there.includes(path));
  if (missing.length === 0) throw new SettingsError(`${there.join(', ')}: already there, and init overwrites no file.`);
  const written = ignore(['.env', 'reports/', ...(existsSync('node_modules') ? ['node_modules/'] : [])]);
  for (const [path, content] of missing) written.push(write(path, content));
  const lines = [
    `Written: ${written.join(', ')}`,
    ...(there.length > 0 ? [`Left as it is: ${there.join(', ')}`] : []),
    ...Object.entries(files).flatMap(([path, content]) =>
      path === '.gitlab-ci.yml' && there.includes(path) ? [`Add to ${path}:`, ...content.trimEnd().split('\n')] : [],
    ),
    ...(setup.apiKey === '' && !there.includes('.env') ? ['Put the key into .env, behind API_KEY='] : []),
    ...secrets(setup),
    `Check the service: ${relative('', process.argv[1] ?? '')}`,
  ];
  return lines.map((line) => `${inertLine(line)}\n`).join('');
}

/** What the project at GitHub or GitLab lacks. */
function secrets({ ci, action, start }: Setup): string[] {
  const unless = start ? ', unless the service takes any key that it is given as API_KEY' : '';
  if (ci === 'github') return [`Add the secret API_KEY to the repository at GitHub${unless}: ${action} gets it.`];
  if (ci === 'none') return [];
  return ['Add the variable SUITE, the package of the suite, to the project.', `Add API_KEY as well${unless}.`];
}

const ANY_ADDRESS = 'http://127.0.0.1:3000/v1';

async function readSetup(given: Partial<Record<'base-url' | 'start' | 'ci' | 'action', string>>): Promise<Setup> {
  const { API_KEY } = process.env;
  const baseUrl = await ask(given['base-url'], `Base address of the service (${ANY_ADDRESS}): `, (answer) => {
    return readTarget(answer || ANY_ADDRESS, 'any-key-4711')?.baseUrl ?? answer;
  });
  const apiKey = await ask(API_KEY || undefined, 'API key, not shown (none: fill it in later): ', (answer) => {
    if (holdsKey(baseUrl, answer)) throw new SettingsError('The address holds the key: give one without it.');
    return answer && (readTarget(ANY_ADDRESS, answer)?.apiKey ?? '');
  });
  const start = await ask(given.start, 'Command that starts the service (none: it is running): ', (answer) => {
    if (!holdsKey(answer, apiKey) && !SECRET.test(answer)) return answer;
    throw new SettingsError(
      'The command holds a key or a password, and files would show it: the service gets API_KEY.',
    );
  });
  const ci = await ask(given.ci, `Workflow for a CI: ${CIS.join(', ')} (none): `, (answer) => {
    const found = CIS.find((one) => one === (answer.toLowerCase() || 'none'));
    if (found) return found;
    throw new SettingsError(`"${answer}" is not a CI that init knows: ${CIS.join(', ')}.`);
  });
  const action = ci === 'github' ? await ask(given.action ?? ownAction(), 'Action with the suite: ', readAction) : '';
  return { baseUrl, apiKey, start, ci, action };
}

/** A secret that is written out, and not a variable that has it. */
const SECRET =
  /:\/\/[^\s/@]*:[^\s/@$]+@|bearer\s+[^\s"'$]|(api[-_]?key|token|secret|password)["']?(=|:\s*|(?<=--\S*)\s+)["']?[^\s"'$=-]/i;

const PLACEHOLDER = 'OWNER/REPOSITORY';

/** Where the package says that the suite is kept; undefined where it does not. */
function ownAction(): string | undefined {
  const { repository } = createRequire(import.meta.url)('user-management-conformance/package.json');
  const [, name] = /github\.com\/([\w.-]+\/[\w.-]+?)(\.git)?$/.exec(repository?.url ?? '') ?? [];
  return name === PLACEHOLDER ? undefined : name;
}

function readAction(answer: string): string {
  if (/^[\w-]+\/[\w.-]+(\/[\w./-]+)?(@[\w./-]+)?$/.test(answer) && !answer.startsWith(PLACEHOLDER)) {
    return answer.includes('@') ? answer : `${answer}@v1`;
  }
  throw new SettingsError(
    `The workflow passes the secret API_KEY to the action. Name it: --action ${PLACEHOLDER}@REF, not ${answer || 'none'}.`,
  );
}
