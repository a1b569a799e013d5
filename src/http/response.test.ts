import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBody } from './response.ts';
import { Unreadable } from './unreadable.ts';

const TEXT = '{"name":"Zoë"}';
const LIMIT = 1000;

function read(data: Buffer, coding = '', as: 'json' | 'text' = 'json') {
  return readBody(data, coding, LIMIT, as === 'json');
}

test.each([
  ['gzip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
  ['GZIP', gzipSync(TEXT)],
  ['identity', Buffer.from(TEXT)],
  ['UTF-8', Buffer.from(TEXT)],
  ['none', Buffer.from(TEXT)],
  ['aws-chunked, gzip', gzipSync(TEXT)],
  ['', Buffer.from(TEXT)],
])('%s is decoded', async (coding, data) => {
  const body = await read(data, coding);
  expect(body).toEqual({ text: TEXT, value: { name: 'Zoë' }, bodyBytes: 15, byteOrderMark: false });
});

test.each([
  ['gzip', Buffer.from('no gzip')],
  ['gzip', gzipSync(TEXT).subarray(0, 20)],
  ['br', Buffer.from('no brotli, this is')],
])('what is no %s is a fault of the body', async (coding, data) => {
  expect(await read(data, coding)).toMatchObject({
    jsonFault: `it can't be decoded as ${coding}`,
    value: undefined,
  });
});

test.each([
  ['zstd', Buffer.from(TEXT), 'content coding "zstd"'],
  ['gzip, gzip, gzip, gzip, gzip', Buffer.from(TEXT), 'more than 4 content codings'],
])('what %s can not decode ends in a sentence', async (coding, data, sentence) => {
  const reading = read(data, coding);
  await expect(reading).rejects.toThrow(Unreadable);
  await expect(reading).rejects.toThrow(sentence);
});

test.each([
  ['', Buffer.alloc(LIMIT + 1, ' ')],
  ['gzip', gzipSync(Buffer.alloc(5 * LIMIT, ' '))],
])('of more than the limit no more is read, and nothing is parsed: "%s"', async (coding, data) => {
  expect(await read(data, coding)).toMatchObject({ bodyBytes: LIMIT, cut: true, value: undefined });
});

test('a body of just the limit is whole', async () => {
  const data = Buffer.from(`"${'x'.repeat(LIMIT - 2)}"`);
  const body = await read(data);
  expect(body).toMatchObject({ bodyBytes: LIMIT, value: 'x'.repeat(LIMIT - 2) });
  expect(body).not.toHaveProperty('cut');
});

test.each([
  [Buffer.from(TEXT, 'latin1'), 'it is not valid UTF-8'],
  [Buffer.from(TEXT).subarray(0, 12), 'it is not valid UTF-8'],
  [Buffer.from('{"a":'), 'parse error'],
  [Buffer.from('{"secret"}'), 'parse error at character 10'],
])('%s is no JSON text, and the reason quotes nothing of it', async (data, fault) => {
  expect(await read(data)).toMatchObject({ jsonFault: fault, value: undefined });
});

test('a byte order mark is seen and passed over', async () => {
  expect(await read(Buffer.from(`\ufeff${TEXT}`))).toMatchObject({
    byteOrderMark: true,
    value: { name: 'Zoë' },
  });
  expect(await read(Buffer.from(TEXT))).toMatchObject({ byteOrderMark: false });
});

test('no body is no fault', async () => {
  const body = await read(Buffer.alloc(0));
  expect(body).toMatchObject({ value: undefined, bodyBytes: 0, text: '' });
  expect(body).not.toHaveProperty('jsonFault');
});

test.each(['gzip', 'deflate', 'br', 'gzip, br', 'zip'])(
  'no body is no fault, also where it is said to be %s',
  async (coding) => {
    const body = await read(Buffer.alloc(0), coding);
    expect(body).toMatchObject({ value: undefined, bodyBytes: 0, text: '' });
    expect(body).not.toHaveProperty('jsonFault');
  },
);

test('what nobody wants as JSON is not parsed', async () => {
  const body = await read(Buffer.from('no JSON'), '', 'text');
  expect(body).toMatchObject({ text: 'no JSON', value: undefined });
  expect(body).not.toHaveProperty('jsonFault');
});

test.each([
  ['ASCII alone', '{"name":"Zoe"}', '{"name":"Zoe"}'],
  ['letters of two, three and four bytes', '{"name":"Zoë 山 👩 x"}', '{"name":"Zoë 山 👩 x"}'],
  ['a byte order mark at the beginning', '\ufeff{"name":"Zoe"}', '{"name":"Zoe"}'],
  ['one later, which is a character', '{"name":"\ufeffZoë"}', '{"name":"\ufeffZoë"}'],
])('%s is read as it was sent', async (_, sent, text) => {
  const body = await read(Buffer.from(sent), '', 'text');
  expect(body.text).toBe(text);
  expect(body).not.toHaveProperty('jsonFault');
});

test('what ends within a character, or goes on with another, is not UTF-8', async () => {
  for (const end of ['', 'x', 'x\u00eb']) {
    const body = await read(
      Buffer.concat([Buffer.from('ASCII '), Buffer.of(0xc3), Buffer.from(end)]),
      '',
      'text',
    );
    expect(body.jsonFault).toBe('it is not valid UTF-8');
  }
});
