import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';

// Node 20 has no compile cache. Node 22 goes on without one where its folder is not writable.
module.enableCompileCache?.();

export const { version, engines } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/**
 * The key, which no message may show. It is read here because the suite later removes it from the
 * environment.
 */
const { API_KEY } = process.env;

const BUILD = new URL('./build.mjs', import.meta.url);

/** Whether this is a clone: an installed package has no build script and no sources. */
export const isClone = existsSync(BUILD);

/**
 * Calls `main` of a compiled file and sets the exit code that it returns. An error is the suite's
 * own fault: without this, Node would exit with 1, the code for a service that does not conform.
 */
export async function start(file, ...args) {
  // A run goes on if its output is no longer read (`| head`) or its terminal is closed.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('uncaughtException', exitWithError);
  try {
    if (isClone) {
      const { refresh } = await import(BUILD);
      await refresh();
    }
    const { main } = await import(file);
    process.exitCode = await main(...args);
  } catch (error) {
    if (isOutOfFiles(error)) exitWithError(error);
    const needs = `Requires Node ${engines.node} (this is ${process.versions.node}) with dependencies installed (\`npm ci\`).`;
    process.stderr.write(`${describeFault(error)}\n${needs}\n`);
    process.exitCode = 4;
  }
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
