import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { makeFolder, readUpTo, SettingsError } from './errors.ts';

const toError = (clause: string) => new SettingsError(`The file ${clause}.`);

test('a file is read up to a size', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'file');
    writeFileSync(path, 'x'.repeat(100_000));
    expect(readUpTo(path, 100_000, toError)).toHaveLength(100_000);
    expect(() => readUpTo(path, 99_999, toError)).toThrow(SettingsError);
    expect(() => readUpTo(path, 99_999, toError)).toThrow('is larger than');
  });
});

test('devices, pipes, folders and missing files are errors', async () => {
  await inFolder(async (folder) => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const path of ['/dev/zero', '/dev/stdin', join(folder, 'pipe'), folder]) {
      expect(() => readUpTo(path, 10, toError), path).toThrow(SettingsError);
    }
    expect(() => readUpTo(join(folder, 'none'), 10, toError)).toThrow("can't be read (ENOENT)");
  });
});

test('makeFolder makes a folder and its parents, or throws', async () => {
  await inFolder(async (folder) => {
    makeFolder(join(folder, 'a/b/c'));
    makeFolder(join(folder, 'a/b/c'));
    expect(statSync(join(folder, 'a/b/c')).isDirectory()).toBe(true);
    writeFileSync(join(folder, 'file'), '');
    for (const path of ['file', 'file/below'])
      expect(() => makeFolder(join(folder, path)), path).toThrow();
    mkdirSync(join(folder, 'd'));
    makeFolder(join(folder, 'd'));
  });
});

// Other systems have no /proc.
test.runIf(process.platform === 'linux')('no folder is made below /proc', () => {
  expect(() => makeFolder('/proc/no/such/folder')).toThrow();
});
