import { expect, test } from 'vitest';
import type { Exchange } from './exchange.ts';
import { HEADER_VALUE, KEY } from './key.ts';
import { END_LIMIT, EXCERPT_LIMIT, ownWords, secretsOf } from './secrets.ts';
import { fillInHeader, withHeaders } from './wire.ts';

const SECRET = 'G4te/way+Secret_0815';
const HEADERS = [
  { name: 'X-Gate', value: SECRET },
  { name: 'Cookie', value: 'route=blue7' },
];
const KEY_OF_RUN = 'The-key_of.this~run';

test('a request has a mark for the value of each header, which is replaced when it is sent', () => {
  const request = {
    method: 'GET' as const,
    path: '/v1/users',
    headers: { 'x-gate': 'its own', cookie: 'session=1' },
  };
  const { headers } = withHeaders(request, 'curl/8', HEADERS);
  expect(headers).toEqual({
    'user-agent': 'curl/8',
    'X-Gate': HEADER_VALUE,
    Cookie: `session=1; ${HEADER_VALUE}`,
  });
  const values = Object.entries(headers).map(([name, value]) => fillInHeader(name, value, HEADERS));
  expect(values.slice(1)).toEqual([SECRET, 'session=1; route=blue7']);
  const withUserAgent = { ...request, headers: { 'User-Agent': 'its own' } };
  expect(withHeaders(withUserAgent, 'curl/8', [])).toEqual(withUserAgent);
});

/** Makes an exchange whose response has this body. */
const exchangeWith = (body: string): Exchange => ({
  id: 1,
  request: { method: 'GET', path: '/v1/users', headers: {} },
  response: {
    status: 200,
    headers: [['X-Debug', SECRET]],
    body,
    bodyBytes: 9000,
    byteOrderMark: false,
    keyInBody: false,
    keyInHeader: false,
  },
  at: 0,
  duration: 1,
  attempts: 1,
});

test.each([
  ['as written', SECRET],
  ['percent-encoded', encodeURIComponent(SECRET)],
  ['in base64', Buffer.from(SECRET).toString('base64')],
  ['in JSON with escaped slashes', SECRET.replaceAll('/', '\\/')],
])('a value %s is removed from a shown exchange, not from the record', (_, written) => {
  const secrets = secretsOf({ apiKey: KEY_OF_RUN, headers: HEADERS });
  const exchange = exchangeWith(`before ${written} after`);
  const { response } = secrets.shown(exchange);
  // The last characters of base64 depend on the next bytes.
  expect(response?.body).toMatch(new RegExp(`^before ${HEADER_VALUE}.{0,3} after$`));
  expect(response?.headers).toEqual([['X-Debug', HEADER_VALUE]]);
  expect(exchange.response?.body).toContain(written);
  expect(secrets.redact(written)).toMatch(new RegExp(`^${HEADER_VALUE}.{0,3}$`));
});

test.each([
  [100_000, 100_000],
  [1_000_000, 2001],
])('a request body of %i characters is shown with %i', (sent, length) => {
  const { shown } = secretsOf({ apiKey: KEY_OF_RUN });
  const exchange = exchangeWith('');
  exchange.request.body = 'x'.repeat(sent);
  const { request } = shown(exchange);
  expect(request.body).toHaveLength(length);
  expect(request.cut ?? false).toBe(length < sent);
});

test('a body that is cut is shown up to the limit, however long the key is', () => {
  const { shown } = secretsOf({ apiKey: 'aB3.'.repeat(200) });
  const { response } = shown(exchangeWith('x'.repeat(EXCERPT_LIMIT + 1)));
  expect(response?.body).toHaveLength(EXCERPT_LIMIT);
});

test('a body that is cut does not end with a part of a value', () => {
  const { shown } = secretsOf({ apiKey: KEY_OF_RUN, headers: HEADERS });
  for (let length = 1; length < SECRET.length; length += 1) {
    const before = 'x'.repeat(EXCERPT_LIMIT - length);
    const after = ' after'.repeat(200);
    const { response } = shown(exchangeWith(`${before}${SECRET}${after}`));
    // A longer key of another run of this process shortens the body further.
    expect(response?.body).toMatch(/^x*(<[A-Z_]*>?)?$/);
  }
});

