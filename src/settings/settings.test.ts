import { describe, expect, test } from 'vitest';
import { SettingsError } from './errors.ts';
import { readSettings, refuseIdleFlags, SEED_LIMIT } from './settings.ts';
import { settingRows } from './table.ts';
import { isEveryday } from './target.ts';

const target = { BASE_URL: 'https://api.example.com/v1', API_KEY: 'some-key' };

test('without any setting the embedded reference is judged, with the documented defaults', () => {
  expect(readSettings({}, '/somewhere')).toMatchObject({
    strict: false,
    readOnly: false,
    reportDir: '/somewhere/reports',
    timeoutMs: 10_000,
    settleMs: 2000,
    deadlineMs: 600_000,
    bodyLimit: 32 * 1024 * 1024,
    emailDomain: 'example.com',
    startTimeoutMs: 60_000,
    thorough: false,
    budgetMs: 60_000,
    maxRequests: 25_000,
    maxUsers: 1500,
    selection: { only: [], skip: [] },
    notices: [],
  });
});

test.each([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
  ['', false],
])('a switch of "%s" is %s', (value, on) => {
  const { strict } = readSettings({ ...target, CONFORMANCE_STRICT: value }, '/');
  expect(strict).toBe(on);
});

test('a name is text of any language, without the space around it', () => {
  const { name } = readSettings({ CONFORMANCE_NAME: ' Zoë’s サービス (Go) ' }, '/');
  expect(name).toBe('Zoë’s サービス (Go)');
  expect(readSettings({ CONFORMANCE_NAME: ' ' }, '/').name).toBeUndefined();
});

test('a file of known failures is found from the working directory, and called what the user calls it', () => {
  const { knownFailures } = readSettings(
    { CONFORMANCE_KNOWN_FAILURES: 'ours/known.yml' },
    '/somewhere',
  );
  expect(knownFailures).toEqual({ path: '/somewhere/ours/known.yml', name: 'ours/known.yml' });
});

