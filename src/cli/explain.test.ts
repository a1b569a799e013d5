import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { SettingsError } from '../settings/errors.ts';
import { explain } from './explain.ts';

const SLUG = 'list.contains-created';

const GUIDE = readFileSync(new URL(`../../docs/guides/${SLUG}.md`, import.meta.url), 'utf8');

test('prints the requirement and the sections of its guide as they are written', async () => {
  const [, ...sections] = GUIDE.split(/^(?=## )/m);
  expect(sections).toHaveLength(4);
  expect(await explain([SLUG])).toBe(`list.contains-created (MUST; interface, rule 5.1)
A created user is in the list exactly once, with the email and name that were
sent.

${sections.join('')}`);
});

test('prints headings in bold, but no comment in the code', async () => {
  vi.stubEnv('FORCE_COLOR', '1');
  const text = await explain([SLUG]).finally(() => vi.unstubAllEnvs());
  expect(text).toContain('\u001b[1m## Why it matters\u001b[22m\n');
  expect(text).toContain('\u001b[1m### Flask\u001b[22m\n');
  expect(text).toContain('\n# Workers share the database');
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
