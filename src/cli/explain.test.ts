import { expect, test } from 'vitest';
import { guides } from '../../specs/guides/index.ts';
import { SettingsError } from '../settings/errors.ts';
import { explain } from './explain.ts';

test('prints the reason, the mistake, the code for both stacks and the freedoms', async () => {
  const text = await explain(['list.total-integer']);
  const { fixes } = guides['list.total-integer'] ?? { fixes: [] };
  expect(text.split('\n').filter((line) => /^\S/.test(line))).toEqual([
    'list.total-integer (MUST; interface, rule 5.4)',
    'The `total` of the list is an integer of 0 or more.',
    'Why it matters',
    'The usual mistake',
    ...fixes.map(({ stack }) => `Fix in ${stack}`),
    'Freedoms',
  ]);
  for (const line of fixes.flatMap(({ code }) => code.split('\n')))
    expect(text).toContain(line === '' ? '\n\n' : `\n    ${line}\n`);
});

test('prints several requirements, also by a pattern', async () => {
  const text = await explain(['http.json', 'versioning.*']);
  expect(text.match(/^[a-z-]+\.[a-z-]+(?= \()/gm)).toEqual([
    'versioning.base-address',
    'versioning.needs-segment',
    'versioning.unknown-version',
    'http.json',
  ]);
});

test.each([
  [
    ['list.total-integr'],
    'No requirement matches "list.total-integr": did you mean list.total-integer?',
  ],
  [[], 'explain takes names of requirements, such as list.total-integer; --list prints all.'],
  [['--only', 'http.json'], "Unknown option '--only'. explain takes names of requirements"],
])('explain %j is an error of one sentence', async (args, sentence) => {
  const explaining = explain(args);
  await expect(explaining).rejects.toThrow(SettingsError);
  await expect(explaining).rejects.toThrow(sentence);
});
