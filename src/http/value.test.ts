import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isNumber,
  isObject,
  LosslessNumber,
  numberOf,
  parseJson,
  shorten,
  show,
  textOf,
} from './value.ts';

test('a number has the text that was written', () => {
  expect(textOf(numberOf('12'))).toBe('12');
  expect(numberOf('12')).toBe(12);
  for (const odd of ['1.0', '1e3', '9007199254740993', '-0']) {
    expect(numberOf(odd)).toBeInstanceOf(LosslessNumber);
    expect(textOf(numberOf(odd))).toBe(odd);
    expect(isNumber(numberOf(odd))).toBe(true);
    expect(isObject(numberOf(odd))).toBe(false);
  }
  for (const value of [null, true, [], {}, undefined]) expect(textOf(value)).toBeUndefined();
});

test('a shortened text has its length, and no half of a character', () => {
  expect(shorten('abc', 3)).toBe('abc');
  expect(shorten('abcd', 3)).toBe('abc… (4 characters)');
  expect(shorten('ab𠮷d', 3)).toBe('ab… (5 characters)');
});

test('a value is shown as JSON of a bounded length', () => {
  expect(show({ email: 'a', name: null, id: numberOf('1.0') })).toBe(
    '{"email":"a","name":null,"id":1.0}',
  );
  expect(show(undefined)).toBe('nothing');
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(show(deep)).toBe('[[[["…"]]]]');
  expect(show(Array.from({ length: 1_000_000 }, () => 'x')).length).toBeLessThan(200);
  const long = 'x'.repeat(1_000_000);
  const wide = Array.from({ length: 100 }, () => ({ [long]: [long, long], y: long }));
  for (const value of [long, wide]) expect(show(value).length).toBeLessThan(22_000);
});

test('a long text and many numbers are shown whole or not at all, as they may end with a key', () => {
  const text = 'x'.repeat(19_990);
  expect(show([text, 'the-key-4711', 'y'])).toBe(`["${text}","… (12 characters)","y"]`);
  const bytes = Array.from({ length: 26 }, (_, index) => 100 + index);
  expect(show({ bytes, few: [1, 2] })).toBe('{"bytes":"… (26 numbers)","few":[1,2]}');
});

/** Replaces a LosslessNumber by a double, as JSON.parse reads it. */
const asDoubles = (_: string, value: unknown) =>
  value instanceof LosslessNumber ? Number(value.value) : value;

test('a JSON text is parsed as by JSON.parse, apart from the digits of numbers', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseJson(text), asDoubles)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test.each([
  '9007199254740993',
  '12345678901234567890',
  '1.10',
  '1e2',
  '-0',
  '0.1000',
  '-1234567890123456',
])('an identifier %s keeps its digits', (digits) => {
  const { id } = parseJson(`{"id":${digits},"n":12}`) as { id: unknown };
  expect(textOf(id)).toBe(digits);
});

test('a duplicate member is parsed as by JSON.parse', () => {
  expect(parseJson('{"id":1.0,"id":2}')).toEqual({ id: 2 });
});

test('digits, brackets and quotes within a string are part of it', () => {
  const odd = `\\"1.0e5[{]}${'['.repeat(2000)}${'9'.repeat(2000)}\\\\`;
  expect(parseJson(`{"a":"${odd}","b":"\\\\"}`)).toEqual({ a: JSON.parse(`"${odd}"`), b: '\\' });
});

test('a deeply nested value is parsed, with or without numbers that keep their digits', () => {
  for (const inner of ['1', '1.0']) {
    let value = parseJson(`${'['.repeat(100_000)}${inner}${']'.repeat(100_000)}`);
    while (Array.isArray(value)) [value] = value;
    expect(value).toBe(1);
  }
});

test('a number of very many digits is a double', () => {
  expect(parseJson(`[1.0,${'9'.repeat(1001)}]`)).toEqual([
    new LosslessNumber('1.0'),
    Number.POSITIVE_INFINITY,
  ]);
});

test.each(['[1', '{"a":}', "{'a':1}", '01', '1 2', ''])('%s is not a JSON text', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
