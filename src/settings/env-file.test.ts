import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { SettingsError } from './errors.ts';
import { readSettings } from './settings.ts';

const TEXT = 'BASE_URL=https://api.example.com/v1\nAPI_KEY=some-key # ours\n';
const target = { baseUrl: 'https://api.example.com/v1', apiKey: 'some-key', headers: [] };

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** Reads the settings in a folder with such a file `.env`. */
const readWith = (content: string | Buffer, environment: Record<string, string> = {}) =>
  inFolder(async (folder) => {
    writeFileSync(join(folder, '.env'), content);
    return readSettings(environment, folder);
  });

test.each([
  ['UTF-8', TEXT],
  ['UTF-8 with a byte order mark', `\ufeff${TEXT}`],
  ['UTF-16 as PowerShell writes it', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16, the other way round', utf16be(`\ufeff${TEXT}`)],
  ['UTF-16 without a byte order mark', Buffer.from(TEXT, 'utf16le')],
  ['lines as Windows ends them', TEXT.replaceAll('\n', '\r\n')],
  ['lines as for a shell', TEXT.replaceAll(/^/gm, 'export ').replace(/export $/, '')],
])('.env is read: %s', async (_, content) => {
  expect((await readWith(content)).target).toEqual(target);
});

describe('a file .env that names no target ends the run, and says what was read and how it should look', () => {
  test.each([
    ['', 'names no target: it needs a line'],
    ['# BASE_URL=https://api.example.com/v1\n\n  # API_KEY=\n', 'names no target: it needs a line'],
    ['API_KEY=some-key\n', 'names no target: it needs a line'],
    [
      '{ "BASE_URL": "https://api.example.com/v1", "API_KEY": "some-key" }',
      'names no target: it needs a line',
    ],
    [
      '$env:BASE_URL = "https://api.example.com/v1"\n$env:API_KEY = "some-key"\n',
      'names no target',
    ],
    ['set BASE_URL=https://api.example.com/v1\r\nset API_KEY=some-key\r\n', 'names no target'],
    [
      'base_url=https://api.example.com/v1\napi_key=some-key\n',
      'it has base_url (BASE_URL?), api_key (API_KEY?)',
    ],
    ['BASEURL=https://api.example.com/v1\nAPI_KEY=some-key\n', 'it has BASEURL (BASE_URL?)'],
    ['BASE_ULR=https://api.example.com/v1\nAPI_KEY=some-key\n', 'it has BASE_ULR (BASE_URL?)'],
    ['PORT=3000\nDATABASE_HOST=db\n', 'names no target: it needs a line'],
    // A name may be the key: that of this line is.
    ['some-key==\n', 'names no target: it needs a line'],
    ['some-key', 'names no target: it needs a line'],
  ])('%j', async (content, seen) => {
    const read = readWith(content);
    await expect(read).rejects.toThrow(SettingsError);
    await expect(read).rejects.toThrow(seen);
    await expect(read).rejects.toThrow(
      'a line BASE_URL=https://api.example.com/v1 and a line API_KEY=…',
    );
    await expect(read).rejects.not.toThrow('some-key');
  });
});

test('a target of the environment is one, whatever .env has; the embedded reference service can be asked for', async () => {
  const environment = { BASE_URL: target.baseUrl, API_KEY: target.apiKey };
  expect((await readWith('CONFORMANCE_STRICT=1\n', environment)).target).toEqual(target);
  expect(await readWith('CONFORMANCE_STRICT=1\nBASE_URL=embedded-reference\n')).not.toHaveProperty(
    'target',
  );
});

test('what is no file of some size is not read', async () => {
  await inFolder(async (folder) => {
    const read = () => readSettings({}, folder);
    symlinkSync('/dev/zero', join(folder, '.env'));
    expect(read).toThrow('The file .env of this folder is not a regular file');
  });
  await expect(readWith('#'.repeat(1024 * 1024 + 1))).rejects.toThrow('is larger than 1 MiB');
});

test('a folder of the name .env is refused', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, '.env'));
    expect(() => readSettings({}, folder)).toThrow(
      'The file .env of this folder is not a regular file: it should be a text file',
    );
  });
});

const WITH_MORE = `${TEXT}CONFORMANCE_START=rm -r .\nCONFORMANCE_STRICT=1\nPATH=/tmp\n`;

describe('what was taken from .env is said, by names alone', () => {
  test('elsewhere than in a CI it gives any setting that the environment does not', async () => {
    const { start, strict, notices } = await readWith(WITH_MORE, {
      CONFORMANCE_STRICT: '0',
      CI: 'false',
    });
    expect({ start, strict }).toEqual({ start: 'rm -r .', strict: false });
    expect(notices).toEqual(['from .env: BASE_URL, API_KEY, CONFORMANCE_START']);
  });

  test.each(['1', 'true', 'woodpecker'])(
    'where CI is %s it gives the address and the key alone',
    async (CI) => {
      const settings = await readWith(WITH_MORE, { CI });
      expect(settings).toMatchObject({ target, strict: false });
      expect(settings.start).toBeUndefined();
      expect(settings.notices).toEqual([
        'from .env: BASE_URL, API_KEY',
        'not from .env, because CI is set: CONFORMANCE_START, CONFORMANCE_STRICT',
      ]);
    },
  );

  test('nothing is said where the environment gives all', async () => {
    const environment = { BASE_URL: target.baseUrl, API_KEY: target.apiKey };
    expect((await readWith(TEXT, environment)).notices).toEqual([]);
  });
});
