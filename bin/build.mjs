import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// In a clone alone: an installed package has neither this file nor the sources.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const SOURCES = ['src', 'specs', 'reference', 'schemas'];
const CONFIGURATION = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'bin/build.mjs'];

/** Says which sources a build was made of. */
const FINGERPRINT = '.sources';

/** Makes dist/ of the sources where it is not already made of them, as they are now. Throws an error of one sentence. */
export function refresh() {
  const fingerprint = fingerprintOfSources();
  if (readIfThere(join(DIST, FINGERPRINT)) !== fingerprint) build(fingerprint);
}

/**
 * Size and time of every source: as git's index does, which no edit escapes, be it by a checkout, a copy or a removal. It takes
 * a few milliseconds; to read and hash the sources would take several times as many.
 */
function fingerprintOfSources() {
  const files = [...SOURCES.flatMap((folder) => filesBelow(join(ROOT, folder))), ...CONFIGURATION.map(inRoot)];
  const hash = createHash('sha1');
  for (const file of files.filter((path) => !path.endsWith('.test.ts')).sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/**
 * Compiles into a folder of its own and then moves file by file: another process that is starting, or building too, finds
 * each file whole.
 */
function build(fingerprint) {
  const made = mkdtempSync(join(ROOT, '.dist-'));
  try {
    compile(made);
    removeUnreached(made);
    for (const file of ['src', 'specs', 'schemas'].flatMap((folder) => filesBelow(inRoot(folder))).filter(isCopied)) {
      const copy = join(made, relative(ROOT, file));
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(file, copy);
    }
    const files = filesBelow(made).map((path) => relative(made, path));
    for (const file of files) {
      mkdirSync(dirname(join(DIST, file)), { recursive: true });
      renameSync(join(made, file), join(DIST, file));
    }
    const known = new Set(files);
    for (const file of filesBelow(DIST)) if (!known.has(relative(DIST, file))) rmSync(file, { force: true });
    writeFileSync(join(DIST, FINGERPRINT), fingerprint);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Runs TypeScript's compiler, which is a dev dependency. Throws an error of one sentence. */
function compile(outDir) {
  const compiler = inRoot('node_modules/typescript/bin/tsc');
  // Not the whole environment: the key may be in it.
  const { PATH, SystemRoot } = process.env;
  const options = { cwd: ROOT, env: { PATH, SystemRoot }, stdio: 'pipe', encoding: 'utf8' };
  try {
    execFileSync(process.execPath, [compiler, '--project', 'tsconfig.build.json', '--outDir', outDir], options);
  } catch (error) {
    const said = `${error.stdout}`.trim().split('\n')[0] || 'TypeScript fails.';
    const why = existsSync(compiler) ? said : 'TypeScript is not installed; run `npm ci`, without --omit=dev.';
    throw new Error(`The sources could not be compiled: ${why}`);
  }
}

/** Removes the declarations to which no entry of the package leads: nobody can import them, and they are a tenth of it. */
function removeUnreached(made) {
  const { exports } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  const reached = new Set();
  const reach = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, path] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.ts["']/g)) {
      reach(join(dirname(file), `${path}.d.ts`));
    }
  };
  for (const { types } of Object.values(exports)) if (types) reach(join(made, relative('dist', types)));
  for (const file of filesBelow(made)) if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}

/** Of the schemas TypeScript itself copies those that the code imports. */
const isCopied = (path) => !/\.(ts|json|yaml)$/.test(path);

const inRoot = (path) => join(ROOT, path);

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

if (pathToFileURL(process.argv[1] ?? '').href === import.meta.url) {
  try {
    refresh();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
