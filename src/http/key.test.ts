import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys } from '../../tests/keys.ts';
import { differsFromKey, fillIn, KEY, keyChangedAt, wrongKey } from './key.ts';

test('the key replaces its mark, encoded for the place', () => {
  expect(fillIn(`Bearer ${KEY}`, 'a/b=')).toBe('Bearer a/b=');
  expect(fillIn(`?api_key=${KEY}`, 'a/b=', encodeURIComponent)).toBe('?api_key=a%2Fb%3D');
});

test.each([
  ['<API_KEY without its last character>', 'Ab-'],
  ['<API_KEY without its first character>', 'b-1'],
  ['<API_KEY in swapped case>', 'aB-1'],
  ['<base64 of API_KEY and a colon>', 'QWItMTo='],
  ['<base64 of API_KEY>', 'QWItMQ=='],
  ['<percent-encoded API_KEY>', '%41%62%2d%31'],
  ['<API_KEY without signs>', 'Ab1'],
  ['<the digits of API_KEY>', '1'],
  ['<API_KEY backwards>', '1-bA'],
  ['<API_KEY with _ for - and - for _>', 'Ab_1'],
  ['<API_KEY with its first letter in swapped case>', 'ab-1'],
  [keyChangedAt(1), 'Bb-1'],
  [keyChangedAt(0), 'Ab_1'],
  [keyChangedAt(-1), 'Ab-0'],
  [keyChangedAt(6), 'Aa-1'],
  ['<API_KEY with its last two swapped>', 'Ab1-'],
  ['<the parts of API_KEY in another order>', '1-Ab'],
  ['<API_KEY turned by one>', 'b-1A'],
  ['<API_KEY with one character twice>', 'Abb-1'],
  ['<API_KEY with test for live>', 'Ab-1'],
  ['<API_KEY with another sign>', 'Abx1'],
])('%s of the key Ab-1 is %s', (mark, value) => {
  expect(fillIn(`<${mark}>`, 'Ab-1')).toBe(`<${value}>`);
});

test('a key with one character changed differs in that character alone', () => {
  fc.assert(
    fc.property(keys, fc.constantFrom(1, 0, -1), (key, place) => {
      const changed = fillIn(keyChangedAt(place), key);
      const different = [...changed].filter((character, index) => character !== key[index]);
      expect(different).toHaveLength(1);
      expect(changed).toHaveLength(key.length);
    }),
  );
});

test.each([
  [KEY, 'abcdefgh', false],
  ['<API_KEY in swapped case>', '12345678', false],
  ['<API_KEY in swapped case>', '1234567a', true],
  ['<API_KEY without its last character>', 'a', false],
  ['<API_KEY with a look-alike>', 'abc', false],
  ['<API_KEY with a look-alike>', 'abc0', true],
  [`${KEY}x`, 'a', true],
])('a credential %s differs from the key %s: %s', (mark, key, differs) => {
  expect(differsFromKey(mark, key)).toBe(differs);
});

test('a wrong key neither contains the key nor is a part of it', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const wrong = wrongKey(key);
      expect(wrong).not.toContain(key);
      expect(key).not.toContain(wrong);
    }),
  );
});

test.each(['----####', 'a-1', '!?!?!?!?!?!?'])(
  'a key with few letters and digits, %s, gets a wrong key of another shape',
  (key) => {
    expect(wrongKey(key)).toMatch(/^[A-Za-z0-9]{24}$/);
  },
);
