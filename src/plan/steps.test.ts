import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plan, round } from './plan.ts';
import { groups } from './steps/users.ts';

const folder = `${import.meta.dirname}/steps`;
const files = readdirSync(folder);
const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');
const tests = files
  .filter((name) => name.endsWith('.test.ts'))
  .map(read)
  .join('\n');
const declared = files
  .filter((name) => !name.endsWith('.test.ts'))
  .flatMap((name) => [...read(name).matchAll(/^export const (\w+)[^=]* = (step|\w+Step|credentials)[<(]/gm)]);

test.each(declared.map(([, name]) => `${name}`))(
  'the step %s is tested with a client that is a list of answers',
  (name) => {
    expect(tests).toMatch(new RegExp(`\\b${name}\\b`));
  },
);

test('these are all steps of the plan', () => {
  // Each group of users has two, and steps/users.test.ts tries all groups.
  expect(declared.length + 2 * Object.keys(groups).length).toBe(new Set([...plan, ...round].flat()).size);
});
