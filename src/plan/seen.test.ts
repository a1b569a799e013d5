import { expect, test } from 'vitest';
import { Seen } from './seen.ts';

test.each(['', 'a', 'ab', 'ba', '1', '\u0000', '山田', 'x'.repeat(1000)])('%j is seen when it comes again', (text) => {
  const seen = new Seen();
  expect([seen.add(text), seen.add(`${text}.`), seen.add(text)]).toEqual([false, false, true]);
});

test('of very many none is taken for another, and each is seen again', () => {
  const seen = new Seen();
  const texts = Array.from({ length: 150_000 }, (_, index) => (index % 2 === 0 ? `user-${index}` : `${index}`));
  expect(texts.filter((text) => seen.add(text))).toEqual([]);
  expect(texts.filter((text) => !seen.add(text))).toEqual([]);
});

test('beyond what is kept nothing is said to be seen', () => {
  const seen = new Seen();
  for (let index = 0; index < 200_000; index += 1) seen.add(`${index}`);
  expect([seen.add('another'), seen.add('another'), seen.add('7')]).toEqual([false, false, true]);
});
