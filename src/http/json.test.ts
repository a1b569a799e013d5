import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { parseJson, TooMuch } from './json.ts';
import { textOf } from './value.ts';

/** A value with its numbers as JSON.parse has them. */
const asDoubles = (_: string, value: unknown) => (value instanceof LosslessNumber ? Number(value.value) : value);

test('but for the writing of numbers a JSON text is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(parseJson(text), asDoubles)).toBe(JSON.stringify(JSON.parse(text)));
    }),
  );
});

test.each(['9007199254740993', '12345678901234567890', '1.10', '1e2', '-0', '0.1000'])(
  'an identifier %s keeps its digits',
  (digits) => {
    const { id } = parseJson(`{"id":${digits},"n":12}`) as { id: unknown };
    expect(textOf(id)).toBe(digits);
  },
);

test('a member that is there twice is taken as JSON.parse takes it', () => {
  expect(parseJson('{"id":1.0,"id":2}')).toEqual({ id: 2 });
});

test('digits, brackets and quotes within a string are no numbers, levels or ends', () => {
  const odd = `\\"1.0e5[{]}${'['.repeat(2000)}${'9'.repeat(2000)}\\\\`;
  expect(parseJson(`{"a":"${odd}","b":"\\\\"}`)).toEqual({ a: JSON.parse(`"${odd}"`), b: '\\' });
});

test.each([
  [`${'['.repeat(1001)}${']'.repeat(1001)}`, 'it is nested more than 1000 levels deep'],
  [`[${'9'.repeat(1001)}]`, 'it has a number of more than 1000 digits'],
])('beyond the limits of the suite it is said which: %#', (text, sentence) => {
  expect(() => parseJson(text)).toThrow(TooMuch);
  expect(() => parseJson(text)).toThrow(sentence);
});

test.each(['[1', '{"a":}', "{'a':1}", '01', '1 2', ''])('%s is no JSON text', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError);
});
