import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TOOLS = [
  'postcss',
  'vite',
  'vitest',
  'babel',
  'rolldown',
  'tailwind',
  'allurerc',
  'browserslist',
];
const ENDINGS = ['.config.js', '.config.cjs', '.config.mjs', '.config.ts', '.mjs'];
const PROGRAMS = [
  ...TOOLS.flatMap((tool) => ENDINGS.map((ending) => `${tool}${ending}`)),
  '.postcssrc.js',
  '.postcssrc.cjs',
  'vitest.workspace.js',
  'vitest.setup.js',
];

/**
 * Writes configurations for every tool that the suite consists of, as a surrounding project may
 * have them. A configuration that is executed appends its name to a file. Others cannot be parsed,
 * or name another service.
 */
export function setTraps(folder: string, executedFile: string): void {
  for (const program of PROGRAMS) {
    const load = program.endsWith('cjs')
      ? "const { appendFileSync } = require('node:fs');"
      : "import { appendFileSync } from 'node:fs';";
    const line = JSON.stringify(`${program}\n`);
    const append = `appendFileSync(${JSON.stringify(executedFile)}, ${line});`;
    writeFileSync(join(folder, program), `${load}\n${append}\n`);
  }
  // Vite searches for configurations up to the folder with this file.
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), '');
  for (const file of ['tsconfig.json', '.swcrc', '.babelrc', 'jsconfig.json'])
    writeFileSync(join(folder, file), '{ no JSON');
  for (const file of ['.env.test', '.env.local'])
    writeFileSync(join(folder, file), 'BASE_URL=http://127.0.0.1:9/v1\n');
}
