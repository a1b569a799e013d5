import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SettingsError } from '../src/settings/errors.ts';

/** A checkout of the repository. */
export interface Tree {
  name: string;
  root: string;
  /** The path of the command's launcher. */
  command: string;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const COMMAND = 'user-management-conformance';

/** The files as they are here, committed or not. */
export const thisTree: Tree = treeIn(ROOT, 'this tree');

/**
 * Clones the repository into a folder, checks out a commit and installs its dependencies. Throws a
 * SettingsError if there is no such commit, or if it can't be installed.
 */
export function cloneAt(commit: string, folder: string): Tree {
  const hash = git(
    [
      '-C',
      ROOT,
      'rev-parse',
      '--quiet',
      '--short',
      '--verify',
      '--end-of-options',
      `${commit}^{commit}`,
    ],
    `--against is "${commit}", which is no commit of this repository.`,
  );
  const root = join(folder, 'tree');
  const failure = `The commit ${hash} could not be checked out in ${folder}.`;
  git(['clone', '--quiet', '--local', '--no-checkout', ROOT, root], failure);
  git(['-C', root, 'checkout', '--quiet', '--detach', hash], failure);
  process.stderr.write(`\`npm ci\` at ${hash}\n`);
  install(root, hash);
  return treeIn(root, hash);
}

/** Returns the output of git. Throws a SettingsError with the given message if git fails. */
function git(args: string[], failure: string): string {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  if (status !== 0) throw new SettingsError(failure);
  return stdout.trim();
}

function install(root: string, hash: string): void {
  const { status, stderr } = spawnSync('npm', ['ci', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return;
  const reason = reasonIn(stderr ?? '') || `exit code ${status}`;
  throw new SettingsError(`\`npm ci\` fails at ${hash}: ${reason}.`);
}

/** Returns the first sentence of npm's errors, without the lines about the code and the path. */
function reasonIn(stderr: string): string {
  const [sentence = ''] = stderr
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!)/, '').trim())
    .filter((line) => !/^$|^(code|errno|syscall|path|command) /.test(line))
    .join(' ')
    .split(/\.(?: |$)/);
  return sentence;
}

/** Returns the tree in a folder. Its package.json knows the command's path, which differs between commits. */
function treeIn(root: string, name: string): Tree {
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const path = bin?.[COMMAND];
  if (typeof path !== 'string') throw new SettingsError(`There is no command at ${name}.`);
  return { name, root, command: join(root, path) };
}
