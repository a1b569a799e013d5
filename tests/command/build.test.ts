import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder, ROOT, runNode } from '../shell.ts';

const COPIED = [
  'bin',
  'LICENSE',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/** Small sources in place of the real ones, which take longer to compile. */
const SOURCES = {
  'src/cli/command.ts': `import { slugs } from '../../specs/index.ts';
export async function main(): Promise<number> {
  process.stdout.write(slugs.join(' '));
  return 0;
}\n`,
  'src/api/index.ts': 'export const api = 1;\n',
  'src/vitest/conformance.ts': 'export const conformance = 1;\n',
  'specs/list-users.ts': "export const listUsers = ['list.total-integer'];\n",
  'specs/survival.ts': "export const survival = ['http.survives'];\n",
  'specs/index.ts': `import { listUsers } from './list-users.ts';
import { survival } from './survival.ts';
export const slugs: string[] = [...listUsers, ...survival];\n`,
  'specs/guides.ts': `import { readFileSync } from 'node:fs';
import { marked } from 'marked';
const file = new URL('../docs/guides/list.total-integer.md', import.meta.url);
export const guide = marked.parse(readFileSync(file, 'utf8'));\n`,
  'docs/guides/list.total-integer.md': 'A **string**.',
  'reference/command.ts': 'export const reference = 1;\n',
  'schemas/user.schema.json': '{}\n',
};

test('the command of a clone compiles changed sources before it runs', async () => {
  await inFolder(async (folder) => {
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    for (const [path, text] of Object.entries(SOURCES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const list = () => runNode([join(folder, 'bin/user-management-conformance.mjs')], {}, folder);
    const change = (path: string, from: string, to: string) => {
      const text = readFileSync(join(folder, path), 'utf8');
      expect(text).toContain(from);
      writeFileSync(join(folder, path), text.replace(from, to));
    };
    const slug = 'list.total-integer';

    // Two processes compile at the same time.
    const results = await Promise.all([list(), list()]);
    for (const { code, stdout, stderr } of results) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(slug);
    }

    change('specs/list-users.ts', slug, 'list.total-is-whole');
    expect((await list()).stdout).toContain('list.total-is-whole');

    // A guide is compiled, too: a run needs neither its file nor the library.
    const guides = () => readFileSync(join(folder, 'dist/specs/guides.js'), 'utf8');
    expect(guides()).toBe('export const guide = "<p>A <strong>string</strong>.</p>\\n";\n');
    change('docs/guides/list.total-integer.md', 'string', 'text');
    await list();
    expect(guides()).toContain('<strong>text</strong>');
    expect(readdirSync(join(folder, 'dist'))).not.toContain('docs');

    // The compiled file of a deleted source is deleted, too.
    const compiled = () => readdirSync(join(folder, 'dist/specs'));
    expect(compiled()).toContain('survival.js');
    rmSync(join(folder, 'specs/survival.ts'));
    change('specs/index.ts', "import { survival } from './survival.ts';\n", '');
    change('specs/index.ts', ', ...survival]', ']');
    expect((await list()).stdout).not.toContain('http.survives');
    expect(compiled()).not.toContain('survival.js');

    change('specs/index.ts', 'export const', 'export konst');
    const { code, stdout, stderr } = await list();
    expect(stderr).toMatch(
      /^The suite itself failed: The sources could not be compiled: specs\/index\.ts.*\n/,
    );
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(readdirSync(folder).filter((name) => name.startsWith('.dist-'))).toEqual([]);
  });
});
