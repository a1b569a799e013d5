import * as fs from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

// Bundles a module and all that it imports: `node bin/bundle.mjs ENTRY DIST FILE`. DIST is the
// compiled suite. The file ends with the licences of all packages in it.

const [entry, dist, file] = process.argv.slice(2).map((path) => resolve(path));

/** The parts of undici that a run needs. The whole takes four times as long to load. */
const UNDICI = `
// A tunnel through a proxy asks for it.
require('undici/lib/dispatcher/dispatcher.js').prototype.connect =
  require('undici/lib/api/api-connect.js');
export const loadUndici = () => ({
  Agent: require('undici/lib/dispatcher/agent.js'),
  Client: require('undici/lib/dispatcher/client.js'),
  EnvHttpProxyAgent: require('undici/lib/dispatcher/env-http-proxy-agent.js'),
  buildConnector: require('undici/lib/core/connect.js'),
});`;

const pathInDist = (path) => `/${relative(dist, path).replaceAll(sep, '/')}`;

/** Returns the texts that the suite reads, by their paths. */
function readTexts() {
  const paths = fs.readdirSync(dist, { recursive: true }).map((path) => join(dist, path));
  const texts = paths.filter((path) => /\.(css|txt|yml)$/.test(path));
  return Object.fromEntries(texts.map((path) => [pathInDist(path), fs.readFileSync(path, 'utf8')]));
}

/** Replaces what depends on other files. */
function forOneFile() {
  const replacements = {
    '/src/http/undici.js': UNDICI,
    '/src/settings/text-file.js': `
const texts = ${JSON.stringify(readTexts())};
export const readText = (path, moduleUrl) => texts[new URL(path, moduleUrl).pathname];`,
  };
  return {
    name: 'for-one-file',
    load: (id) => replacements[pathInDist(id)],
    transform(code, id) {
      if (/^\0|node_modules/.test(id)) return undefined;
      return code
        .replaceAll('createRequire(import.meta.url)(', 'require(')
        .replaceAll('import.meta.url', `'file://${pathInDist(id)}'`);
    },
  };
}

const PREFIX = '\0builtin:';

/** Loads a module of Node when a module that imports it runs, which is not at the start. */
const lazyBuiltins = {
  name: 'lazy-builtins',
  enforce: 'pre',
  resolveId(source, importer, { kind }) {
    const isOfBundler = importer?.startsWith('\0');
    const isImport = kind === 'import-statement' && isBuiltin(source) && !isOfBundler;
    return isImport ? PREFIX + source : undefined;
  },
  load: (id) =>
    id.startsWith(PREFIX) ? `module.exports = require('${id.slice(PREFIX.length)}');` : undefined,
};

const { output } = await build({
  configFile: false,
  envFile: false,
  logLevel: 'error',
  plugins: [forOneFile(), lazyBuiltins],
  ssr: { noExternal: true },
  build: {
    ssr: entry,
    write: false,
    minify: true,
    target: 'node20',
    license: { fileName: 'licences.md' },
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
const [{ code }, licences] = output;
const licence = fs.readFileSync(fileURLToPath(new URL('../LICENSE', import.meta.url)), 'utf8');
fs.writeFileSync(file, `${code}\n/*!\n${licence}\n${licences.source}*/\n`, { mode: 0o755 });
