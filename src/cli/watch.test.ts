import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { changedFiles, fileStates } from './watch.ts';

/** Makes a folder, a clone or not, with a file, and with folders that are not watched. */
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

/** Returns the reported names if some actions change a folder, one after the other. */
async function reportChanges(
  folder: string,
  actions: readonly ((folder: string) => void)[],
): Promise<string[]> {
  const before = fileStates(folder, reportDirIn(folder));
  const { signal } = new AbortController();
  const changed = changedFiles(folder, reportDirIn(folder), before, signal);
  for (const action of actions) action(folder);
  return changed;
}

const writer = (name: string) => (folder: string) => writeFileSync(join(folder, name), 'new');

const reportWrites = (names: readonly string[], { isGit }: { isGit: boolean }): Promise<string[]> =>
  inProject(isGit, (folder) => reportChanges(folder, names.map(writer)));

test('in a clone, changes are reported except those of ignored files', async () => {
  const ignored = ['logs/app.log', 'db.sqlite', 'node_modules/x.js', 'reports/report.html'];
  expect(await reportWrites([...ignored, 'src/app.js'], { isGit: true })).toEqual(['src/app.js']);
  expect(await reportWrites([...ignored, 'src/new.js'], { isGit: true })).toEqual(['src/new.js']);
  expect(await reportWrites(['.env.example'], { isGit: true })).toEqual(['.env.example']);
});

test('elsewhere, changes are reported except those of modules, hidden files and reports', async () => {
  const ignored = ['node_modules/x.js', '.hidden', 'reports/report.html'];
  expect(await reportWrites([...ignored, 'src/app.js'], { isGit: false })).toEqual(['src/app.js']);
});

test('a change before the call is reported as well', async () => {
  await inProject(true, async (folder) => {
    const before = fileStates(folder, reportDirIn(folder));
    writer('src/app.js')(folder);
    const { signal } = new AbortController();
    expect(await changedFiles(folder, reportDirIn(folder), before, signal)).toEqual(['src/app.js']);
  });
});

test.each<[string, ((folder: string) => void)[], string[]]>([
  [
    'a file in new folders',
    [
      (folder) => mkdirSync(join(folder, 'src/new/deep'), { recursive: true }),
      writer('src/new/deep/x.js'),
    ],
    ['src/new/deep/x.js'],
  ],
  ['a removed file', [(folder) => rmSync(join(folder, 'src/app.js'))], ['src/app.js']],
  [
    'a file that an editor replaces by another',
    [
      writer('src/app.js~'),
      (folder) => renameSync(join(folder, 'src/app.js~'), join(folder, 'src/app.js')),
    ],
    ['src/app.js'],
  ],
])('%s is reported', async (_, actions, names) => {
  expect(await inProject(true, (folder) => reportChanges(folder, actions))).toEqual(names);
});
