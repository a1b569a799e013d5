import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeExchange } from '../../tests/made-history.ts';
import { parseJson } from '../http/value.ts';
import {
  candidatesIn,
  candidatesOf,
  decodeSegment,
  isFormOf,
  kindOf,
  MOST_CANDIDATES,
  segmentOf,
  unknownIdentifiers,
} from './identifier.ts';

const texts = (body: unknown) => candidatesIn(body, 'create response').map(({ text }) => text);

describe('values of a body that may be the identifier', () => {
  test('have their place in the body', () => {
    const body = { meta: { page: 1 }, data: { userId: 'u-7' } };
    expect(candidatesIn(body, 'create response')).toContainEqual({
      text: 'u-7',
      segment: 'u-7',
      place: 'create response: data.userId',
    });
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
  ])('the likeliest of %j comes first', (body, text) => {
    expect(texts(body)[0]).toBe(text);
  });

  test('keep more digits than a double holds', () => {
    expect(texts(parseJson('{"id":9007199254740993}'))).toEqual(['9007199254740993']);
  });

  test.each([[''], ['  '], ['.'], ['..'], ['x'.repeat(6001)], ['\ud800'], [null], [true], [[]]])(
    'exclude %j',
    (value) => {
      expect(texts({ id: value })).toEqual([]);
    },
  );

  test('are few, however large the body', () => {
    const all = Array.from({ length: 100_000 }, (_, index) => index);
    const candidates = texts({ all, id: 'own' });
    expect(candidates.length).toBeLessThanOrEqual(MOST_CANDIDATES);
    expect(candidates[0]).toBe('own');
  });
});

describe('the end of a Location', () => {
  const responseWith = (location: string) =>
    makeExchange({ status: 201, response: { headers: [['Location', location]] } });
  const inLocation = (location: string) =>
    candidatesOf(responseWith(location), { id: 'own' }).filter(({ place }) => place === 'Location');

  test.each([
    ['/v1/users/7', '7', '7'],
    ['https://api.example.com/v1/users/a%2Fb', 'a/b', 'a%2Fb'],
    ['users/%C3%A4', 'ä', '%C3%A4'],
    ['/v1/users/7/?x=1#y', '7', '7'],
  ])('of %s is an identifier in the same encoding', (location, text, segment) => {
    expect(inLocation(location)).toEqual([{ text, segment, place: 'Location' }]);
  });

  test.each(['/', '', '/v1/users/%zz', '/v1/users/..', '/v1/users/<API_KEY>', '/v1/users/ä'])(
    'of %j is not an identifier',
    (location) => {
      expect(inLocation(location)).toEqual([]);
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

test('a path segment is percent-encoded where it must be', () => {
  expect(segmentOf('user 1/ä?#%')).toBe('user%201%2F%C3%A4%3F%23%25');
  expect(segmentOf('a@example.com:1')).toBe('a@example.com:1');
  expect(decodeSegment('user%201')).toBe('user 1');
  expect(decodeSegment('%zz')).toBeUndefined();
});

describe('unknown identifiers', () => {
  test('have the form of known ones, and begin with none of them', () => {
    const identifier = fc.oneof(
      fc.uuid(),
      fc.nat().map(String),
      fc.stringMatching(/^[a-z0-9]{6,20}$/),
      fc.emailAddress(),
      fc.stringMatching(/^[а-я]{6,12}$/),
    );
    fc.assert(
      fc.property(identifier, identifier, (first, second) => {
        const identifiers = unknownIdentifiers([first, second]);
        expect(identifiers.length).toBeGreaterThan(0);
        for (const unknown of identifiers) {
          expect(unknown.startsWith(first) || unknown.startsWith(second)).toBe(false);
          if (kindOf(first) !== 'text') expect(kindOf(unknown)).toBe(kindOf(first));
        }
      }),
    );
  });

  test.each([
    [['1', '2'], '987654321'],
    [['4294967296', '1'], '99999999999'],
  ])('of the integers %j fit into as many bits', (known) => {
    const [text = ''] = unknownIdentifiers(known);
    expect(text).toMatch(/^\d{9,11}$/);
    expect(known).not.toContain(text);
  });

  test('keep the common beginning of known ones, up to a separator', () => {
    for (const text of unknownIdentifiers(['usr_x1y2z3', 'usr_x9a8b7'])) {
      expect(text).toMatch(/^usr_[a-z]\d[a-z]\d[a-z]\d$/);
    }
  });

  test('are longer than a short one, because one of its length would soon belong to a user', () => {
    for (const text of unknownIdentifiers(['u-3', 'u-4'])) expect(text).toMatch(/^u-\d{8}$/);
  });

  test('keep hexadecimal digits, and the version and variant of a UUID', () => {
    for (const text of unknownIdentifiers(['9b2f4a1e-aaaa-4aaa-8aaa-123456789abc'])) {
      expect(text).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    for (const text of unknownIdentifiers(['0123456789abcdef01234567'])) {
      expect(text).toMatch(/^[0-9a-f]{24}$/);
    }
  });
});

test.each([
  ['٣', '3'],
  ['１２', '12'],
  ['+3', '3'],
  [' 3 ', '3'],
  ['003', '3'],
  ['3.0', '3'],
  ['ABC', 'abc'],
  ['ａｂｃ', 'abc'],
  ['0 OR 1=1', '0'],
  ['12x', '12'],
])('a lenient lookup may take %s for %s', (text, identifier) => {
  expect(isFormOf(text, identifier)).toBe(true);
});

test.each([
  ['4294967299', '3'],
  ['33', '3'],
  ['0', '-1'],
  ['abd', 'abc'],
  ['x', ''],
])('no lookup takes %s for %s', (text, identifier) => {
  expect(isFormOf(text, identifier)).toBe(false);
});
