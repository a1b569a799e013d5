import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { settingRows } from './table.ts';
import { isEveryday } from './target.ts';

const target = { BASE_URL: 'https://api.example.com/v1', API_KEY: 'some-key' };

test.each([
  ['secret', true],
  ['onlyletters', true],
  ['Ab-1', true],
  ['Onlyletters', false],
  ['12345678', false],
])('the key %s is an everyday word: %s', (key, everyday) => {
  expect(isEveryday(key)).toBe(everyday);
});

test.each([
  'Bearer',
  'Bearer-4711',
  'basic4711',
  'token:4711',
  '$tr0ng_Pass',
  '$2b$10$KEY_x',
  '100%_sure%',
  'a$API_KEY',
  '$SECRET',
])('%s is accepted as a key', (key) => {
  expect(readSettings({ ...target, API_KEY: key }, '/').target?.apiKey).toBe(key);
});

test('a key is accepted up to the length of a header', () => {
  const read = (length: number) =>
    readSettings({ ...target, API_KEY: 'aB3-'.repeat(length / 4) }, '/').target?.apiKey;
  expect(read(8000)).toHaveLength(8000);
  expect(() => read(8004)).toThrow('API_KEY has more than 8000 characters');
});

test.each(['test', 'users', '200', 'secret'])(
  'a plain word, %s, is accepted as a key, with a notice',
  (key) => {
    const { target: service, notices } = readSettings({ ...target, API_KEY: key }, '/');
    expect(service?.apiKey).toBe(key);
    expect(notices).toEqual([expect.stringContaining('response bodies are not searched for it')]);
  },
);

test.each(settingRows.map(({ variable }) => variable).filter((variable) => variable !== 'API_KEY'))(
  'the key in %s is an error that does not repeat it',
  (variable) => {
    const key = 's3cret/Key+1';
    for (const form of [key, key.toUpperCase(), encodeURIComponent(key)]) {
      const read = () => readSettings({ ...target, API_KEY: key, [variable]: `x${form}y` }, '/');
      expect(read).toThrow(`${variable} holds the key`);
      expect(read).not.toThrow(/s3cret/i);
    }
    expect(() => readSettings({ ...target, API_KEY: key }, `/home/${key}`)).toThrow(
      'This folder holds the key',
    );
  },
);
