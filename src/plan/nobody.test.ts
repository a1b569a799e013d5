import fc from 'fast-check';
import { expect, test } from 'vitest';
import { kindOf } from './identifier.ts';
import { unknownIdentifiers } from './nobody.ts';

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
