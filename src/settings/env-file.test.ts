import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inFolder } from '../../tests/shell.ts';
import { SettingsError } from './errors.ts';
import { readSettings } from './settings.ts';

const TEXT = 'BASE_URL=https://api.example.com/v1\nAPI_KEY=some-key # ours\n';
const target = { baseUrl: 'https://api.example.com/v1', apiKey: 'some-key', headers: [] };

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** Reads the settings in a folder with this `.env`. */
const readWith = (content: string | Buffer, environment: Record<string, string> = {}) =>
  inFolder(async (folder) => {
    writeFileSync(join(folder, '.env'), content);
    return readSettings(environment, folder);
  });

test.each([
  ['UTF-8', TEXT],
  ['UTF-8 with a byte order mark', `\ufeff${TEXT}`],
  ['UTF-16 as PowerShell writes it', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16, big-endian', utf16be(`\ufeff${TEXT}`)],
  ['UTF-16 without a byte order mark', Buffer.from(TEXT, 'utf16le')],
  ['line endings of Windows', TEXT.replaceAll('\n', '\r\n')],
  ['lines that a shell exports', TEXT.replaceAll(/^/gm, 'export ').replace(/export $/, '')],
])('.env is read: %s', async (_, content) => {
  expect((await readWith(content)).target).toEqual(target);
});

describe('a file .env without a target is an error that shows the expected lines', () => {
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
    // The name in this line is the key.
    ['some-key==\n', 'names no target: it needs a line'],
    ['some-key', 'names no target: it needs a line'],
  ])('%j', async (content, sentence) => {
    const settings = readWith(content);
    await expect(settings).rejects.toThrow(SettingsError);
    await expect(settings).rejects.toThrow(sentence);
    await expect(settings).rejects.toThrow(
      'a line BASE_URL=https://api.example.com/v1 and a line API_KEY=…',
    );
    await expect(settings).rejects.not.toThrow('some-key');
  });
});

test('the target may come from the environment, or be the embedded reference service', async () => {
  const environment = { BASE_URL: target.baseUrl, API_KEY: target.apiKey };
  expect((await readWith('CONFORMANCE_STRICT=1\n', environment)).target).toEqual(target);
  expect(await readWith('CONFORMANCE_STRICT=1\nBASE_URL=embedded-reference\n')).not.toHaveProperty(
    'target',
  );
});

test('a device and a file of more than 1 MiB are not read', async () => {
  await inFolder(async (folder) => {
    const read = () => readSettings({}, folder);
    symlinkSync('/dev/zero', join(folder, '.env'));
    expect(read).toThrow('The file .env of this folder is not a regular file');
  });
  await expect(readWith('#'.repeat(1024 * 1024 + 1))).rejects.toThrow('is larger than 1 MiB');
});

test('a folder with the name .env is an error', async () => {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, '.env'));
    expect(() => readSettings({}, folder)).toThrow(
      'The file .env of this folder is not a regular file: it should be a text file',
    );
  });
});

const WITH_MORE = `${TEXT}CONFORMANCE_START=rm -r .\nCONFORMANCE_STRICT=1\nPATH=/tmp\n`;

describe('notices name the settings from .env, without values', () => {
  test('outside CI, .env may set any setting that the environment does not set', async () => {
    const { start, strict, notices } = await readWith(WITH_MORE, {
      CONFORMANCE_STRICT: '0',
      CI: 'false',
    });
    expect({ start, strict }).toEqual({ start: 'rm -r .', strict: false });
    expect(notices).toEqual(['from .env: BASE_URL, API_KEY, CONFORMANCE_START']);
  });

  test.each(['1', 'true', 'woodpecker'])(
    'with CI=%s it sets only the address and the key',
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

  test('no notice if the environment sets all', async () => {
    const environment = { BASE_URL: target.baseUrl, API_KEY: target.apiKey };
    expect((await readWith(TEXT, environment)).notices).toEqual([]);
  });
});
