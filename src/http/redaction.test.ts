import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keys } from '../../tests/keys.ts';
import { isEveryday } from '../settings/target.ts';
import { KEY } from './key.ts';
import { secretsOf } from './secrets.ts';
import { spellings } from './spellings.ts';

const secretsWith = (apiKey: string) => secretsOf({ apiKey });

const KEY_OF_RUN = 'k3y-Of.the~Service_0815';

type WriteCharacter = (character: string) => string;

const hexOf = (character: string, width = 2) =>
  character.charCodeAt(0).toString(16).padStart(width, '0');

/** Writes each character of a key in some way. */
const writeAll = (key: string, write: WriteCharacter) => [...key].map(write).join('');

/** Returns a function that writes the signs of a key in some way. */
const signsWritten = (write: WriteCharacter) => (key: string) =>
  writeAll(key, (character) => (/[A-Za-z0-9]/.test(character) ? character : write(character)));

/** Ways in which programs write the characters of a key. */
const WRITINGS: Record<string, (key: string) => string> = {
  'as it is': (key) => key,
  // A key of letters alone may be a word in another case, so it is only found as written.
  'in capitals': (key) => (isEveryday(key.toLowerCase()) ? key : key.toUpperCase()),
  'percent-encoded': encodeURIComponent,
  'percent-encoded throughout': (key) => writeAll(key, (character) => `%${hexOf(character)}`),
  'in JSON': (key) => JSON.stringify(key).slice(1, -1),
  'in JSON with escaped slashes, as by PHP': (key) => key.replaceAll('/', '\\/'),
  'in JSON as by .NET and Go': signsWritten((sign) => `\\u${hexOf(sign, 4).toUpperCase()}`),
  'in JSON throughout': (key) => writeAll(key, (character) => `\\u${hexOf(character, 4)}`),
  'in JavaScript': signsWritten((sign) => `\\x${hexOf(sign)}`),
  'in newer JavaScript': signsWritten((sign) => `\\u{${hexOf(sign)}}`),
  'in octal': signsWritten((sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`),
  'in HTML as by Handlebars': signsWritten((sign) => `&#x${hexOf(sign).toUpperCase()};`),
  'in HTML throughout': (key) => writeAll(key, (character) => `&#${character.charCodeAt(0)};`),
  'in HTML by names': (key) =>
    key.replaceAll('+', '&plus;').replaceAll('/', '&sol;').replaceAll('=', '&equals;'),
  'in UTF-16 read as bytes': (key) => `${[...key].join('\0')}\0`,
};

/** Encodings of a key as a whole. */
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
  test('is found in a text and removed from it', () => {
    fc.assert(
      fc.property(keys, fc.string(), fc.string(), (key, before, after) => {
        const { redact, finds } = secretsWith(key);
        const text = `${before} ${write(key)} ${after}`;
        expect(finds(text)).toBe(true);
        expect(finds(redact(text))).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  test('is found and removed if it is encoded again', () => {
    const { redact, finds } = secretsWith(KEY_OF_RUN);
    for (const again of Object.values(WRITINGS)) {
      const text = `${again(write(KEY_OF_RUN))} `;
      expect(finds(text)).toBe(true);
      expect(finds(redact(text))).toBe(false);
    }
  });

  test('leaves no part in a text that is cut', () => {
    const { redact } = secretsWith(KEY_OF_RUN);
    const text = `${write(KEY_OF_RUN)} `.repeat(20);
    for (let limit = 1; limit < 2 * write(KEY_OF_RUN).length; limit += 7) {
      const left = redact(text, limit)
        .replaceAll(KEY, '')
        .replace(/<[^>]*$/, '');
      expect(left.replace(/[^A-Za-z0-9]/g, '').length).toBeLessThan(
        40 + write(KEY_OF_RUN).length / 3,
      );
      expect(spellings(left).some(({ text }) => text.includes(KEY_OF_RUN.slice(0, 7)))).toBe(false);
    }
  });
});

test('the text around the key stays', () => {
  const { redact } = secretsWith(KEY_OF_RUN);
  for (const write of Object.values(WRITINGS)) {
    expect(redact(`<b>${write(KEY_OF_RUN)}"x`)).toMatch(/^<b><API_KEY>\0?"x$/);
  }
  expect(redact(`İ\\n ${KEY_OF_RUN} \\n%20 İ`)).toBe(`İ\\n ${KEY} \\n%20 İ`);
});

test('a key of letters alone is only found in its own case', () => {
  const { finds } = secretsWith('Password');
  expect(finds('the password is missing')).toBe(false);
  expect(finds('"Password"')).toBe(true);
});

test('a key without its first or last character is found, unless the rest is a word', () => {
  const { finds } = secretsWith('password1');
  expect(finds('the password is missing')).toBe(false);
  expect(secretsWith(KEY_OF_RUN).finds(`"${KEY_OF_RUN.slice(1)}`)).toBe(true);
});

test('a key of thousands of characters is found and removed', () => {
  const key = 'aB3.'.repeat(2000);
  const { redact, finds } = secretsWith(key);
  expect(finds(encodeURIComponent(key))).toBe(true);
  expect(redact(`x ${key} y`)).toBe(`x ${KEY} y`);
});

test('a key of one character again and again is removed as soon as any other', () => {
  const key = `A1${'a'.repeat(7998)}`;
  const { redact, finds } = secretsWith(key);
  // A search that begins again at each character takes minutes.
  for (let count = 0; count < 60; count += 1) {
    const text = `${count} ${key} `.repeat(20);
    expect(finds(text)).toBe(true);
    expect(redact(text)).toBe(`${count} ${KEY} `.repeat(20));
  }
});

test.each(Object.entries(WRITINGS))(
  'a key %s is found between distant encoded characters of a long text',
  (_, write) => {
    const { redact, finds } = secretsWith(KEY_OF_RUN);
    const far = '%41 &amp; \\u0041 x'.padEnd(5000, '. ');
    for (const again of Object.values(WRITINGS)) {
      const text = `${far}${again(write(KEY_OF_RUN))}${far}`;
      expect(finds(text)).toBe(true);
      const redacted = redact(text);
      expect(finds(redacted)).toBe(false);
      expect(redacted.startsWith(far) && redacted.endsWith(far.slice(10))).toBe(true);
    }
  },
);

test('a text holds the key if it has more than half of it', () => {
  const { holds } = secretsWith('example-secret-4711');
  for (const text of ['ada@example.com', '/v1/users/secret', 'example-']) {
    expect(holds(text), text).toBe(false);
  }
  const whole = 'x example-secret-4711';
  for (const text of [whole, encodeURIComponent(whole), 'e-secret-4711', btoa(whole)]) {
    expect(holds(text), text).toBe(true);
  }
  expect(secretsWith('secret').holds('secret')).toBe(false);
});

test('no part of the key is left at the end of a shortened text', () => {
  fc.assert(
    fc.property(keys, fc.integer({ min: 1, max: 200 }), (key, limit) => {
      const shortened = secretsWith(key).redact(`${key} `.repeat(20), limit);
      expect(shortened.length).toBeLessThanOrEqual(limit);
      expect(shortened.replaceAll(KEY, '').replace(/<[^>]*$/, '')).not.toContain(key.slice(0, 3));
    }),
  );
});

test('parts of the key are removed, since a target may split it', () => {
  const { redact } = secretsWith(KEY_OF_RUN);
  expect(redact('k3y-Of.the~S')).toBe(KEY);
  expect(redact('a=ervice_0815; path=/')).toBe(`a=${KEY}; path=/`);
  expect(redact('the service, 0815')).toBe('the service, 0815');
});

test('other texts stay as they are', () => {
  const text = '{"users":[{"id":200,"name":"Ada"}]} Bearer token 200 OK';
  const { redact, finds } = secretsWith(KEY_OF_RUN);
  expect(redact(text)).toBe(text);
  expect(finds(text)).toBe(false);
});

test.each(['test', 'secretkey', 'a1b2'])(
  'an everyday key, %s, is only removed after a name for credentials, and never found',
  (key) => {
    const { redact, finds } = secretsWith(key);
    expect(redact(`this ${key} is a word`)).toBe(`this ${key} is a word`);
    expect(redact(`authorization: Bearer ${key}`)).toBe(`authorization: Bearer ${KEY}`);
    expect(redact(`{"api_key":"${key}"}`)).toBe(`{"api_key":"${KEY}"}`);
    expect(finds(`authorization: Bearer ${key}`)).toBe(false);
  },
);
