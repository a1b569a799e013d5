import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { isNumber, isObject, numberOf, shorten, show, textOf } from './value.ts';

test('a number has one text, the one in which it was written', () => {
  expect(textOf(numberOf('12'))).toBe('12');
  expect(numberOf('12')).toBe(12);
  for (const odd of ['1.0', '1e3', '9007199254740993', '-0']) {
    expect(numberOf(odd)).toBeInstanceOf(LosslessNumber);
    expect(textOf(numberOf(odd))).toBe(odd);
    expect(isNumber(numberOf(odd))).toBe(true);
    expect(isObject(numberOf(odd))).toBe(false);
  }
  for (const none of [null, true, [], {}, undefined]) expect(textOf(none)).toBeUndefined();
});

test('a long text is shortened, never within a character, and its length is told', () => {
  expect(shorten('abc', 3)).toBe('abc');
  expect(shorten('abcd', 3)).toBe('abc… (4 characters)');
  expect(shorten('ab𠮷d', 3)).toBe('ab… (5 characters)');
});

test('a value is shown as JSON, of bounded length however deep, wide or long it is', () => {
  expect(show({ email: 'a', name: null, id: numberOf('1.0') })).toBe('{"email":"a","name":null,"id":1.0}');
  expect(show(undefined)).toBe('nothing');
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(show(deep)).toBe('[[[["…"]]]]');
  expect(show(Array.from({ length: 1_000_000 }, () => 'x')).length).toBeLessThan(200);
  const long = 'x'.repeat(1_000_000);
  const wide = Array.from({ length: 100 }, () => ({ [long]: [long, long], y: long }));
  for (const value of [long, wide]) expect(show(value).length).toBeLessThan(22_000);
});