describe('unusable settings end in one sentence', () => {
  test.each([
    [{ BASE_URL: '', API_KEY: 'some-key' }, 'BASE_URL is set but empty'],
    [{ API_KEY: 'some-key' }, 'API_KEY is set and BASE_URL is not'],
    [
      { BASE_URL: 'users.example.com/v1', API_KEY: 'some-key' },
      'BASE_URL must be an http or https address',
    ],
    [
      { BASE_URL: 'ftp://127.0.0.1/v1', API_KEY: 'some-key' },
      'BASE_URL must be an http or https address',
    ],
    [
      { BASE_URL: 'http://me:pw@127.0.0.1/v1', API_KEY: 'some-key' },
      'BASE_URL must not contain a user',
    ],
    [
      { BASE_URL: 'http://127.0.0.1/v1?key=1', API_KEY: 'some-key' },
      'BASE_URL must not contain a user',
    ],
    ...['$BASE_URL', '$SERVICE_URL', '${URL}', '$(BASE_URL)', '${{ vars.URL }}', '%BASE_URL%'].map(
      (name): [Record<string, string>, string] => [
        { BASE_URL: name, API_KEY: 'some-key' },
        'that it names is not set',
      ],
    ),
    [{ ...target, API_KEY: '$SERVICE_KEY' }, 'API_KEY is a placeholder such as $NAME'],
    [{ ...target, API_KEY: '' }, 'API_KEY is missing'],
    [{ ...target, API_KEY: 'some-key\n' }, 'API_KEY has leading or trailing whitespace'],
    [{ ...target, API_KEY: 'schlüssel' }, 'characters not allowed in an HTTP header'],
    [{ ...target, API_KEY: '<API_KEY>' }, 'API_KEY is the placeholder'],
    ...['Bearer some-key', 'bearer  some-key', 'Authorization: Bearer k', 'Token k'].map(
      (API_KEY): [Record<string, string>, string] => [
        { ...target, API_KEY },
        'API_KEY begins with a scheme, which requests add: set the key alone',
      ],
    ),
    [
      { ...target, CONFORMANCE_HEADERS: 'X-Gate: open\nno header' },
      'CONFORMANCE_HEADERS, line 2: it must be "Name: value"',
    ],
    [
      { ...target, CONFORMANCE_HEADERS: 'X-Gate:' },
      'CONFORMANCE_HEADERS, line 1: it must be "Name: value"',
    ],
    [
      { ...target, CONFORMANCE_HEADERS: 'authorization: Bearer x' },
      'carries API_KEY and nothing else',
    ],
    ...[
      ...[
        'Host',
        'Accept',
        'Accept-Encoding',
        'Content-Type',
        'Content-Encoding',
        'Content-Length',
        'Connection',
      ],
      ...[
        'Transfer-Encoding',
        'Expect',
        'Upgrade',
        'HTTP2-Settings',
        'Range',
        'If-None-Match',
        'if-modified-since',
      ],
      ...[
        'X-HTTP-Method-Override',
        'X_HTTP_Method',
        'X-Method-Override',
        'X-Original-URL',
        'Idempotency-Key',
      ],
    ].map((name): [Record<string, string>, string] => [
      { ...target, CONFORMANCE_HEADERS: `${name}: secret` },
      `the header ${name} can't be set: requests have their own`,
    ]),
    [{ ...target, CONFORMANCE_HEADERS: 'X-Gate: a\nx-gate: b' }, 'the header x-gate is set twice'],
    [{ ...target, CONFORMANCE_CLIENT_CERT: 'me.pem' }, 'go together: one of them is missing'],
    [
      { ...target, CONFORMANCE_CA: 'ca.pem' },
      'CONFORMANCE_CA is "ca.pem", which can\'t be read (ENOENT)',
    ],
    [{ ...target, CONFORMANCE_CA: '/dev/null' }, 'which is not a regular file'],
    [{ CONFORMANCE_NAME: 'x'.repeat(81) }, 'CONFORMANCE_NAME must be at most 80 characters'],
    [{ CONFORMANCE_NAME: 'my\u001b[2J service' }, 'all of them printable'],
    [{ CONFORMANCE_NAME: 'my\u202eservice' }, 'all of them printable'],
    [{ ...target, CONFORMANCE_NAME: 'mine, some-key' }, 'CONFORMANCE_NAME holds the key'],
    [{ CONFORMANCE_BODY_LIMIT_MIB: '0' }, 'CONFORMANCE_BODY_LIMIT_MIB is "0"'],
    [{ CONFORMANCE_STRICT: 'yes' }, 'CONFORMANCE_STRICT is "yes"'],
    [{ CONFORMANCE_TIMEOUT_MS: '0' }, 'CONFORMANCE_TIMEOUT_MS is "0"'],
    [{ CONFORMANCE_DEADLINE_MS: '1e3' }, 'CONFORMANCE_DEADLINE_MS is "1e3"'],
    [{ CONFORMANCE_EMAIL_DOMAIN: 'no domain' }, 'CONFORMANCE_EMAIL_DOMAIN is "no domain"'],
    [{ CONFORMANCE_TIMEOUT: '1000' }, 'did you mean CONFORMANCE_TIMEOUT_MS?'],
    [{ conformance_strict: '1' }, 'did you mean CONFORMANCE_STRICT?'],
    [{ CONFROMANCE_STRICT: '1' }, 'did you mean CONFORMANCE_STRICT?'],
    [{ CONFORMANCE_ONYL: 'a.b' }, 'did you mean CONFORMANCE_ONLY?'],
    [{ CONFORMANCE_FOO: '1' }, 'CONFORMANCE_FOO is not a setting; the settings are'],
    [{ CONFORMANCE_WINDOW_CLEANERS: '1' }, 'the settings are CONFORMANCE_NAME, '],
  ])('%o', (environment, sentence) => {
    const read = () => readSettings(environment, '/nowhere');
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(sentence);
  });
});

test.each([
  ['secret', true],
  ['onlyletters', true],
  ['Ab-1', true],
  ['Onlyletters', false],
  ['12345678', false],
])('%s is an everyday word: %s', (key, everyday) => {
  expect(isEveryday(key)).toBe(everyday);
});

