import { existsSync, readFileSync } from 'node:fs';

export const { version, engines } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/** What no message may hold; who knows it by now has taken it out of the environment. */
const { API_KEY } = process.env;

const BUILD = new URL('./build.mjs', import.meta.url);

/** Whether this is a clone: a package that is installed has no sources. */
export const isClone = existsSync(BUILD);

/**
 * Calls `main` of a compiled file and ends with the exit code that it returns. What keeps it from being loaded is the
 * suite's own fault: Node would end with the code of a service that does not conform.
 */
export async function start(file, ...args) {
  // A reader that has seen enough (`| head`), or a terminal that is closed, ends no run.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  process.on('uncaughtException', endByFault);
  try {
    // In a clone what runs is never older than the sources.
    if (isClone) await (await import(BUILD)).refresh();
    const { main } = await import(file);
    process.exitCode = await main(...args);
  } catch (error) {
    if (hasNoFiles(error)) endByFault(error);
    const needs = `Requires Node ${engines.node} (this is ${process.versions.node}) with dependencies installed (\`npm ci\`).`;
    process.stderr.write(`${sentenceOn(error)}\n${needs}\n`);
    process.exitCode = 4;
  }
}

/**
 * Whether the system lets this process open no more files, which is no fault of the suite: nothing could be judged.
 * Node takes a package whose package.json it can't open for one that is not there.
 */
function hasNoFiles(error) {
  const [, folder] = /^Cannot find package '(.+).index\.js'/.exec(error?.message) ?? [];
  return (
    ['EMFILE', 'ENFILE'].includes(error?.code) ||
    (folder !== undefined && existsSync(`${folder}/package.json`))
  );
}

/**
 * Whatever nobody has caught, rejections among it: Vitest and Node would end with a trace and the code of a service
 * that does not conform.
 */
function endByFault(error) {
  const noFiles =
    'Inconclusive: too many open files and connections: raise the limit (`ulimit -n 1024`).';
  process.stderr.write(`${hasNoFiles(error) ? noFiles : sentenceOn(error)}\n`);
  process.exit(hasNoFiles(error) ? 3 : 4);
}

function sentenceOn(error) {
  const [line] = String(error?.message ?? error).split('\n');
  return `The suite itself failed: ${API_KEY ? line.replaceAll(API_KEY, '<API_KEY>') : line}`;
}
