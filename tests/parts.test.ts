import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import createUserRequest from '../schemas/create-user-request.schema.json' with { type: 'json' };
import { schemaError, schemas } from '../schemas/validate.ts';
import { readBody } from '../src/http/body.ts';
import { fillIn, KEY, partRedaction, redaction, wrongKey } from '../src/http/key.ts';
import { candidatesIn, unknownIdentifiers } from '../src/plan/identifier.ts';
import { recordsIn } from '../src/plan/record.ts';
import { UserFactory } from '../src/plan/users.ts';
import { verdictTitle } from '../src/reports/report.ts';
import { decide, type Judged } from '../src/verdict/verdict.ts';

/** Keys of every character that RFC 6750 allows. */
const keys = fc
  .array(fc.constantFrom(...'ABCabcxyz0189-._~+/='), { minLength: 9, maxLength: 60 })
  .map((characters) => characters.join(''));

describe('redaction', () => {
  test('takes the key out of a text, in every form', () => {
    fc.assert(
      fc.property(keys, fc.string(), fc.string(), (key, before, after) => {
        const redact = redaction(key);
        const base64 = Buffer.from(`${key}:`).toString('base64');
        for (const form of [key, encodeURIComponent(key), key.toUpperCase(), JSON.stringify(key), base64]) {
          const left = redact(`${before}${form}${after}`).replaceAll(KEY, ' ');
          expect(left.toLowerCase()).not.toContain(form.toLowerCase());
        }
      }),
    );
  });

  test('never leaves a part of the key at the end of a shortened text', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 200 }), (key, limit) => {
        const shortened = redaction(key)(`${key} `.repeat(20), limit);
        expect(shortened.replaceAll(KEY, '').replace(/<[^>]*$/, '')).not.toContain(key.slice(0, 3));
      }),
    );
  });

  test('takes parts of the key out of headers, over which a target may split it', () => {
    const redact = partRedaction('k3y-Of.the~Service_0815');
    expect(redact('k3y-Of.the~S')).toBe(KEY);
    expect(redact('a=ervice_0815; path=/')).toBe(`a=${KEY}; path=/`);
    expect(redact('the service, 0815')).toBe('the service, 0815');
  });

  test('leaves everything else as it is', () => {
    const text = '{"users":[{"id":200,"name":"Ada"}]} Bearer token 200 OK';
    expect(redaction('k3y-Of.the~Service')(text)).toBe(text);
  });
});

describe('the key', () => {
  test('takes the place of its mark, encoded for the place', () => {
    expect(fillIn(`Bearer ${KEY}`, 'a/b=')).toBe('Bearer a/b=');
    expect(fillIn(`?api_key=${KEY}`, 'a/b=', encodeURIComponent)).toBe('?api_key=a%2Fb%3D');
  });

  test('is never the wrong key', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const wrong = wrongKey(key);
        expect(wrong).not.toContain(key);
        expect(key).not.toContain(wrong);
      }),
    );
  });

  test.each(['----####', 'a-1', '!?!?!?!?!?!?'])(
    '%s has little to draw for: the wrong key shares nothing with it',
    (key) => {
      expect(wrongKey(key)).toMatch(/^[A-Za-z0-9]{24}$/);
    },
  );
});

describe('bodies', () => {
  const text = '{"name":"Zoë"}';
  const read = (data: Buffer, coding = '') => readBody([data.subarray(0, 11), data.subarray(11)], coding, 1000);

  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
    ['', Buffer.from(text)],
  ])('%s is decoded', async (coding, data) => {
    expect(await read(data, coding)).toMatchObject({ text, value: { name: 'Zoë' }, bytes: 15 });
  });

  test.each([
    ['gzip', Buffer.from('no gzip'), /can't be decoded as gzip/],
    ['gzip', gzipSync('x'.repeat(5000)), /larger than/],
    ['', Buffer.alloc(1001, ' '), /larger than/],
    ['zip', Buffer.from(text), /content coding "zip"/],
  ])('%s that is no such thing ends in a sentence', async (coding, data, sentence) => {
    await expect(read(data, coding)).rejects.toThrow(sentence);
  });

  test('are JSON only in UTF-8, and a byte order mark is seen', async () => {
    expect((await read(Buffer.from(text, 'latin1'))).fault).toBe('it is not valid UTF-8');
    expect((await read(Buffer.from(text).subarray(0, 13))).fault).toBeDefined();
    expect(await read(Buffer.from(`\ufeff${text}`))).toMatchObject({ byteOrderMark: true, value: { name: 'Zoë' } });
    expect((await read(Buffer.from('{"a":'))).fault).toBeDefined();
    expect(await read(Buffer.alloc(0))).toMatchObject({ value: undefined, bytes: 0 });
  });

  test('keep all digits of an identifier beyond 2^53', async () => {
    const body = Buffer.from('{"data":[{"id":9007199254740993,"n":12}],"total":9007199254740993}');
    const { value } = await read(body);
    expect(value).toEqual({ data: [{ id: 9007199254740993n, n: 12 }], total: 9007199254740992 });
    expect(candidatesIn(value, 'list')[0]?.text).toBe('9007199254740993');
  });
});

