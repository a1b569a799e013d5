import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { changedFiles, fileStates } from './file-states.ts';

type Action = (folder: string) => void;

const writer =
  (name: string): Action =>
  (folder) =>
    writeFileSync(join(folder, name), 'new');

/** Returns the reported names if some actions change a project, one after the other. */
function reportChanges(actions: readonly Action[]): Promise<string[]> {
  return inFolder(async (folder) => {
    for (const name of ['src', 'logs', 'node_modules', 'dist', 'reports'])
      mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'src/app.js'), '');
    const reportDir = join(folder, 'reports');
    const before = fileStates(folder, reportDir);
    const { signal } = new AbortController();
    const changed = changedFiles(folder, reportDir, before, signal);
    for (const action of actions) action(folder);
    return changed;
  });
}

test('changes are reported except those of packages, results, reports and hidden files', async () => {
  const ignored = [
    'node_modules/x.js',
    'dist/app.js',
    'reports/report.html',
    '.hidden',
    'logs/app.log',
    'users.sqlite-wal',
    'src/app.js~',
  ].map(writer);
  expect(await reportChanges([...ignored, writer('src/app.js')])).toEqual(['src/app.js']);
  expect(await reportChanges([...ignored, writer('src/new.js')])).toEqual(['src/new.js']);
});

test.each<[string, Action[], string[]]>([
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
  expect(await reportChanges(actions)).toEqual(names);
});

test('a change before the call is reported as well', async () => {
  await inFolder(async (folder) => {
    const before = fileStates(folder, '');
    writer('app.js')(folder);
    const { signal } = new AbortController();
    expect(await changedFiles(folder, '', before, signal)).toEqual(['app.js']);
  });
});

// Other systems have no /proc and /sys.
test.runIf(process.platform === 'linux')('a directory with too many files is an error', () => {
  expect(() => fileStates('/', '')).toThrow(
    'There are more than 50000 files in /: name a directory with --watch-path.',
  );
});

test('an entry that cannot be read counts as absent', async () => {
  await inFolder(async (folder) => {
    symlinkSync('loop', join(folder, 'loop'));
    symlinkSync('x'.repeat(4000), join(folder, 'long'));
    symlinkSync('nowhere', join(folder, 'broken'));
    for (let link = 0; link < 50; link += 1) symlinkSync(`${link + 1}`, join(folder, `${link}`));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(fileStates(folder, '').size).toBe(0);
    expect(fileStates(join(folder, 'nowhere'), '').size).toBe(0);
  });
});
