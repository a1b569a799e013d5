import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys } from '../../tests/keys.ts';
import { differsFromKey, fillIn, KEY, keyChangedAt, keyForm, wrongKey } from './key.ts';

test('the key takes the place of its mark, encoded for the place', () => {
  expect(fillIn(`Bearer ${KEY}`, 'a/b=')).toBe('Bearer a/b=');
  expect(fillIn(`?api_key=${KEY}`, 'a/b=', encodeURIComponent)).toBe('?api_key=a%2Fb%3D');
});

test.each([
  [keyForm.cutAtEnd, 'Ab-'],
  [keyForm.cutAtStart, 'b-1'],
  [keyForm.caseSwapped, 'aB-1'],
  [keyForm.basic, 'QWItMTo='],
  [keyForm.base64, 'QWItMQ=='],
  [keyForm.percentEncoded, '%41%62%2d%31'],
  [keyForm.withoutSigns, 'Ab1'],
  [keyForm.digits, '1'],
  [keyForm.backwards, '1-bA'],
  [keyForm.otherSigns, 'Ab_1'],
  [keyForm.caseAtStart, 'ab-1'],
  [keyChangedAt(1), 'Bb-1'],
  [keyChangedAt(0), 'Ab_1'],
  [keyChangedAt(-1), 'Ab-0'],
  [keyChangedAt(6), 'Aa-1'],
  [keyForm.lastSwapped, 'Ab1-'],
  [keyForm.partsTurned, '1-Ab'],
  [keyForm.turnedByOne, 'b-1A'],
  [keyForm.doubleLetter, 'Abb-1'],
  [keyForm.ofTests, 'Ab-1'],
  [keyForm.signChanged, 'Abx1'],
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
  [keyForm.caseSwapped, '12345678', false],
  [keyForm.caseSwapped, '1234567a', true],
  [keyForm.cutAtEnd, 'a', false],
  [keyForm.lookAlike, 'abc', false],
  [keyForm.lookAlike, 'abc0', true],
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
