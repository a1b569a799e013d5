import { expect, test } from 'vitest';
import { isWithin, members, recordsIn } from './record.ts';

const ada = { email: 'ada@example.com', name: 'Ada' };

test('everything that may be a record is found with its place, the outer ones first', () => {
  const manager = { email: 'boss@example.com', name: 'Boss' };
  const found = recordsIn({ data: { id: 1, ...ada, manager }, meta: { name: 'page' } });
  expect(found.map(({ path }) => path)).toEqual(['data', 'meta', 'data.manager']);
  expect(isWithin('data.manager', 'data')).toBe(true);
});

test('records of one array are counted, but not what else is in it', () => {
  expect(recordsIn([ada, ada, { name: 'a tag' }, 7]).map(({ siblings }) => siblings)).toEqual([2, 2, 2]);
  expect(recordsIn({ data: [ada] }).map(({ path, siblings }) => [path, siblings])).toEqual([['data[]', 1]]);
});

test('members are an object’s own', () => {
  expect(members(Object.create(ada))).toEqual({ email: undefined, name: undefined });
  expect(members({ ...ada, id: 1 })).toEqual(ada);
  expect(recordsIn(JSON.parse('{"__proto__":{"email":"a","name":"b"}}')).map(({ path }) => path)).toEqual([
    '__proto__',
  ]);
});

test('a deep or a wide body takes no more than its share', () => {
  let deep: unknown = ada;
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  expect(recordsIn(deep)).toEqual([]);
  expect(recordsIn(Array.from({ length: 1_000_000 }, () => ada)).length).toBeLessThan(20_001);
});

test.each([
  ['data.user', 'data', true],
  ['data[]', 'data', true],
  ['data', 'data', false],
  ['database', 'data', false],
  ['data', '', true],
])('%s is within %j: %s', (path, outer, within) => {
  expect(isWithin(path, outer)).toBe(within);
});