test('where a target is needed the embedded reference service is judged only by its name', () => {
  expect(() => readSettings({}, '/', true)).toThrow('No service is set: set BASE_URL');
  expect(readSettings({ BASE_URL: 'embedded-reference' }, '/', true)).not.toHaveProperty('target');
});

test.each([
  'Bearer',
  'Bearer-4711',
  'basic4711',
  'token:4711',
  '$tr0ng_Pass',
  '$2b$10$KEY_x',
  '100%_sure%',
  'a$API_KEY',
  '$SECRET',
])('%s is a key', (key) => {
  expect(readSettings({ ...target, API_KEY: key }, '/').target?.apiKey).toBe(key);
});

test('the embedded reference service is asked for by its name', () => {
  for (const API_KEY of [undefined, 'some-key']) {
    expect(readSettings({ BASE_URL: 'embedded-reference', API_KEY }, '/')).not.toHaveProperty(
      'target',
    );
  }
});

test.each(['test', 'users', '200', 'secret'])(
  'the key may be a plain word, %s, and a notice says what follows',
  (key) => {
    const { target: read, notices } = readSettings({ ...target, API_KEY: key }, '/');
    expect(read?.apiKey).toBe(key);
    expect(notices).toEqual([expect.stringContaining('response bodies are not searched for it')]);
  },
);

test.each(settingRows.map(({ variable }) => variable).filter((variable) => variable !== 'API_KEY'))(
  'the key is refused in %s, and not repeated',
  (variable) => {
    const key = 's3cret/Key+1';
    for (const form of [key, key.toUpperCase(), encodeURIComponent(key)]) {
      const read = () => readSettings({ ...target, API_KEY: key, [variable]: `x${form}y` }, '/');
      expect(read).toThrow(`${variable} holds the key`);
      expect(read).not.toThrow(/s3cret/i);
    }
    expect(() => readSettings({ ...target, API_KEY: key }, `/home/${key}`)).toThrow(
      'This folder holds the key',
    );
  },
);

test('a seed that the suite draws can be given', () => {
  const given = { CONFORMANCE_THOROUGH: '1', CONFORMANCE_SEED: `${SEED_LIMIT - 1}` };
  expect(readSettings(given, '/')).toMatchObject({ seed: SEED_LIMIT - 1 });
});

test.each([
  [{ CONFORMANCE_SEED: '1' }, {}, '--seed has no effect without --thorough.'],
  [
    { CONFORMANCE_SEED: '1' },
    { CONFORMANCE_THOROUGH: '0' },
    '--seed has no effect without --thorough.',
  ],
  [{ CONFORMANCE_BUDGET_S: '9' }, {}, '--budget has no effect without --thorough.'],
  [{ CONFORMANCE_MAX_REQUESTS: '9' }, {}, '--max-requests has no effect without --thorough.'],
  [{ CONFORMANCE_MAX_USERS: '9' }, {}, '--max-users has no effect without --thorough.'],
  [{ CONFORMANCE_REUSE: '1' }, target, '--reuse has no effect without --start.'],
  [{ CONFORMANCE_START_TIMEOUT_MS: '9' }, target, '--start-timeout has no effect without --start.'],
  [{ CONFORMANCE_HEADERS: 'X-Gate: 1' }, {}, '--header has no effect without --base-url.'],
])('flags without effect are refused: %o beside %o', (flags, environment, sentence) => {
  const refuse = (others: Record<string, string>) =>
    refuseIdleFlags(flags, { ...environment, ...flags, ...others }, '/');
  expect(() => refuse({})).toThrow(SettingsError);
  expect(() => refuse({})).toThrow(sentence);
  expect(() =>
    refuse({ ...target, CONFORMANCE_THOROUGH: '1', CONFORMANCE_START: 'make' }),
  ).not.toThrow();
});

test('a variable without effect is none of what was typed', () => {
  expect(() => refuseIdleFlags({}, { CONFORMANCE_SEED: '1' }, '/')).not.toThrow();
});
