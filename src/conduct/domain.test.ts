import { sample } from 'fast-check';
import { expect, test } from 'vitest';
import { kind, kinds, lists, oneOf } from './domain.ts';

const drawnFrom = <T>(row: Parameters<typeof sample<T[]>>[0]) => sample(row, { seed: 1, numRuns: 1 }).flat();

test('a text is made of the parameters of its kind alone, and kinds come as often as they weigh', () => {
  const asJson = (params: object) => JSON.stringify(params);
  const texts = kinds<void>({
    often: kind(3, { word: oneOf(['a']) }, asJson),
    seldom: kind(1, { words: lists(oneOf(['b']), 2) }, asJson),
    never: kind(0, { word: oneOf(['c']) }, asJson),
  });
  const drawn = drawnFrom(texts.row);
  const seldom = drawn.filter((one) => one.kind === 'seldom');
  expect(seldom).toHaveLength(drawn.length / 4);
  expect(new Set(drawn.map((one) => texts.textOf(one)))).toEqual(new Set(['{"word":"a"}', '{"words":["b","b"]}']));
  expect(texts.has({ kind: 'never', word: 'c' })).toBe(true);
  expect([['never'], 'other', undefined].some((kind) => texts.has({ kind, word: 'c' }))).toBe(false);
});
