import { describe, expect, test } from 'vitest';
import { exchange } from '../../tests/made-evidence.ts';
import { parseJson } from '../http/value.ts';
import { CANDIDATES, candidatesIn, candidatesOf, distinct, kindOf, memberOf, segmentOf } from './identifier.ts';

const texts = (body: unknown) => candidatesIn(body, 'answer').map(({ text }) => text);

describe('candidates in a body', () => {
  test('the likeliest comes first, with the place where it stands', () => {
    const body = { meta: { page: 1 }, data: { version: 3, userId: 'u-7', email: 'a@example.com', name: 'Ada L' } };
    expect(candidatesIn(body, 'create response')[0]).toEqual({
      text: 'u-7',
      segment: 'u-7',
      place: 'create response: data.userId',
    });
    expect(texts(body)).toEqual(['u-7', '1', '3', 'a@example.com', 'Ada L']);
  });

  test.each([
    [{ version: 1, id: 'x' }, 'x'],
    [{ other: { id: 'y' }, _id: 'x' }, 'x'],
    [{ name: 'Ada', uuid: 'x' }, 'x'],
    [{ _id: { $oid: 'x' }, __v: 0 }, 'x'],
    [{ self: '/v1/users/x' }, 'x'],
    [{ links: [{ href: 'https://api.example.com/v1/users/x/' }] }, 'x'],
    ['x', 'x'],
    [7, '7'],
  ])('of %o the first is %s', (body, text) => {
    expect(texts(body)[0]).toBe(text);
  });

  test('one with more digits than a double holds keeps them', () => {
    expect(texts(parseJson('{"id":9007199254740993}'))).toEqual(['9007199254740993']);
  });

  test.each([[''], ['  '], ['.'], ['..'], ['x'.repeat(2501)], ['\ud800'], [null], [true], [[]], [{}]])(
    '%j can be none',
    (value) => {
      expect(texts({ id: value })).toEqual([]);
    },
  );

  test('they are few, however large the body, and each is tried once, from where it is likeliest', () => {
    const body = { all: Array.from({ length: 100_000 }, (_, index) => index), id: 'own' };
    expect(texts(body)).toHaveLength(CANDIDATES);
    expect(texts(body)[0]).toBe('own');
    const several = distinct(candidatesIn({ a: 'x', b: 'x', c: { id: 'x' } }, 'body'));
    expect(several.map(({ text, place }) => [text, place])).toEqual([['x', 'body: c.id']]);
  });
});

describe('candidates of a create answer', () => {
  const answered = (location: string) => {
    const made = exchange({ status: 201 });
    return { ...made, response: { ...made.response, headers: [['Location', location]] } } as typeof made;
  };

  test.each([
    ['/v1/users/7', '7', '7'],
    ['https://api.example.com/v1/users/a%2Fb', 'a/b', 'a%2Fb'],
    ['users/%C3%A4', 'ä', '%C3%A4'],
    ['/v1/users/7/?x=1#y', '7', '7'],
  ])('the end of the Location %s comes first, as it is written there', (location, text, segment) => {
    const [first] = candidatesOf(answered(location), { id: 'other' });
    expect(first).toEqual({ text, segment, place: 'Location' });
  });

  test.each(['/', '', '/v1/users/%zz', '/v1/users/..', '/v1/users/<API_KEY>', '/v1/users/ä'])(
    'a Location %j names none',
    (location) => {
      expect(candidatesOf(answered(location), { id: 'own' }).filter(({ place }) => place === 'Location')).toEqual([]);
    },
  );
});

test.each([
  ['12', 'integer'],
  ['-1', 'integer'],
  ['9b2f4a1e-0000-4000-8000-123456789abc', 'UUID'],
  ['a@example.com', 'email'],
  ['u-7', 'text'],
])('%s is of the kind %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind);
});

test('a path segment is percent-encoded where it must be, and not where it need not', () => {
  expect(segmentOf('user 1/ä?#%')).toBe('user%201%2F%C3%A4%3F%23%25');
  expect(segmentOf('a@example.com:1')).toBe('a@example.com:1');
});

test('the member that shows the identifier does so in every record, and alone only under a usual name', () => {
  const record = (text: string) => parseJson(text) as Record<string, unknown>;
  const one = { record: record('{"version":7,"id":7.0,"userId":"7","reads":7}'), text: '7' };
  const another = { record: record('{"version":7,"id":8.0,"userId":"8","reads":1}'), text: '8' };
  expect(memberOf([one, another])).toBe('userId');
  expect(memberOf([one])).toBe('userId');
  expect(memberOf([{ ...one, text: '7.0' }])).toBe('id');
  const odd = (reads: number, memberNo: number) => ({ record: { reads, memberNo }, text: `${memberNo}` });
  expect(memberOf([odd(1, 1), odd(1, 2)])).toBe('memberNo');
  expect(memberOf([odd(1, 1)])).toBe(undefined);
  expect(memberOf([])).toBe(undefined);
});
