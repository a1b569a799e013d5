import * as fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

// An installed package contains neither this file nor the sources.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const SOURCES = ['src', 'specs', 'reference', 'schemas', 'docs/guides'];
const CONFIGURATION = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'bin/build.mjs',
  'bin/bundle.mjs',
];

/** The file that holds the fingerprint of the sources from which dist/ was compiled. */
const FINGERPRINT = join(DIST, '.sources');

/**
 * Compiles the sources into dist/, unless dist/ is already up to date. Throws an error with a
 * message of one sentence.
 */
export async function refresh() {
  const fingerprint = fingerprintOfSources();
  const isCurrent =
    fs.existsSync(FINGERPRINT) && fs.readFileSync(FINGERPRINT, 'utf8') === fingerprint;
  if (!isCurrent) await build(fingerprint);
}

/**
 * Returns the size and the time of every source, as git's index has them: they change with an edit,
 * a checkout, a copy or a removal. Hashing the contents would take several times as long.
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
 * Compiles into a temporary folder and then moves the files one by one, so that another process
 * that starts or builds at the same time never reads half a file.
 */
async function build(fingerprint) {
  const temporary = fs.mkdtempSync(join(ROOT, '.dist-'));
  try {
    await runTool('node_modules/typescript/bin/tsc', [
      '--project',
      'tsconfig.build.json',
      '--outDir',
      temporary,
    ]);
    // The compiler itself copies the JSON files that the code imports.
    const filter = (path) => !/\.(ts|json|yaml)$/.test(path);
    for (const folder of SOURCES)
      fs.cpSync(inRoot(folder), join(temporary, folder), { recursive: true, filter });
    await evaluate(join(temporary, 'specs/guides.js'));
    fs.rmSync(join(temporary, 'docs'), { recursive: true });
    // One file is loaded in half the time of 300.
    const command = join(temporary, 'src/cli/command.js');
    await runTool('bin/bundle.mjs', [command, temporary, join(temporary, 'command.mjs')]);
    const files = new Set(filesBelow(temporary).map((path) => relative(temporary, path)));
    for (const file of files) {
      fs.mkdirSync(dirname(join(DIST, file)), { recursive: true });
      fs.renameSync(join(temporary, file), join(DIST, file));
    }
    for (const file of filesBelow(DIST))
      if (!files.has(relative(DIST, file))) fs.rmSync(file, { force: true });
    fs.writeFileSync(FINGERPRINT, fingerprint);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

/** Runs a program of the build, which needs dev dependencies. */
async function runTool(program, args) {
  const { spawnSync } = await import('node:child_process');
  // The rest of the environment may contain the key.
  const { PATH, SystemRoot } = process.env;
  const options = { cwd: ROOT, env: { PATH, SystemRoot }, encoding: 'utf8' };
  const { status, stdout } = spawnSync(process.execPath, [inRoot(program), ...args], options);
  if (status === 0) return;
  const reason = fs.existsSync(inRoot('node_modules/typescript'))
    ? stdout?.trim().split('\n')[0] || `${program} fails.`
    : 'TypeScript is not installed; run `npm ci`, without --omit=dev.';
  throw new Error(`The sources could not be compiled: ${reason}`);
}

/**
 * Replaces a compiled module by the values that it exports: a run needs neither the Markdown of the
 * guides nor the library that makes HTML of it.
 */
async function evaluate(file) {
  const values = Object.entries(await import(pathToFileURL(file).href));
  const exported = values.map(
    ([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`,
  );
  fs.writeFileSync(file, exported.join(''));
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
