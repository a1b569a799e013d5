import { expect, test } from 'vitest';
import { SettingsError } from '../settings/errors.ts';
import { readFlags } from './flags.ts';

test('--repeat is a number of runs', () => {
  expect(readFlags(['--repeat', '10']).repeat).toBe(10);
  expect(readFlags([]).repeat).toBeUndefined();
});

test.each([
  ['0', '--repeat is "0": it must be a whole number from 1 to 100.'],
  ['101', '--repeat is "101": it must be a whole number from 1 to 100.'],
  ['ten', '--repeat is "ten": it must be a whole number from 1 to 100.'],
])('--repeat %s is an error', (count, sentence) => {
  expect(() => readFlags(['--repeat', count])).toThrow(new SettingsError(sentence));
});

test.each(['--watch', '--list'])('--repeat has no effect with %s', (flag) => {
  const sentence = `--repeat has no effect with ${flag}.`;
  expect(() => readFlags(['--repeat', '3', flag])).toThrow(sentence);
});
