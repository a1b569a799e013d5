import { expect, test } from 'vitest';
import { SettingsError } from './errors.ts';
import { select } from './selection.ts';

test('patterns select and skip; a dot matches only a dot', () => {
  const all = ['list.answers', 'list.users', 'listing.x', 'create.answers'];
  const slugs = all.map((slug) => ({ slug }));
  const slugsOf = (only: string[], skip: string[]) =>
    select(slugs, { only, skip }).map(({ slug }) => slug);
  expect(slugsOf([], [])).toEqual(all);
  expect(slugsOf(['list.*'], [])).toEqual(['list.answers', 'list.users']);
  expect(slugsOf(['*.answers'], ['list*'])).toEqual(['create.answers']);
  expect(slugsOf([], ['*.answers', 'listing.x'])).toEqual(['list.users']);
});

test.each([
  ['*', true],
  ['**', true],
  ['a*', true],
  ['*c', true],
  ['a*b*c', true],
  ['a.b*b.c', false],
  ['a.b.c*', true],
  ['*a.b.c', true],
  ['a.b', false],
  ['*b', false],
  ['b*', false],
  [`${'*'.repeat(28)}x`, false],
  [`${'*b'.repeat(28)}`, false],
])('the pattern %s matches a.b.c: %s', (pattern, isMatch) => {
  const choose = () => select([{ slug: 'a.b.c' }], { only: [pattern], skip: [] });
  if (isMatch) expect(choose()).toEqual([{ slug: 'a.b.c' }]);
  else expect(choose).toThrow('No requirement matches');
});

test.each([
  [['lists.*'], [], 'No requirement matches "lists.*": did you mean list.*?'],
  [[], ['list.answer'], 'No requirement matches "list.answer": did you mean list.answers?'],
  [['list.usrs-x'], [], 'did you mean list.users?'],
  [['crete.answ'], [], 'No requirement matches "crete.answ": did you mean create.answers?'],
  [['users'], [], 'No requirement matches "users": did you mean list.users?'],
  [['zzz.qqq'], [], 'No requirement matches "zzz.qqq": the command shows all slugs with --list.'],
  [['list.answers'], ['list.*'], 'CONFORMANCE_ONLY and CONFORMANCE_SKIP leave no requirement'],
])('only %j, skip %j: an error', (only, skip, sentence) => {
  const slugs = ['list.answers', 'list.users', 'create.answers'].map((slug) => ({ slug }));
  const choose = () => select(slugs, { only, skip });
  expect(choose).toThrow(SettingsError);
  expect(choose).toThrow(sentence);
});
