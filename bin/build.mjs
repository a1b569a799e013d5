import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// In a clone alone: an installed package has neither this file nor the sources.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const SOURCES = ['src', 'specs', 'reference', 'schemas'];
const CONFIGURATION = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'bin/build.mjs'];

/** Says which sources a build was made of. */
const FINGERPRINT = join(DIST, '.sources');

/**
 * Makes dist/ of the sources where it is not already made of them, as they are now. Throws an error of one sentence.
 */
export async function refresh() {
  const fingerprint = fingerprintOfSources();
  if (!fs.existsSync(FINGERPRINT) || fs.readFileSync(FINGERPRINT, 'utf8') !== fingerprint)
    await build(fingerprint);
}

/**
 * Size and time of every source: as git's index does, which no edit escapes, be it by a checkout, a copy or a removal.
 * It takes a few milliseconds; to read and hash the sources would take several times as many.
 */
function fingerprintOfSources() {
  const files = [
    ...SOURCES.flatMap((folder) => filesBelow(join(ROOT, folder))),
    ...CONFIGURATION.map(inRoot),
  ];
  const lines = files
    .filter((path) => !path.endsWith('.test.ts'))
    .map((file) => {
      const { size, mtimeMs } = fs.statSync(file);
      return `${file} ${size} ${mtimeMs}`;
    });
  return lines.sort().join('\n');
}

/**
 * Compiles into a folder of its own and then moves file by file: another process that is starting, or building too,
 * finds each file whole.
 */
async function build(fingerprint) {
  const made = fs.mkdtempSync(join(ROOT, '.dist-'));
  try {
    await compile(made);
    // Of the schemas TypeScript itself copies those that the code imports.
    const filter = (path) => !/\.(ts|json|yaml)$/.test(path);
    for (const folder of SOURCES)
      fs.cpSync(inRoot(folder), join(made, folder), { recursive: true, filter });
    const files = new Set(filesBelow(made).map((path) => relative(made, path)));
    for (const file of files) {
      fs.mkdirSync(dirname(join(DIST, file)), { recursive: true });
      fs.renameSync(join(made, file), join(DIST, file));
    }
    for (const file of filesBelow(DIST))
      if (!files.has(relative(DIST, file))) fs.rmSync(file, { force: true });
    fs.writeFileSync(FINGERPRINT, fingerprint);
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
  }
}

/** Runs TypeScript's compiler, which is a dev dependency. Throws an error of one sentence. */
async function compile(outDir) {
  const { spawnSync } = await import('node:child_process');
  const compiler = inRoot('node_modules/typescript/bin/tsc');
  // Not the whole environment: the key may be in it.
  const { PATH, SystemRoot } = process.env;
  const options = { cwd: ROOT, env: { PATH, SystemRoot }, encoding: 'utf8' };
  const args = [compiler, '--project', 'tsconfig.build.json', '--outDir', outDir];
  const { status, stdout } = spawnSync(process.execPath, args, options);
  if (status === 0) return;
  const said = stdout?.trim().split('\n')[0] || 'TypeScript fails.';
  const why = fs.existsSync(compiler)
    ? said
    : 'TypeScript is not installed; run `npm ci`, without --omit=dev.';
  throw new Error(`The sources could not be compiled: ${why}`);
}

const inRoot = (path) => join(ROOT, path);

function filesBelow(folder) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [`${entry.parentPath}/${entry.name}`] : []));
}

if (pathToFileURL(process.argv[1] ?? '').href === import.meta.url) {
  await refresh().catch(({ message }) => {
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  });
}
