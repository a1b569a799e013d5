import { expect, test } from 'vitest';
import { drawnFrom, kind, kinds, lists, members, oneOf, take } from './domain.ts';

test('a text is made of the parameters of its kind alone, and kinds come as often as they weigh', () => {
  const asJson = (params: object) => JSON.stringify(params);
  const texts = kinds<void>({
    often: kind(3, { word: oneOf(['a']) }, asJson),
    seldom: kind(1, { words: lists(oneOf(['b']), 2) }, asJson),
    never: kind(0, { word: oneOf(['c']) }, asJson),
  });
  const drawn = take(drawnFrom(texts, 1), 400);
  const seldom = drawn.filter((one) => one.kind === 'seldom');
  expect(seldom).toHaveLength(drawn.length / 4);
  expect(new Set(drawn.map((one) => texts.textOf(one)))).toEqual(new Set(['{"word":"a"}', '{"words":["b","b"]}']));
  expect(texts.has({ kind: 'never', word: 'c' })).toBe(true);
  expect([['never'], 'other', undefined].some((kind) => texts.has({ kind, word: 'c' }))).toBe(false);
});

test('values come before one comes again, and those of each class after the other', () => {
  const drawn = take(drawnFrom(oneOf(['a', 'b'], ['c', 'd'], ['e']), 1), 10);
  for (const some of [drawn.slice(0, 5), drawn.slice(5)]) {
    expect([...some].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(some[3]).toBe('e');
  }
});

test('a seed draws the same values again, and another one others', () => {
  const numbers = oneOf(Array.from({ length: 50 }, (_, at) => at));
  const domain = members({ one: numbers, some: lists(numbers, 3) });
  const [first, again, other] = [1, 1, 2].map((seed) => take(drawnFrom(domain, seed), 30));
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test('a list is made smaller to one of its values, and an object by its lists', () => {
  const domain = members({ one: oneOf(['a']), some: lists(oneOf(['b', 'c']), 2) });
  expect([...(domain.smaller?.({ one: 'a', some: ['b', 'c'] }) ?? [])]).toEqual([
    { one: 'a', some: ['b'] },
    { one: 'a', some: ['c'] },
  ]);
  expect([...(domain.smaller?.({ one: 'a', some: ['b'] }) ?? [])]).toEqual([]);
});
