import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { inertLine } from '../../reports/text.ts';
import { SettingsError } from '../../settings/settings-error.ts';
import { readTarget } from '../../settings/target.ts';
import { parseFlags } from '../flags.ts';
import { CIS, envFile, type Setup, workflow } from './files.ts';
import { ignore, isThere, write } from './write.ts';

const HINT = 'init takes --base-url, --start, --ci and --action; the key is read from API_KEY.';

/** Where a service usually is while it is developed. */
const LOCAL = 'http://127.0.0.1:3000/v1';

/**
 * Sets a project up: writes .env, lines of .gitignore and, where it is wanted, the workflow for a CI. What no flag says is to
 * be filled in there. Returns what to print. Throws a SettingsError where a flag is unusable or nothing can be written.
 */
export function init(args: string[]): string {
  const setup = readSetup(args);
  const { baseUrl, apiKey, start, ci, action } = setup;
  const files = { '.env': envFile(setup), ...workflow(setup) };
  const there = Object.keys(files).filter(isThere);
  const missing = Object.entries(files).filter(([path]) => !there.includes(path));
  if (missing.length === 0) throw new SettingsError(`${there.join(', ')}: already there, and init overwrites no file.`);
  const written = ignore(['.env', 'reports/', ...(existsSync('node_modules') ? ['node_modules/'] : [])]);
  for (const [path, content] of missing) written.push(write(path, content));
  const isNew = !there.includes('.env');
  const unless = start ? ', unless the service accepts any key that it gets as API_KEY' : '';
  const lines = [
    `Written: ${written.join(', ')}`,
    there.length > 0 && `Unchanged: ${there.join(', ')}`,
    ...Object.entries(files).flatMap(([path, content]) =>
      path === '.gitlab-ci.yml' && there.includes(path) ? [`Add to ${path}:`, ...content.trimEnd().split('\n')] : [],
    ),
    isNew && baseUrl === LOCAL && `The address in .env is ${LOCAL}: change it if the service is elsewhere.`,
    isNew && apiKey === '' && 'Add the key to .env, after API_KEY=',
    ci === 'github' && `Add the secret API_KEY to the repository at GitHub${unless}: ${action} gets it.`,
    ci === 'gitlab' && 'Add the variable SUITE, the package of the suite, to the project.',
    ci === 'gitlab' && `Add API_KEY as well${unless}.`,
    `Check the service: ${relative('', process.argv[1] ?? '')}`,
  ];
  return lines.map((line) => (line === false ? '' : `${inertLine(line)}\n`)).join('');
}

function readSetup(args: string[]): Setup {
  const text = { type: 'string' } as const;
  const options = { 'base-url': text, start: text, ci: text, action: text };
  const { values } = parseFlags({ args, options }, HINT);
  const { 'base-url': baseUrl = LOCAL, start = '', action = '' } = values;
  const apiKey = process.env.API_KEY ?? '';
  // Refuses what a run would refuse.
  readTarget(baseUrl, apiKey || 'any-key-4711');
  if (SECRET.test(start)) {
    throw new SettingsError(
      'The command contains a key or a password, which the files would show: the service gets API_KEY instead.',
    );
  }
  const ci = CIS.find((one) => one === (values.ci ?? 'none'));
  if (!ci) throw new SettingsError(`"${values.ci}" is not a CI that init knows: ${CIS.join(', ')}.`);
  return { baseUrl, apiKey, start, ci, action: ci === 'github' ? readAction(action) : '' };
}

/** A secret that is written out, and not a variable that has it. */
const SECRET =
  /:\/\/[^\s/@]*:[^\s/@$]+@|bearer\s+[^\s"'$]|(api[-_]?key|token|secret|password)["']?(=|:\s*|(?<=--\S*)\s+)["']?[^\s"'$=-]/i;

const PLACEHOLDER = 'OWNER/REPOSITORY';

function readAction(answer: string): string {
  if (/^[\w-]+\/[\w.-]+(\/[\w./-]+)?(@[\w./-]+)?$/.test(answer) && !answer.startsWith(PLACEHOLDER)) {
    return answer.includes('@') ? answer : `${answer}@v1`;
  }
  throw new SettingsError(
    `The workflow passes the secret API_KEY to the action. Name it: --action ${PLACEHOLDER}@REF, not ${answer || 'none'}.`,
  );
}
