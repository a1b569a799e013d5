import { expect, test } from 'vitest';
import { isWritingOf } from './writing-of.ts';

test.each([
  ['٣', '3'],
  ['１２', '12'],
  ['+3', '3'],
  ['-3', '3'],
  [' 3 ', '3'],
  ['003', '3'],
  ['3_0', '30'],
  ['3.0', '3'],
  ['ABC', 'abc'],
  ['ａｂｃ', 'abc'],
  ['0 OR 1=1', '0'],
  ['12x', '12'],
])('%s may be found as %s', (text, identifier) => {
  expect(isWritingOf(text, identifier)).toBe(true);
});

test.each([
  ['4294967299', '3'],
  ['33', '3'],
  ['999999999', '9'],
  ['0', '-1'],
  ['abd', 'abc'],
  ['x', ''],
])('%s may not be found as %s', (text, identifier) => {
  expect(isWritingOf(text, identifier)).toBe(false);
});
