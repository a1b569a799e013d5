import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { SettingsError } from './errors.ts';
import { causeOf, makeFolder, readUpTo, replaceFile, tryToReplace } from './files.ts';

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
    expect(() => readUpTo(join(folder, 'none'), 10, toError)).toThrow(
      "can't be read (no such file or directory)",
    );
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

test('a file that is replaced keeps its mode, and no link is followed', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'file');
    writeFileSync(path, 'old', { mode: 0o600 });
    replaceFile(path, ['ne', 'w']);
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    symlinkSync(path, join(folder, 'link'));
    replaceFile(join(folder, 'link'), 'other');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(folder).sort()).toEqual(['file', 'link']);
  });
});

test('a file that cannot be replaced stays, and nothing else is left', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'taken/x'), { recursive: true });
    expect(() => replaceFile(join(folder, 'taken'), 'x')).toThrow();
    expect(() => tryToReplace(join(folder, 'none/file'))).toThrow();
    tryToReplace(join(folder, 'file'));
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});

test.each([
  'ENOENT',
  'EACCES',
  'ENOSPC',
  'EISDIR',
  'ENOTDIR',
  'EROFS',
  'EMFILE',
  'EPERM',
  'ERR_FS_EISDIR',
])('a sentence has words for %s', (code) => {
  const error = Object.assign(new Error(`${code}: x, open '/secret'`), { code });
  expect(causeOf(error)).toMatch(/^[a-z][a-z -]+$/);
});
