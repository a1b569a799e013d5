import { expect, test } from 'vitest';
import { differsFromKey, fillIn } from '../src/http/key.ts';
import { CHANGED_WITHIN, EXTENDED, NEAR_KEYS, SYNTAX } from './near-misses.ts';

const KEY = 'Ab0.d-live_xYz91';

test.each([...NEAR_KEYS, ...EXTENDED, ...CHANGED_WITHIN, ...SYNTAX])('%s is made of the key', (_, header) => {
  expect(fillIn(header, KEY)).not.toMatch(/[<>]/);
  expect(differsFromKey(header.replace('Bearer ', ''), KEY)).toBe(true);
});

test('of any three places in a row that are changed within the key, one is its middle', () => {
  const all = CHANGED_WITHIN.map(([what]) => what.includes('middle'));
  expect(all.filter((_, at) => ![0, 1, 2].some((next) => all[(at + next) % all.length]))).toEqual([]);
});
