import { expect, test } from 'vitest';
import { drawnFrom, lists, members, oneOf, take, textsMade, way } from './topic.ts';

test('texts are made in ways that come as often as they weigh, and are made smaller while they are of the domain', () => {
  const texts = textsMade(
    (text) => text.startsWith('a'),
    way(3, { word: oneOf(['abc']) }, ({ word }) => word),
    way(1, { words: lists(oneOf(['ab']), 2) }, ({ words }) => words.join('')),
  );
  const drawn = take(drawnFrom(texts, 1), 400);
  expect(drawn.filter((one) => one === 'abab')).toHaveLength(100);
  expect(drawn.filter((one) => one === 'abc')).toHaveLength(300);
  expect(['a', 'b', undefined, ['a']].map((one) => texts.has(one))).toEqual([true, false, false, false]);
  const smaller = [...(texts.smaller?.('abc') ?? [])];
  expect(smaller).toContain('ac');
  expect(smaller.every((one) => one.length < 3 && texts.has(one))).toBe(true);
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
