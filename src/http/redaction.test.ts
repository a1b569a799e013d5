import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keys } from '../../tests/keys.ts';
import { KEY } from './key.ts';
import { redaction } from './redaction.ts';

const NAMED = 'k3y-Of.the~Service_0815';

/** The ways in which programs write a key. */
const formsOf = (key: string) => [
  key,
  key.toUpperCase(),
  encodeURIComponent(key),
  encodeURIComponent(encodeURIComponent(key)),
  JSON.stringify(key),
  [...key].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join(''),
  [...key].map((one) => `&#${one.charCodeAt(0)};`).join(''),
  Buffer.from(key).toString('hex'),
  Buffer.from(`${key}:`).toString('base64'),
  Buffer.from(`user:${key}`).toString('base64'),
  [...key].join('\0'),
];

test('the key is found and taken out of a text, in every form', () => {
  fc.assert(
    fc.property(keys, fc.string(), fc.string(), (key, before, after) => {
      const { redact, finds } = redaction(key);
      for (const form of formsOf(key)) {
        const text = `${before}${form}${after}`;
        expect(finds(text)).toBe(true);
        expect(redact(text).replaceAll(KEY, ' ').toLowerCase()).not.toContain(form.toLowerCase());
      }
    }),
    { numRuns: 30 },
  );
});

test('no part of the key is left at the end of a shortened text', () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 200 }), (key, limit) => {
      const shortened = redaction(key).redact(`${key} `.repeat(20), limit);
      expect(shortened.length).toBeLessThanOrEqual(limit);
      expect(shortened.replaceAll(KEY, '').replace(/<[^>]*$/, '')).not.toContain(key.slice(0, 3));
    }),
  );
});

test('parts of the key are taken out, over which a target may split it', () => {
  const { redact } = redaction(NAMED);
  expect(redact('k3y-Of.the~S')).toBe(KEY);
  expect(redact('a=ervice_0815; path=/')).toBe(`a=${KEY}; path=/`);
  expect(redact('the service, 0815')).toBe('the service, 0815');
});

test('everything else is left as it is', () => {
  const text = '{"users":[{"id":200,"name":"Ada"}]} Bearer token 200 OK';
  const { redact, finds } = redaction(NAMED);
  expect(redact(text)).toBe(text);
  expect(finds(text)).toBe(false);
});

test.each(['test', 'secretkey', 'a1b2'])(
  'an everyday key, %s, is taken out only where credentials stand, and found nowhere',
  (key) => {
    const { redact, finds } = redaction(key);
    expect(redact(`this ${key} is a word`)).toBe(`this ${key} is a word`);
    expect(redact(`authorization: Bearer ${key}`)).toBe(`authorization: Bearer ${KEY}`);
    expect(redact(`{"api_key":"${key}"}`)).toBe(`{"api_key":"${KEY}"}`);
    expect(finds(`authorization: Bearer ${key}`)).toBe(false);
  },
);
