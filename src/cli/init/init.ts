import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { inertLine } from '../../reports/text.ts';
import { SettingsError } from '../../settings/settings-error.ts';
import { holdsKey, readTarget } from '../../settings/target.ts';
import { parseFlags } from '../parse-flags.ts';
import { CIS, envFile, githubWorkflow, gitlabWorkflow, type Setup } from './files.ts';
import { type Ask, withQuestions } from './questions.ts';
import { ignore, isThere, write } from './write.ts';

export const INIT_USAGE = `  user-management-conformance init [--base-url URL] [--start COMMAND] [--ci ${CIS.join('|')}] [--action OWNER/REPOSITORY@REF]
`;

const HINT = 'init takes --base-url, --start, --ci and --action; the key is read from API_KEY, or asked for.';

/**
 * Sets a project up: writes .env, lines of .gitignore and, where it is wanted, the workflow for a CI. What no flag says is
 * asked for at a terminal. Returns what to print. Throws a SettingsError where an answer is unusable or nothing can be written.
 */
export async function init(args: string[]): Promise<string> {
  const text = { type: 'string' } as const;
  const options = {
    'base-url': text,
    start: text,
    ci: text,
    action: text,
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseFlags({ args, options }, HINT);
  if (values.help) return INIT_USAGE;
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  if (!isTerminal && values['base-url'] === undefined) {
    throw new SettingsError(`--base-url is missing: nobody can be asked here. ${HINT}`);
  }
  const setup = await (isTerminal
    ? withQuestions((ask) => readSetup(values, ask))
    : readSetup(values, async (known, _, read) => read(known ?? '')));
  const files = {
    '.env': envFile(setup),
    ...(setup.ci === 'github' && { '.github/workflows/conformance.yml': githubWorkflow(setup) }),
    ...(setup.ci === 'gitlab' && { '.gitlab-ci.yml': gitlabWorkflow(setup) }),
  };
  const [there, missing] = [true, false].map((wanted) => Object.keys(files).filter((path) => isThere(path) === wanted));
  if (!missing?.length) throw new SettingsError(`${there?.join(', ')}: already there, and init writes over nothing.`);
  const written = ignore(['.env', 'reports/', ...(existsSync('node_modules') ? ['node_modules/'] : [])]);
  for (const [path, content] of Object.entries(files)) if (missing.includes(path)) written.push(write(path, content));
  const next = [
    ...(there?.length ? [`Left as it is: ${there.join(', ')}`] : []),
    ...(there?.includes('.gitlab-ci.yml') ? [`Add to .gitlab-ci.yml:\n${files['.gitlab-ci.yml']}`] : []),
    ...(setup.apiKey === '' && missing.includes('.env') ? ['Put the key into .env, behind API_KEY='] : []),
    ...secrets(setup),
    ...(setup.ci !== 'none' && dependsOnFile() ? [FILE_HINT] : []),
  ];
  return inertLines([
    `Written: ${written.join(', ')}`,
    ...next,
    `Check the service: ${relative('', process.argv[1] ?? '')}`,
  ]);
}

/** What the project at GitHub or GitLab lacks. */
function secrets({ ci, action, start }: Setup): string[] {
  const unless = start ? ', unless the service takes any key that it is given as API_KEY' : '';
  if (ci === 'github') return [`Add the secret API_KEY to the repository at GitHub${unless}: ${action} gets it.`];
  if (ci === 'none') return [];
  return ['Add the variable SUITE, the package of the suite, to the project.', `Add API_KEY as well${unless}.`];
}

const SUITE = 'user-management-conformance';
const FILE_HINT = `package.json names the suite by a file that a job lacks: npm uninstall ${SUITE}, then install it with --no-save.`;

/** Whether the project would install the suite from a file of this machine. */
function dependsOnFile(): boolean {
  if (!existsSync('package.json')) return false;
  const text = readFileSync('package.json', 'utf8');
  return new RegExp(`"${SUITE}"\\s*:\\s*"file:`).test(text);
}

const ANY_ADDRESS = 'http://127.0.0.1:3000/v1';

async function readSetup(given: Record<string, string | boolean | undefined>, ask: Ask): Promise<Setup> {
  const flag = (name: string) => given[name] as string | undefined;
  const baseUrl = await ask(flag('base-url'), `Base address of the service (${ANY_ADDRESS}): `, (answer) => {
    return readTarget(answer || ANY_ADDRESS, 'any-key-4711')?.baseUrl ?? answer;
  });
  const apiKey = await ask(
    process.env.API_KEY || undefined,
    'API key, not shown (none: to be filled in): ',
    (answer) => {
      if (holdsKey(baseUrl, answer)) throw new SettingsError('The address holds the key: name one without it.');
      return answer && (readTarget(ANY_ADDRESS, answer)?.apiKey ?? '');
    },
  );
  const start = await ask(flag('start'), 'Command that starts the service (none: it runs already): ', (answer) => {
    if (!holdsKey(answer, apiKey) && !HOLDS_SECRET.test(answer)) return answer;
    throw new SettingsError(
      'The command holds a key or a password, and files would show it: the service gets API_KEY.',
    );
  });
  const ci = await ask(flag('ci'), `Workflow for a CI: ${CIS.join(', ')} (none): `, (answer) => {
    const found = CIS.find((one) => one === (answer.toLowerCase() || 'none'));
    if (found) return found;
    throw new SettingsError(`"${answer}" is no CI that init knows: it is one of ${CIS.join(', ')}.`);
  });
  const action = ci === 'github' ? await ask(flag('action') ?? ownAction(), 'Action with the suite: ', readAction) : '';
  return { baseUrl, apiKey, start, ci, action };
}

/** A secret that stands there itself, and not a variable that has it. */
const HOLDS_SECRET =
  /:\/\/[^\s/@]*:[^\s/@$]+@|bearer\s+[^\s"'$]|(api[-_]?key|token|secret|password)["']?(=|:\s*|(?<=--\S*)\s+)["']?[^\s"'$=-]/i;

/** Where the package says that the suite is kept; undefined where it does not. */
function ownAction(): string | undefined {
  const { repository } = createRequire(import.meta.url)('user-management-conformance/package.json');
  const [, name] = /github\.com\/([\w.-]+\/[\w.-]+?)(\.git)?$/.exec(repository?.url ?? '') ?? [];
  return name === PLACEHOLDER ? undefined : name;
}

const PLACEHOLDER = 'OWNER/REPOSITORY';

function readAction(answer: string): string {
  if (/^[\w-]+\/[\w.-]+(\/[\w./-]+)?(@[\w./-]+)?$/.test(answer) && !answer.startsWith(PLACEHOLDER)) {
    return answer.includes('@') ? answer : `${answer}@v1`;
  }
  throw new SettingsError(
    `The workflow gives the secret API_KEY to the action that holds the suite, and ${answer || 'none'} is not known as one: name it by --action, as ${PLACEHOLDER}@REF.`,
  );
}

const inertLines = (lines: string[]) => lines.map((line) => `${line.split('\n').map(inertLine).join('\n')}\n`).join('');
