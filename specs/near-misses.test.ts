import { expect, test } from 'vitest';
import { differsFromKey, fillIn } from '../src/http/key.ts';
import { CHANGED_WITHIN, EXTENDED, NEAR_KEYS, SYNTAX } from './near-misses.ts';

const KEY = 'Ab0.d-live_xYz91';

test.each([...NEAR_KEYS, ...EXTENDED, ...CHANGED_WITHIN, ...SYNTAX])('%s is made of the key', (_, header) => {
  expect(fillIn(header, KEY)).not.toMatch(/[<>]/);
  expect(differsFromKey(header.replace('Bearer ', ''), KEY)).toBe(true);
});
