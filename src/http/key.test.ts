import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys } from '../../tests/keys.ts';
import {
  differsFromKey,
  fillIn,
  KEY,
  keyChangedAt,
  toShell,
  withKnownMarks,
  wrongKey,
} from './key.ts';
import { FORMS } from './key-forms.ts';

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

test('a shell computes each form of the key, though the variable is not exported', () => {
  const key = `12J0O_live.9a-+/.$(id)\`"'\\ x=`;
  const marks = [...FORMS.keys(), ...[1, 4, 0, -1, -30, 99].map(keyChangedAt)];
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const values = marks.map((mark) => toShell(`a ${mark}`, quote));
  const script = `API_KEY=${quote(key)}; printf '%s\\0' ${values.join(' ')}`;
  const { stdout } = spawnSync('sh', ['-c', script], { env: { PATH: process.env.PATH } });
  const printed = stdout.toString('latin1').split('\0').slice(0, -1);
  expect(printed).toEqual(marks.map((mark) => `a ${fillIn(mark, key)}`));
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

/** The length of the longest text that is in both texts, in any case. */
function longestInBoth(text: string, other: string): number {
  const [lower, otherLower] = [text.toLowerCase(), other.toLowerCase()];
  let longest = 0;
  for (let start = 0; start < lower.length; start += 1) {
    while (otherLower.includes(lower.slice(start, start + longest + 1))) {
      if (start + longest + 1 > lower.length) break;
      longest += 1;
    }
  }
  return longest;
}

test('a wrong key shows no more than a third of the key', () => {
  const showsLittle = (key: string) => {
    expect(longestInBoth(wrongKey(key), key)).toBeLessThanOrEqual(key.length / 3);
  };
  fc.assert(fc.property(keys, showsLittle));
  showsLittle('Zq7.*+?^${}()|[]Rk2Wp9');
  showsLittle(`A1${'a'.repeat(3998)}`);
});

test.each(['sk_live_4f9aKQ72-bzT.x81Lm', 'eyJhbGciOi.eyJzdWIi.SflKxwRJ'])(
  'the wrong key for %s has its shape',
  (key) => {
    const shapeOf = (text: string) =>
      text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/[0-9]/g, '0');
    expect(shapeOf(wrongKey(key))).toBe(shapeOf(key));
  },
);

test.each(['----####', 'a-1', '!?!?!?!?!?!?', 'Zq7.*+?^${}()|[]Rk2Wp9', 'a', '1-'])(
  'a key with few letters and digits, or with many signs, %s, gets a wrong key of another shape',
  (key) => {
    expect(wrongKey(key)).toMatch(/^[A-Za-z0-9]{24}$/);
  },
);

test('a misspelt mark is an error, for it would be sent as it stands', () => {
  const misspelt = 'Bearer <the first halv of API_KEY>';
  expect(() => withKnownMarks(misspelt)).toThrow(
    '<the first halv of API_KEY> is no form of the key',
  );
  const right = `Bearer ${KEY}, ${keyChangedAt(-3)}, <base64 of API_KEY>`;
  expect(withKnownMarks(right)).toBe(right);
});
