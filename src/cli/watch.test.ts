import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { changedFiles, fileStates } from './watch.ts';

/** Makes a folder, a clone or not, with a file and folders of which some are left out. */
function inProject<T>(isGit: boolean, action: (folder: string) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    for (const name of ['src', 'logs', 'node_modules', 'reports']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'src/app.js'), '');
    if (isGit) {
      execFileSync('git', ['init', '-q'], { cwd: folder });
      writeFileSync(join(folder, '.gitignore'), 'logs\n*.sqlite\n');
    }
    return action(folder);
  });
}

const reportDirIn = (folder: string) => join(folder, 'reports');

/**
 * Returns the names that are reported when some actions change a folder, one after the other, while
 * it is watched.
 */
async function reportedBy(
  folder: string,
  actions: readonly ((folder: string) => void)[],
): Promise<string[]> {
  const before = fileStates(folder, reportDirIn(folder));
  const { signal } = new AbortController();
  const changed = changedFiles(folder, reportDirIn(folder), before, signal);
  for (const action of actions) action(folder);
  return changed;
}

const writing = (name: string) => (folder: string) => writeFileSync(join(folder, name), 'new');

const written = (names: readonly string[], { isGit }: { isGit: boolean }): Promise<string[]> =>
  inProject(isGit, (folder) => reportedBy(folder, names.map(writing)));

test('in a clone a change of what git does not ignore is reported', async () => {
  const ignored = ['logs/app.log', 'db.sqlite', 'node_modules/x.js', 'reports/report.html'];
  expect(await written([...ignored, 'src/app.js'], { isGit: true })).toEqual(['src/app.js']);
  expect(await written([...ignored, 'src/new.js'], { isGit: true })).toEqual(['src/new.js']);
  expect(await written(['.env.example'], { isGit: true })).toEqual(['.env.example']);
});

test('elsewhere all but modules, hidden files and reports', async () => {
  const ignored = ['node_modules/x.js', '.hidden', 'reports/report.html'];
  expect(await written([...ignored, 'src/app.js'], { isGit: false })).toEqual(['src/app.js']);
});

test('a change before the call is reported as well', async () => {
  await inProject(true, async (folder) => {
    const before = fileStates(folder, reportDirIn(folder));
    writing('src/app.js')(folder);
    const { signal } = new AbortController();
    expect(await changedFiles(folder, reportDirIn(folder), before, signal)).toEqual(['src/app.js']);
  });
});

test.each<[string, ((folder: string) => void)[], string[]]>([
  [
    'a file in new folders',
    [
      (folder) => mkdirSync(join(folder, 'src/new/deep'), { recursive: true }),
      writing('src/new/deep/x.js'),
    ],
    ['src/new/deep/x.js'],
  ],
  ['a removed file', [(folder) => rmSync(join(folder, 'src/app.js'))], ['src/app.js']],
  [
    'a file that an editor replaces by another',
    [
      writing('src/app.js~'),
      (folder) => renameSync(join(folder, 'src/app.js~'), join(folder, 'src/app.js')),
    ],
    ['src/app.js'],
  ],
])('%s is reported', async (_, actions, names) => {
  expect(await inProject(true, (folder) => reportedBy(folder, actions))).toEqual(names);
});
