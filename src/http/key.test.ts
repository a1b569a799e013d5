import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys } from '../../tests/keys.ts';
import {
  differsFromKey,
  fillIn,
  KEY,
  KEY_AS_BASIC,
  KEY_BACKWARDS,
  KEY_CASE_AT_START,
  KEY_CASE_SWAPPED,
  KEY_CUT_AT_END,
  KEY_CUT_AT_START,
  KEY_DIGITS,
  KEY_IN_BASE64,
  KEY_LOOK_ALIKE,
  KEY_OTHER_SIGNS,
  KEY_PERCENT_ENCODED,
  KEY_WITHOUT_SIGNS,
  keyChangedAt,
  wrongKey,
} from './key.ts';

test('the key takes the place of its mark, encoded for the place', () => {
  expect(fillIn(`Bearer ${KEY}`, 'a/b=')).toBe('Bearer a/b=');
  expect(fillIn(`?api_key=${KEY}`, 'a/b=', encodeURIComponent)).toBe('?api_key=a%2Fb%3D');
});

test.each([
  [KEY_CUT_AT_END, 'Ab-'],
  [KEY_CUT_AT_START, 'b-1'],
  [KEY_CASE_SWAPPED, 'aB-1'],
  [KEY_AS_BASIC, 'QWItMTo='],
  [KEY_IN_BASE64, 'QWItMQ=='],
  [KEY_PERCENT_ENCODED, '%41%62%2d%31'],
  [KEY_WITHOUT_SIGNS, 'Ab1'],
  [KEY_DIGITS, '1'],
  [KEY_BACKWARDS, '1-bA'],
  [KEY_OTHER_SIGNS, 'Ab_1'],
  [KEY_CASE_AT_START, 'ab-1'],
  [keyChangedAt(1), 'xb-1'],
  [keyChangedAt(0), 'Abx1'],
  [keyChangedAt(-1), 'Ab-x'],
])('%s of the key Ab-1 is %s', (mark, value) => {
  expect(fillIn(`<${mark}>`, 'Ab-1')).toBe(`<${value}>`);
});

test('a key with one character changed differs in that one, whatever it was', () => {
  fc.assert(
    fc.property(keys, fc.constantFrom(1, 0, -1), (key, place) => {
      const changed = fillIn(keyChangedAt(place), key);
      expect([...changed].filter((one, at) => one !== key[at])).toHaveLength(1);
      expect(changed).toHaveLength(key.length);
    }),
  );
});

test.each([
  [KEY, 'abcdefgh', false],
  [KEY_CASE_SWAPPED, '12345678', false],
  [KEY_CASE_SWAPPED, '1234567a', true],
  [KEY_CUT_AT_END, 'a', false],
  [KEY_LOOK_ALIKE, 'abc', false],
  [KEY_LOOK_ALIKE, 'abc0', true],
  [`${KEY}x`, 'a', true],
])('a credential %s differs from the key %s: %s', (mark, key, differs) => {
  expect(differsFromKey(mark, key)).toBe(differs);
});

test('a wrong key is never the key, nor a part of it', () => {
  fc.assert(
    fc.property(keys, (key) => {
      const wrong = wrongKey(key);
      expect(wrong).not.toContain(key);
      expect(key).not.toContain(wrong);
    }),
  );
});

test.each(['----####', 'a-1', '!?!?!?!?!?!?'])(
  '%s has little to draw for: the wrong key shares nothing with it',
  (key) => {
    expect(wrongKey(key)).toMatch(/^[A-Za-z0-9]{24}$/);
  },
);
