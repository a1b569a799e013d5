import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exchange } from '../../tests/made-evidence.ts';
import { parseJson } from '../http/value.ts';
import {
  CANDIDATES,
  candidatesIn,
  candidatesOf,
  distinct,
  identifierMember,
  isWritingOf,
  kindOf,
  segmentOf,
  unknownIdentifiers,
} from './identifier.ts';

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

  test.each([[''], ['  '], ['.'], ['..'], ['x'.repeat(6001)], ['\ud800'], [null], [true], [[]], [{}]])(
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
  const record = (text: string) => ({ record: parseJson(text) as Record<string, unknown> });
  const one = { read: record('{"version":7,"id":7.0,"userId":"7","reads":7}'), identifier: { text: '7' } };
  const another = { read: record('{"version":7,"id":8.0,"userId":"8","reads":1}'), identifier: { text: '8' } };
  expect(identifierMember([one, another])).toBe('userId');
  expect(identifierMember([one])).toBe('userId');
  expect(identifierMember([{ ...one, identifier: { text: '7.0' } }])).toBe('id');
  const odd = (reads: number, memberNo: number) => ({
    read: { record: { reads, memberNo } },
    identifier: { text: `${memberNo}` },
  });
  expect(identifierMember([odd(1, 1), odd(1, 2)])).toBe('memberNo');
  expect(identifierMember([odd(1, 1)])).toBe(undefined);
  expect(identifierMember([])).toBe(undefined);
});

test('unknown identifiers have the shape of the known ones, and begin with none of them', () => {
  const identifiers = fc.oneof(
    fc.uuid(),
    fc.nat().map(String),
    fc.stringMatching(/^[a-z0-9]{6,20}$/),
    fc.emailAddress(),
    fc.stringMatching(/^[а-я]{6,12}$/),
  );
  fc.assert(
    fc.property(identifiers, identifiers, (first, second) => {
      const found = unknownIdentifiers([first, second]);
      expect(found.length).toBeGreaterThan(0);
      for (const unknown of found.filter((one) => !/^(0|-1)$/.test(one))) {
        for (const known of [first, second]) expect(unknown.startsWith(known)).toBe(false);
        if (kindOf(first) !== 'text') expect(kindOf(unknown)).toBe(kindOf(first));
      }
    }),
  );
});

test.each([
  [
    ['1', '2'],
    ['999999999', '0', '-1'],
  ],
  [
    ['0', '1'],
    ['999999999', '-1'],
  ],
  [
    ['9', '1'],
    ['888888888', '0', '-1'],
  ],
  [
    ['4294967296', '1'],
    ['99999999999', '0', '-1'],
  ],
])('of the integers %j these are tried: %j', (known, expected) => {
  expect(unknownIdentifiers(known)).toEqual(expected);
});

test('what all known ones begin with, up to a separator, is kept', () => {
  for (const text of unknownIdentifiers(['usr_x1y2z3', 'usr_x9a8b7']))
    expect(text).toMatch(/^usr_[a-z]\d[a-z]\d[a-z]\d$/);
});

test('of a short identifier a longer one is made: one as short would soon be somebody’s', () => {
  for (const text of unknownIdentifiers(['u-3', 'u-4'])) expect(text).toMatch(/^u-\d{8}$/);
});

test('hexadecimal digits stay hexadecimal, and a UUID keeps its version and variant', () => {
  for (const text of unknownIdentifiers(['9b2f4a1e-aaaa-4aaa-8aaa-123456789abc'])) {
    expect(text).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  for (const text of unknownIdentifiers(['0123456789abcdef01234567'])) expect(text).toMatch(/^[0-9a-f]{24}$/);
});

test.each([
  ['٣', '3'],
  ['１２', '12'],
  ['+3', '3'],
  ['-3', '3'],
  [' 3 ', '3'],
  ['003', '3'],
  ['3_0', '30'],
  ['3.0', '3'],
  ['ABC', 'abc'],
  ['ａｂｃ', 'abc'],
  ['0 OR 1=1', '0'],
  ['12x', '12'],
])('%s may be found as %s', (text, identifier) => {
  expect(isWritingOf(text, identifier)).toBe(true);
});

test.each([
  ['4294967299', '3'],
  ['33', '3'],
  ['999999999', '9'],
  ['0', '-1'],
  ['abd', 'abc'],
  ['x', ''],
])('%s may not be found as %s', (text, identifier) => {
  expect(isWritingOf(text, identifier)).toBe(false);
});
