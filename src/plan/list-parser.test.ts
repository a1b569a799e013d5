import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { expect, test } from 'vitest';
import { TooMuch } from '../http/json.ts';
import { ListParser } from './list-parser.ts';

/** What a text is parsed to when it comes in parts of these lengths, with its items put back in their place. */
function parsed(text: string, lengths: number[] = []): unknown {
  let items: unknown[] = [];
  let begun = 0;
  const parser = new ListParser({
    start: () => {
      [items, begun] = [[], begun + 1];
    },
    items: (some) => {
      items.push(...some);
    },
  });
  let [at, index] = [0, 0];
  while (at < text.length) {
    const length = lengths[index % lengths.length] ?? text.length;
    parser.push(text.slice(at, at + length));
    [at, index] = [at + length, index + 1];
  }
  const frame = parser.end();
  // The reader is told to start once before anything comes, and again with each `data`.
  return begun > 1 && typeof frame === 'object' ? { ...frame, data: items } : frame;
}

/** The value of a text, or that it is no JSON. */
const valueIn = (parse: () => unknown) => {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SyntaxError) return 'no JSON';
    throw error;
  }
};

/** A value with its numbers as JSON.parse has them. */
const asDoubles = (_: string, value: unknown) => (value instanceof LosslessNumber ? Number(value.value) : value);

const user = fc.record({ id: fc.nat(), email: fc.string({ unit: 'binary' }), name: fc.string() });
const list = fc.record({
  total: fc.nat(),
  data: fc.array(fc.oneof(user, fc.jsonValue())),
  'da"ta': fc.jsonValue(),
  meta: fc.record({ data: fc.array(fc.nat()) }),
});
const lengths = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 });

test('a list that comes in parts is what JSON.parse makes of the whole', () => {
  fc.assert(
    fc.property(
      list,
      fc.shuffledSubarray(['total', 'data', 'da"ta', 'meta'] as const),
      lengths,
      (value, names, parts) => {
        const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, value[name]])));
        expect(JSON.stringify(parsed(text, parts), asDoubles)).toBe(JSON.stringify(JSON.parse(text)));
      },
    ),
  );
});

test('what is no JSON is none in parts, and the other way round', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"data"',
    '"',
    '\\',
    '1',
    ' ',
    'null',
    '{"data":[',
    '1]}',
    ',[',
    '{}',
  );
  fc.assert(
    fc.property(
      fc.array(pieces, { maxLength: 8 }).map((some) => some.join('')),
      lengths,
      (text, parts) => {
        const [whole, inParts] = [valueIn(() => JSON.parse(text)), valueIn(() => parsed(text, parts))];
        // Of an array in the place of the list the items are not kept.
        if (Array.isArray(whole)) expect(inParts).toEqual([]);
        else expect(inParts).toEqual(whole);
      },
    ),
    { numRuns: 2000 },
  );
});

test('items by the thousand are handed on before the list is at its end', () => {
  const many = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'x'.repeat(20) }));
  const seen: number[] = [];
  const parser = new ListParser({ start: () => {}, items: ({ length }) => void seen.push(length) });
  const text = JSON.stringify({ data: many, total: many.length });
  for (let at = 0; at < text.length; at += 5000) parser.push(text.slice(at, at + 5000));
  expect(seen.length).toBeGreaterThan(5);
  expect(seen.reduce((sum, one) => sum + one)).toBe(many.length);
  expect(parser.end()).toEqual({ data: [], total: many.length });
});

test.each([
  ['{"data":[],"data":[1]}', [1]],
  ['{"data":[1],"data":[2,3]}', [2, 3]],
  ['{"data":[1],"data":[]}', []],
  ['{"d\\u0061ta":[1]}', [1]],
  ['{"meta":{"data":[1]},"data":[2]}', [2]],
])('%s has the items %j', (text, items) => {
  expect(parsed(text)).toEqual({ ...JSON.parse(text), data: items });
});

test.each([
  ['{"data":7,"data":"x"}', 'x'],
  ['{"data":{"0":1}}', { 0: 1 }],
])('%s has none', (text, data) => {
  expect(parsed(text)).toEqual({ data });
});

test('a long page is no JSON, and not more than is read', () => {
  expect(() => parsed(`\n<html>${'x'.repeat(2 ** 21)}`, [1000])).toThrow(SyntaxError);
});

test.each([
  [' '.repeat(2 ** 21)],
  [`{"x":"${'x'.repeat(2 ** 21)}"}`],
  [`{"data":["${'x'.repeat(2 ** 21)}"]}`],
  [`[${'['.repeat(1001)}`],
  [`{"data":[${'1'.repeat(1001)}]}`],
])('beyond the limits of the suite it is not parsed: %#', (text) => {
  expect(() => parsed(text, [1000])).toThrow(TooMuch);
});
