import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { changedFiles } from './watch.ts';

/** The names that are told when some files are written, one after the other, into a folder that is watched. */
async function told(written: string[], { isGit }: { isGit: boolean }): Promise<string[]> {
  return inFolder(async (folder) => {
    for (const name of ['src', 'logs', 'node_modules', 'reports']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'src/app.js'), '');
    if (isGit) {
      execFileSync('git', ['init', '-q'], { cwd: folder });
      writeFileSync(join(folder, '.gitignore'), 'logs\nnode_modules\n*.sqlite\n');
    }
    const changed = changedFiles(folder, join(folder, 'reports'), new AbortController().signal);
    for (const name of written) writeFileSync(join(folder, name), 'new');
    return changed;
  });
}

test('in a clone a change of what git does not ignore is told', async () => {
  const ignored = ['logs/app.log', 'db.sqlite', 'node_modules/x.js', 'reports/report.html'];
  expect(await told([...ignored, 'src/app.js'], { isGit: true })).toEqual(['src/app.js']);
  expect(await told([...ignored, 'src/new.js'], { isGit: true })).toEqual(['src/new.js']);
});

test('elsewhere all but modules, hidden files and reports', async () => {
  const ignored = ['node_modules/x.js', '.hidden', 'reports/report.html'];
  expect(await told([...ignored, 'src/app.js'], { isGit: false })).toEqual(['src/app.js']);
});