describe('records and identifiers', () => {
  test('a person inside a record is not a further user', () => {
    const manager = { email: 'boss@example.com', name: 'Boss' };
    expect(recordsIn({ data: { id: 1, email: 'a@example.com', manager } })).toHaveLength(1);
    expect(recordsIn([{ email: 'a' }, { email: 'b' }]).map(({ siblings }) => siblings)).toEqual([2, 2]);
  });

  test('the likeliest candidate comes first', () => {
    const body = { meta: { page: 1 }, data: { version: 3, userId: 'u-7', email: 'a@example.com' } };
    expect(candidatesIn(body, 'create answer')[0]).toMatchObject({ text: 'u-7', place: 'create answer: data.userId' });
  });

  test('of a short identifier a longer one is made: one as short would soon be somebody else’s', () => {
    for (const text of unknownIdentifiers(['u-3', 'u-4'])) expect(text).toMatch(/^[a-z]-\d{7}$/);
  });

  test('unknown identifiers have the shape of the known ones and begin with none of them', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uuid(), fc.nat().map(String), fc.stringMatching(/^[a-z0-9]{6,20}$/), fc.emailAddress()),
        (known) => {
          for (const unknown of unknownIdentifiers([known])) {
            expect(unknown).not.toBe(known);
            if (!/^(0|-1)$/.test(unknown)) expect(unknown.startsWith(known)).toBe(false);
          }
        },
      ),
    );
  });

  test('plain users are plain, and never the same', () => {
    const factory = new UserFactory('example.com');
    const users = Array.from({ length: 1000 }, () => factory.make());
    for (const { email, name } of users) {
      expect(email).toMatch(/^(?=.{1,64}$)[a-z0-9.]+@example\.com$/);
      expect(name).toMatch(/^(?=.{1,40}$)[A-Za-z]+ [A-Za-z]+$/);
    }
    expect(new Set(users.map(({ email }) => email)).size).toBe(1000);
    expect(new Set(users.map(({ name }) => name)).size).toBe(1000);
  });
});

describe('schemas', () => {
  test('are valid by their meta-schema', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false });
    for (const schema of [...schemas, createUserRequest]) expect(ajv.validateSchema(schema), schema.$id).toBe(true);
  });

  test.each([
    [{ data: [], total: 0 }, undefined],
    [{ data: [{ email: 'a', name: 'b', more: 1 }], total: 1, next: null }, undefined],
    [{ data: null, total: 0 }, 'body/data must be array'],
    [{ data: [], total: '0' }, 'body/total must be integer'],
    [{ data: [], total: -1 }, 'body/total must be >= 0'],
    [{ data: [{ email: 1, name: 'b' }], total: 1 }, 'body/data/0/email must be string'],
    [[], 'body must be object'],
  ])('the user list %o: %s', (value, fault) => {
    expect(schemaError('user-list.schema.json', value, 'body')).toBe(fault);
  });
});

describe('the verdict', () => {
  const lenient = { strict: false, knownFailures: [] };
  const one = (level: Judged['level'], outcome: Judged['outcome']): Judged => ({ slug: 'a.b', level, outcome });

  test.each([
    [[one('MUST', 'passed')], 'conformant', 'conformant'],
    [[one('MUST', 'passed'), one('SHOULD', 'failed')], 'conformant', 'non-conformant'],
    [[one('MUST', 'passed'), one('SHOULD', 'not-verified')], 'conformant', 'inconclusive'],
    [[one('MUST', 'passed'), one('MUST', 'not-applicable')], 'conformant', 'conformant'],
    [[one('MUST', 'failed'), one('MUST', 'not-verified')], 'non-conformant', 'non-conformant'],
    [[one('MUST', 'passed'), one('MUST', 'not-verified')], 'inconclusive', 'inconclusive'],
    [[one('MUST', 'known-failure')], 'conformant', 'conformant'],
    [[one('MUST', 'not-applicable')], 'inconclusive', 'inconclusive'],
    [[], 'inconclusive', 'inconclusive'],
  ] as [Judged[], string, string][])('of %o is %s, and in strict mode %s', (judged, verdict, strict) => {
    expect(decide(judged, lenient).verdict).toBe(verdict);
    expect(decide(judged, { ...lenient, strict: true }).verdict).toBe(strict);
  });

  test.each([
    [{ partial: false, readOnly: false }, 'conformant'],
    [{ partial: true, readOnly: false }, 'conformant (partial)'],
    [{ partial: true, readOnly: true }, 'conformant (partial, read-only)'],
  ])('of a run with the limits %o is called %s', (scope, title) => {
    expect(verdictTitle({ verdict: 'conformant', scope: { ...scope, strict: false } })).toBe(title);
  });
});
