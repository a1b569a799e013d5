import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const { version, engines } = createRequire(import.meta.url)('../package.json');

/**
 * The key, which no message may show. It is read here because the suite later removes it from the
 * environment.
 */
const { API_KEY } = process.env;

/** Starts the command. Its version is printed even if nothing has been compiled. */
export async function startCommand(load, isClone) {
  const args = process.argv.slice(2);
  if (args.includes('--version') || args.includes('-v')) process.stdout.write(`${version}\n`);
  else await start(load, args, isClone);
}

/**
 * Calls `main` of the module that `load` resolves to, and sets the exit code that it returns. An
 * error is the suite's own fault: without this, Node would exit with 1, the code for a service that
 * does not conform.
 */
export async function start(load, ...args) {
  // A run goes on if its output is no longer read (`| head`) or its terminal is closed.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('uncaughtException', exitWithError);
  process.on('beforeExit', exitWithoutResult);
  try {
    const { main } = await load();
    process.exitCode = await main(...args);
  } catch (error) {
    if (isOutOfFiles(error)) exitWithError(error);
    const isMissing = error?.code === 'ERR_MODULE_NOT_FOUND';
    const needs = `Requires Node ${engines.node} (this is ${process.versions.node})`;
    const ending = isMissing ? ' with dependencies installed (`npm ci`)' : '';
    process.stderr.write(`${describeFault(error)}\n${needs}${ending}.\n`);
    process.exitCode = 4;
  } finally {
    process.off('beforeExit', exitWithoutResult);
  }
}

/** Exits when nothing is left to wait for, though there is no result. Node would exit with 13. */
function exitWithoutResult() {
  exitWithError(new Error('it waits for an event that never comes'));
}

/**
 * Whether the process may open no more files, which is no fault of the suite. Node reports a
 * package as missing if it can't open its package.json.
 */
function isOutOfFiles(error) {
  if (['EMFILE', 'ENFILE'].includes(error?.code)) return true;
  const [, folder] = /^Cannot find package '(.+).index\.js'/.exec(error?.message) ?? [];
  return folder !== undefined && existsSync(`${folder}/package.json`);
}

/** Exits after an error that nothing has caught. */
function exitWithError(error) {
  if (isOutOfFiles(error)) {
    process.stderr.write(
      'Inconclusive: too many open files and connections: raise the limit (`ulimit -n 1024`).\n',
    );
    process.exit(3);
  }
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(4);
}

function describeFault(error) {
  const [line] = String(error?.message ?? error).split('\n');
  return `The suite itself failed: ${API_KEY ? line.replaceAll(API_KEY, '<API_KEY>') : line}`;
}