test('the end of a long body neither begins with a part of a value nor has a whole one', () => {
  const { shown, ample } = secretsOf({ apiKey: KEY_OF_RUN, headers: HEADERS });
  const room = ample(END_LIMIT);
  for (let length = 1; length < SECRET.length; length += 1) {
    const exchange = exchangeWith('x'.repeat(EXCERPT_LIMIT));
    const tail = `${SECRET.slice(-length)}${' after'.repeat(room)}`.slice(0, room - 100);
    const bodyEnd = `${tail} ${SECRET} "total":"7"}`;
    Object.assign(exchange.response ?? {}, { bodyEnd });
    const end = shown(exchange).response?.bodyEnd ?? '';
    expect(end).toMatch(new RegExp(`^[ after]+ ${HEADER_VALUE} "total":"7"}$`));
    expect(end.length).toBeLessThanOrEqual(END_LIMIT);
  }
});

test('a sentence is cut in the middle, after the key is removed from it', () => {
  const { showText } = secretsOf({ apiKey: KEY_OF_RUN });
  const forms = [KEY_OF_RUN, Buffer.from(KEY_OF_RUN).toString('hex'), btoa(KEY_OF_RUN)];
  for (const form of forms) {
    for (let before = 0; before < 400; before += 1) {
      const text = showText(`${'.'.repeat(before)}${form}${'.'.repeat(600)}`, 300);
      expect(text.length).toBeLessThan(340);
      const parts = Array.from(form, (_, start) => form.slice(start, start + 6));
      const shown = parts.filter((part) => part.length === 6 && text.includes(part));
      expect(shown).toEqual([]);
    }
  }
  const long = `begin ${'.'.repeat(5000)} end`;
  expect(showText(long)).toMatch(/^begin \.+ … \.+ end \(5010 characters\)$/);
  expect(ownWords`expected ${showText(KEY_OF_RUN)}, got ${2}`).toBe(`expected ${KEY}, got 2`);
});

test('a long text is searched for the key as a short one, whatever was searched before', () => {
  const { finds } = secretsOf({ apiKey: KEY_OF_RUN });
  const long = 'x'.repeat(20_000);
  const texts = [long, long, `${long}${KEY_OF_RUN}`, `${long}${KEY_OF_RUN}`, 'x', long];
  expect(texts.map(finds)).toEqual([false, false, true, true, false, false]);
});

test('a value that is a word is only removed after the name of its header', () => {
  const { redact } = secretsOf({
    apiKey: KEY_OF_RUN,
    headers: [{ name: 'X-Env', value: 'application/json' }],
  });
  expect(redact('content-type: application/json')).toBe('content-type: application/json');
  expect(redact('{"x-env":"application/json"}')).toBe(`{"x-env":"${HEADER_VALUE}"}`);
});

test('an exchange without secrets is shown as received', () => {
  const { shown } = secretsOf({ apiKey: KEY_OF_RUN });
  const exchange = exchangeWith('x');
  expect(shown(exchange)).toEqual(exchange);
});

test('the key of another run is removed from a shown exchange, not from the record', () => {
  const otherKey = 'An0ther/key+of=another';
  const body = `before ${otherKey} after`;
  const { shown, redact } = secretsOf({ apiKey: KEY_OF_RUN });
  expect(secretsOf({ apiKey: KEY_OF_RUN }).shown(exchangeWith(body)).response?.body).toBe(body);
  secretsOf({ apiKey: otherKey });
  const exchange = exchangeWith(body);
  expect(shown(exchange).response?.body).toBe('before <API_KEY> after');
  expect(exchange.response?.body).toBe(body);
  expect(redact(otherKey)).toBe('<API_KEY>');
  expect(redact(encodeURIComponent(otherKey))).toBe('<API_KEY>');
});
