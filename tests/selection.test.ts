import { describe, expect, test } from 'vitest';
import { requirements } from '../specs/index.ts';
import { select } from '../src/settings/selection.ts';
import { SettingsError } from '../src/settings/settings-error.ts';
import { judgeKept } from './run.ts';
import { start } from './services/service.ts';

const slugs = requirements.map(({ slug }) => slug);
const chapters = [...new Set(slugs.map((slug) => slug.split('.')[0]))];

describe.concurrent('what a selection leaves is judged as in a whole run', () => {
  test.for([...slugs, ...chapters.map((chapter) => `${chapter}.*`)])('only %s', async (pattern) => {
    const service = await start();
    const selection = { only: [pattern], skip: [] };
    const run = await judgeKept(service, { selection }).finally(service.close);
    expect(run.outcomes.length).toBe(select(slugs, selection).size);
    expect(run.outcomes.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  });
});

test('patterns choose and leave out; a dot is a dot', () => {
  const all = ['list.answers', 'list.users', 'listing.x', 'create.answers'];
  const chosen = (only: string[], skip: string[]) => [...select(all, { only, skip })];
  expect(chosen([], [])).toEqual(all);
  expect(chosen(['list.*'], [])).toEqual(['list.answers', 'list.users']);
  expect(chosen(['*.answers'], ['list*'])).toEqual(['create.answers']);
  expect(chosen([], ['*.answers', 'listing.x'])).toEqual(['list.users']);
});

test.each([
  [['lists.*'], [], 'No requirement matches "lists.*"'],
  [[], ['list.answer'], 'No requirement matches "list.answer"'],
  [['list.answers'], ['list.*'], '--only and --skip leave no requirement'],
])('only %j, skip %j: an error', (only, skip, sentence) => {
  const choose = () => select(slugs, { only, skip });
  expect(choose).toThrow(SettingsError);
  expect(choose).toThrow(sentence);
});
