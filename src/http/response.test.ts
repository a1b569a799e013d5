import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readBody } from './response.ts';
import { Unreadable } from './unreadable.ts';

const TEXT = '{"name":"Zoë"}';
const LIMIT = 1000;

const readJson = (data: Buffer, coding = '') => readBody(data, coding, LIMIT, true);

const readText = (data: Buffer) => readBody(data, '', LIMIT, false);

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
  const body = await readJson(data, coding);
  expect(body).toEqual({ text: TEXT, value: { name: 'Zoë' }, bodyBytes: 15, byteOrderMark: false });
});

test.each([
  ['gzip', Buffer.from('no gzip')],
  ['gzip', gzipSync(TEXT).subarray(0, 20)],
  ['br', Buffer.from('no brotli, this is')],
])('a body that is not encoded as %s is a fault of the JSON', async (coding, data) => {
  expect(await readJson(data, coding)).toMatchObject({
    jsonFault: `it can't be decoded as ${coding}`,
    value: undefined,
  });
});

test.each([
  ['zstd', Buffer.from(TEXT), 'content coding "zstd"'],
  ['gzip, gzip, gzip, gzip, gzip', Buffer.from(TEXT), 'more than 4 content codings'],
])('a body in %s is unreadable', async (coding, data, sentence) => {
  const reading = readJson(data, coding);
  await expect(reading).rejects.toThrow(Unreadable);
  await expect(reading).rejects.toThrow(sentence);
});

test.each([
  ['', Buffer.alloc(LIMIT + 1, ' ')],
  ['gzip', gzipSync(Buffer.alloc(5 * LIMIT, ' '))],
])('a body above the limit is cut and not parsed: "%s"', async (coding, data) => {
  expect(await readJson(data, coding)).toMatchObject({
    bodyBytes: LIMIT,
    cut: true,
    value: undefined,
  });
});

test('a body of exactly the limit is not cut', async () => {
  const data = Buffer.from(`"${'x'.repeat(LIMIT - 2)}"`);
  const body = await readJson(data);
  expect(body).toMatchObject({ bodyBytes: LIMIT, value: 'x'.repeat(LIMIT - 2) });
  expect(body).not.toHaveProperty('cut');
});

test.each([
  [Buffer.from(TEXT, 'latin1'), 'it is not valid UTF-8'],
  [Buffer.from(TEXT).subarray(0, 12), 'it is not valid UTF-8'],
  [Buffer.from('{"a":'), 'parse error'],
  [Buffer.from('{"secret"}'), 'parse error at character 10'],
])('%s is not a JSON text, and the fault does not quote it', async (data, fault) => {
  expect(await readJson(data)).toMatchObject({ jsonFault: fault, value: undefined });
});

test('a byte order mark is noted and skipped', async () => {
  expect(await readJson(Buffer.from(`\ufeff${TEXT}`))).toMatchObject({
    byteOrderMark: true,
    value: { name: 'Zoë' },
  });
  expect(await readJson(Buffer.from(TEXT))).toMatchObject({ byteOrderMark: false });
});

test('an empty body is no fault', async () => {
  const body = await readJson(Buffer.alloc(0));
  expect(body).toMatchObject({ value: undefined, bodyBytes: 0, text: '' });
  expect(body).not.toHaveProperty('jsonFault');
});

test.each(['gzip', 'deflate', 'br', 'gzip, br', 'zip'])(
  'an empty body is no fault, even with the content coding %s',
  async (coding) => {
    const body = await readJson(Buffer.alloc(0), coding);
    expect(body).toMatchObject({ value: undefined, bodyBytes: 0, text: '' });
    expect(body).not.toHaveProperty('jsonFault');
  },
);

test('a body that is read as text is not parsed', async () => {
  const body = await readText(Buffer.from('no JSON'));
  expect(body).toMatchObject({ text: 'no JSON', value: undefined });
  expect(body).not.toHaveProperty('jsonFault');
});

test.each([
  ['text of ASCII alone', '{"name":"Zoe"}', '{"name":"Zoe"}'],
  ['letters of two, three and four bytes', '{"name":"Zoë 山 👩 x"}', '{"name":"Zoë 山 👩 x"}'],
  ['a byte order mark at the beginning', '\ufeff{"name":"Zoe"}', '{"name":"Zoe"}'],
  ['a byte order mark within the text', '{"name":"\ufeffZoë"}', '{"name":"\ufeffZoë"}'],
])('%s is read as sent', async (_, sent, text) => {
  const body = await readText(Buffer.from(sent));
  expect(body.text).toBe(text);
  expect(body).not.toHaveProperty('jsonFault');
});

test('a text with half a character is not UTF-8', async () => {
  for (const end of ['', 'x', 'x\u00eb']) {
    const body = await readText(
      Buffer.concat([Buffer.from('ASCII '), Buffer.of(0xc3), Buffer.from(end)]),
    );
    expect(body.jsonFault).toBe('it is not valid UTF-8');
  }
});
