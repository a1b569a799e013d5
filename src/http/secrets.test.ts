import { expect, test } from 'vitest';
import type { Exchange } from './exchange.ts';
import { HEADER_VALUE } from './key.ts';
import { EXCERPT_LIMIT, secretsOf } from './secrets.ts';
import { fillInHeader, withHeaders } from './wire.ts';

const SECRET = 'G4te/way+Secret_0815';
const headers = [
  { name: 'X-Gate', value: SECRET },
  { name: 'Cookie', value: 'route=blue7' },
];
const KEY_OF_RUN = 'The-key_of.this~run';

test('every request has the headers, a mark in the place of each value, which only the wire fills in', () => {
  const request = {
    method: 'GET' as const,
    path: '/v1/users',
    headers: { 'x-gate': 'its own', cookie: 'session=1' },
  };
  const sent = withHeaders(request, 'curl/8', headers).headers;
  expect(sent).toEqual({
    'user-agent': 'curl/8',
    'X-Gate': HEADER_VALUE,
    Cookie: `session=1; ${HEADER_VALUE}`,
  });
  const filled = Object.entries(sent).map(([name, value]) => fillInHeader(name, value, headers));
  expect(filled.slice(1)).toEqual([SECRET, 'session=1; route=blue7']);
  const named = { ...request, headers: { 'User-Agent': 'its own' } };
  expect(withHeaders(named, 'curl/8', [])).toEqual(named);
});

/** An exchange of which the answer has this body. */
const answered = (body: string): Exchange => ({
  id: 1,
  request: { method: 'GET', path: '/v1/users', headers: {} },
  response: {
    ...{ status: 200, headers: [['X-Debug', SECRET]], body, bodyBytes: 9000 },
    ...{ byteOrderMark: false, keyInBody: false, keyInHeader: false },
  },
  ...{ at: 0, duration: 1, attempts: 1 },
});

test.each([
  ['as it is', SECRET],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in JSON with escaped slashes', SECRET.replaceAll('/', '\\/')],
])('a value %s is in nothing that is shown, and in the record as it came', (_, written) => {
  const { shown: exchange, redact } = secretsOf({ apiKey: KEY_OF_RUN, headers: headers });
  const record = answered(`before ${written} after`);
  const shown = exchange(record).response;
  // The last characters of base64 depend on what follows.
  expect(shown?.body).toMatch(new RegExp(`^before ${HEADER_VALUE}.{0,3} after$`));
  expect(shown?.headers).toEqual([['X-Debug', HEADER_VALUE]]);
  expect(record.response?.body).toContain(written);
  expect(redact(written)).toMatch(new RegExp(`^${HEADER_VALUE}.{0,3}$`));
});

test.each([
  [100_000, 100_000],
  [1_000_000, 2001],
])('of a request whose body has %i characters %i are shown', (sent, length) => {
  const { shown } = secretsOf({ apiKey: KEY_OF_RUN });
  const { request, ...exchange } = answered('');
  const { body, cut } = shown({
    ...exchange,
    request: { ...request, body: 'x'.repeat(sent) },
  }).request;
  expect([body?.length, cut ?? false]).toEqual([length, length < sent]);
});

test('a body that is cut is shown up to the limit, however long the key is', () => {
  const { shown } = secretsOf({ apiKey: 'aB3.'.repeat(200) });
  expect(shown(answered('x'.repeat(EXCERPT_LIMIT + 1))).response?.body).toHaveLength(EXCERPT_LIMIT);
});

test('no part of a value stands at the end of a body that is cut', () => {
  const { shown: exchange } = secretsOf({ apiKey: KEY_OF_RUN, headers: headers });
  for (let length = 1; length < SECRET.length; length += 1) {
    const before = 'x'.repeat(EXCERPT_LIMIT - length);
    const body = exchange(answered(`${before}${SECRET}${' after'.repeat(200)}`)).response?.body;
    // A longer key of another run of this process leaves less of it.
    expect(body).toMatch(/^x*(<[A-Z_]*>?)?$/);
  }
});

test('a word is taken out only behind the name of its header', () => {
  const { redact } = secretsOf({
    apiKey: KEY_OF_RUN,
    headers: [{ name: 'X-Env', value: 'application/json' }],
  });
  expect(redact('content-type: application/json')).toBe('content-type: application/json');
  expect(redact('{"x-env":"application/json"}')).toBe(`{"x-env":"${HEADER_VALUE}"}`);
});

test('without such headers an exchange is shown as it is', () => {
  const record = answered('x');
  expect(secretsOf({ apiKey: KEY_OF_RUN, headers: [] }).shown(record)).toEqual(record);
});

test('the key of another run of this process is in nothing that is shown, and in the record as it came', () => {
  const other = 'An0ther/key+of=another';
  const { shown: exchange, redact } = secretsOf({ apiKey: KEY_OF_RUN, headers: [] });
  const before = answered(`before ${other} after`);
  expect(secretsOf({ apiKey: KEY_OF_RUN, headers: [] }).shown(before)).toEqual(before);
  secretsOf({ apiKey: other, headers: [] });
  const record = answered(`before ${other} after`);
  expect(exchange(record).response?.body).toBe('before <API_KEY> after');
  expect(record.response?.body).toContain(other);
  for (const text of [redact(other), redact(encodeURIComponent(other))])
    expect(text).toBe('<API_KEY>');
});
