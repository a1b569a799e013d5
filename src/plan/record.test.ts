import { describe, expect, test } from 'vitest';
import { answer, creation, exchange } from '../../tests/made-evidence.ts';
import { Ledger } from './ledger.ts';
import { isFine, isWithin, members, readUser, recordsIn } from './record.ts';

const plain = { email: 'ada@example.com', name: 'Ada' };

test('everything that may be a record is found with its place, the outer ones first', () => {
  const manager = { email: 'boss@example.com', name: 'Boss' };
  const found = recordsIn({ data: { id: 1, ...plain, manager }, meta: { name: 'page' } });
  expect(found.map(({ path }) => path)).toEqual(['data', 'meta', 'data.manager']);
  const [data, , inner] = found;
  expect(isWithin(inner?.way ?? [], data?.way ?? [])).toBe(true);
});

test('records of one array are of one array, each in its place', () => {
  const all = [plain, plain, { name: 'a tag' }, 7];
  expect(recordsIn(all).map(({ outer, way, path }) => [outer === all, way, path])).toEqual(
    [0, 1, 2].map((place) => [true, [place], '[]']),
  );
  expect(recordsIn({ data: [plain] }).map(({ path, way }) => [path, way])).toEqual([['data[]', ['data', 0]]]);
});

test('members are an object’s own', () => {
  expect(members(Object.create(plain))).toEqual({ email: undefined, name: undefined });
  expect(members({ ...plain, id: 1 })).toEqual(plain);
  expect(recordsIn(JSON.parse('{"__proto__":{"email":"a","name":"b"}}')).map(({ path }) => path)).toEqual([
    '__proto__',
  ]);
});

test('a deep or a wide body takes no more than its share', () => {
  let deep: unknown = plain;
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  expect(recordsIn(deep)).toEqual([]);
  expect(recordsIn(Array.from({ length: 1_000_000 }, () => plain)).length).toBeLessThan(20_001);
});

test.each([
  [['data', 'user'], ['data'], true],
  [['data', 0], ['data'], true],
  [['data'], ['data'], false],
  [['database'], ['data'], false],
  [['data'], [], true],
])('%j is within %j: %s', (way, outer, within) => {
  expect(isWithin(way, outer)).toBe(within);
});

const ada = creation('ada.1@example.com', 'Ada Lovelace');
const grace = creation('grace.2@example.com', 'Grace Hopper');
const boss = { email: 'boss@example.org', name: 'Boss' };
const ledger = new Ledger();
ledger.enter(ada);
ledger.enter(grace);
const read = (json: unknown, status = 200) => readUser(answer(json, status), ada, ledger);

describe('the record of the user who was asked for is found', () => {
  test.each([
    [{ id: 1, ...ada.user }, ''],
    [{ data: ada.user }, 'data'],
    [{ data: [ada.user] }, 'data[]'],
    [{ response: { result: { item: ada.user } } }, 'response.result.item'],
    [{ user: ada.user, meta: { requestedBy: boss } }, 'user'],
    [{ ...ada.user, manager: boss, friends: [boss, boss] }, ''],
    [{ ...ada.user, contact: { email: ada.user.email } }, ''],
    [{ data: { attributes: ada.user }, included: [boss, boss] }, 'data.attributes'],
  ])('%j', (json, path) => {
    const found = read(json);
    expect(found).toMatchObject({ path, others: [] });
    expect(found.record).toMatchObject(ada.user);
    expect(isFine(found)).toBe(true);
  });
});

describe('who is beside it is told', () => {
  test.each([
    [grace.user, [grace.user.email]],
    [[ada.user, grace.user], [grace.user.email]],
    [{ data: ada.user, next: grace.user }, [grace.user.email]],
    [[{ user: ada.user }, { user: grace.user }], [grace.user.email]],
    [[ada.user, boss], ['another user']],
  ])('%j: %j', (json, others) => {
    const found = read(json);
    expect(found.others).toEqual(others);
    expect(isFine(found)).toBe(false);
  });

  test('but not who is within it: a manager may be of the run, too', () => {
    expect(isFine(read({ ...ada.user, manager: grace.user }))).toBe(true);
  });
});

test.each([[{}], [[]], [null], [{ data: null }], [boss], ['x']])('%j shows no user', (json) => {
  expect(read(json)).toMatchObject({ others: [] });
  expect(read(json)).not.toHaveProperty('record');
  expect(isFine(read(json))).toBe(false);
});

test('a refusal is not fine, whatever it shows', () => {
  expect(isFine(read(ada.user, 404))).toBe(false);
});

test('what could not be read as JSON is told as such', () => {
  const made = exchange({ body: '{' });
  const response = made.response && { ...made.response, jsonFault: 'parse error' };
  const cut = {
    exchange: { ...made, ...(response && { response }) },
    status: 200,
    ok: true,
    json: undefined,
    text: '{',
  };
  expect(readUser(cut, ada, ledger)).toMatchObject({ unreadable: true, ok: true });
});
