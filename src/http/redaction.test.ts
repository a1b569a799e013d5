import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keys } from '../../tests/keys.ts';
import { isEveryday } from '../settings/target.ts';
import { KEY } from './key.ts';
import { spellings } from './redaction.ts';
import { secretsOf } from './secrets.ts';

const redaction = (apiKey: string) => secretsOf({ apiKey });

const NAMED = 'k3y-Of.the~Service_0815';

const inHex = (text: string, width = 2) => text.charCodeAt(0).toString(16).padStart(width, '0');
const eachOf = (key: string, write: (character: string) => string) => [...key].map(write).join('');
const unreserved = (write: (character: string) => string) => (key: string) =>
  eachOf(key, (one) => (/[A-Za-z0-9]/.test(one) ? one : write(one)));

/** The ways in which programs write the characters of a key. */
const WRITINGS: Record<string, (key: string) => string> = {
  'as it is': (key) => key,
  // Letters alone may be a word in any other case: such a key is looked for as it is.
  'in capitals': (key) => (isEveryday(key.toLowerCase()) ? key : key.toUpperCase()),
  'percent-encoded': encodeURIComponent,
  'percent-encoded throughout': (key) => eachOf(key, (one) => `%${inHex(one)}`),
  'in JSON': (key) => JSON.stringify(key).slice(1, -1),
  'in JSON with escaped slashes, as by PHP': (key) => key.replaceAll('/', '\\/'),
  'in JSON as by .NET and Go': unreserved((one) => `\\u${inHex(one, 4).toUpperCase()}`),
  'in JSON throughout': (key) => eachOf(key, (one) => `\\u${inHex(one, 4)}`),
  'in JavaScript': unreserved((one) => `\\x${inHex(one)}`),
  'in newer JavaScript': unreserved((one) => `\\u{${inHex(one)}}`),
  'in octal': unreserved((one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`),
  'in HTML as by Handlebars': unreserved((one) => `&#x${inHex(one).toUpperCase()};`),
  'in HTML throughout': (key) => eachOf(key, (one) => `&#${one.charCodeAt(0)};`),
  'in HTML by names': (key) =>
    key.replaceAll('+', '&plus;').replaceAll('/', '&sol;').replaceAll('=', '&equals;'),
  'in UTF-16 read as bytes': (key) => `${[...key].join('\0')}\0`,
};

/** The ways in which programs write a key as a whole. */
const ENCODINGS: Record<string, (key: string) => string> = {
  base64: (key) => Buffer.from(key).toString('base64'),
  'base64 for URLs': (key) => Buffer.from(key).toString('base64url'),
  'base64 as for Basic': (key) => Buffer.from(`${key}:`).toString('base64'),
  'base64 behind one byte': (key) => Buffer.from(`:${key}`).toString('base64'),
  'base64 behind two bytes': (key) => Buffer.from(`u:${key}`).toString('base64'),
  'base64 of the whole header': (key) => Buffer.from(`Bearer ${key}`).toString('base64'),
  'base64 of UTF-16': (key) => Buffer.from(key, 'utf16le').toString('base64'),
  hexadecimal: (key) => Buffer.from(key).toString('hex'),
  'hexadecimal as by .NET': (key) =>
    (Buffer.from(key).toString('hex').toUpperCase().match(/../g) ?? []).join('-'),
  "bytes of Node's": (key) => JSON.stringify(Buffer.from(key)),
};

describe.each(Object.entries({ ...WRITINGS, ...ENCODINGS }))('a key %s', (_, write) => {
  test('is found and taken out of a text', () => {
    fc.assert(
      fc.property(keys, fc.string(), fc.string(), (key, before, after) => {
        const { redact, finds } = redaction(key);
        const text = `${before} ${write(key)} ${after}`;
        expect(finds(text)).toBe(true);
        expect(finds(redact(text))).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  test('is so when it is written again in another way', () => {
    const { redact, finds } = redaction(NAMED);
    for (const again of Object.values(WRITINGS)) {
      const text = `${again(write(NAMED))} `;
      expect(finds(text)).toBe(true);
      expect(finds(redact(text))).toBe(false);
    }
  });

  test('is not left in part where a text is cut', () => {
    const { redact } = redaction(NAMED);
    const text = `${write(NAMED)} `.repeat(20);
    for (let limit = 1; limit < 2 * write(NAMED).length; limit += 7) {
      const left = redact(text, limit)
        .replaceAll(KEY, '')
        .replace(/<[^>]*$/, '');
      expect(left.replace(/[^A-Za-z0-9]/g, '').length).toBeLessThan(40 + write(NAMED).length / 3);
      expect(spellings(left).some(({ text }) => text.includes(NAMED.slice(0, 7)))).toBe(false);
    }
  });
});

test('what stands around the key stays', () => {
  const { redact } = redaction(NAMED);
  for (const write of Object.values(WRITINGS))
    expect(redact(`<b>${write(NAMED)}"x`)).toMatch(/^<b><API_KEY>\0?"x$/);
  expect(redact(`İ\\n ${NAMED} \\n%20 İ`)).toBe(`İ\\n ${KEY} \\n%20 İ`);
});

test('a key of letters alone is looked for as it is written: in another case it is a word', () => {
  const { finds } = redaction('Password');
  expect(finds('the password is missing')).toBe(false);
  expect(finds('"Password"')).toBe(true);
});

test('a key without its first or last character is looked for, unless that is a word', () => {
  const { finds } = redaction('password1');
  expect(finds('the password is missing')).toBe(false);
  expect(redaction(NAMED).finds(`"${NAMED.slice(1)}`)).toBe(true);
});

test('a key of thousands of characters is one, too', () => {
  const key = 'aB3.'.repeat(2000);
  const { redact, finds } = redaction(key);
  expect(finds(encodeURIComponent(key))).toBe(true);
  expect(redact(`x ${key} y`)).toBe(`x ${KEY} y`);
});

test('a text holds the key where it has more than half of it, not where it has a word of it', () => {
  const { holds } = redaction('example-secret-4711');
  for (const text of ['ada@example.com', '/v1/users/secret', 'example-'])
    expect(holds(text), text).toBe(false);
  const whole = 'x example-secret-4711';
  for (const text of [whole, encodeURIComponent(whole), 'e-secret-4711', btoa(whole)])
    expect(holds(text), text).toBe(true);
  expect(redaction('secret').holds('secret')).toBe(false);
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
