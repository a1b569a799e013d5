import { expect, test } from 'vitest';
import { SettingsError } from './errors.ts';
import { readSettings } from './settings.ts';

const target = { BASE_URL: 'https://api.example.com/v1', API_KEY: 'some-key' };

const RESERVED_HEADERS = [
  'Host',
  'Accept',
  'Accept-Encoding',
  'Content-Type',
  'Content-Encoding',
  'Content-Length',
  'Connection',
  'Transfer-Encoding',
  'Expect',
  'Upgrade',
  'HTTP2-Settings',
  'Range',
  'If-None-Match',
  'if-modified-since',
  'X-HTTP-Method-Override',
  'X_HTTP_Method',
  'X-Method-Override',
  'X-Original-URL',
  'Idempotency-Key',
];

type UnusableCase = [environment: Record<string, string>, sentence: string];

test.each<UnusableCase>([
  [{ BASE_URL: '', API_KEY: 'some-key' }, 'BASE_URL is set but empty'],
  [{ API_KEY: 'some-key' }, 'API_KEY is set and BASE_URL is not'],
  ...[
    ['users.example.com/v1', 'https://users.example.com/v1'],
    ['localhost:3301/v1', 'http://localhost:3301/v1'],
    ['[::1]:3301/v1', 'http://[::1]:3301/v1'],
    ['10.0.0.7:80', 'https://10.0.0.7:80'],
  ].map(
    ([BASE_URL = '', address]): UnusableCase => [
      { BASE_URL, API_KEY: 'some-key' },
      `BASE_URL has no scheme: did you mean ${address}?`,
    ],
  ),
  ...['"http://127.0.0.1/v1"', "'http://127.0.0.1/v1'", '\u201chttp://127.0.0.1/v1\u201d'].map(
    (BASE_URL): UnusableCase => [
      { BASE_URL, API_KEY: 'some-key' },
      'BASE_URL has quotes around it: set the address without them.',
    ],
  ),
  ...[' http://127.0.0.1/v1', 'http://127.0.0.1/v1\n', 'http://127.0.0.1 /v1'].map(
    (BASE_URL): UnusableCase => [
      { BASE_URL, API_KEY: 'some-key' },
      'BASE_URL contains spaces or line breaks: remove them.',
    ],
  ),
  [
    { BASE_URL: 'http://{host}/v1', API_KEY: 'some-key' },
    'BASE_URL contains the placeholder {host}: put its value there.',
  ],
  // The key in the place of the address is not repeated.
  ...['Zq7Rk2Wp9', 'aa.bb.cc'].map(
    (BASE_URL): UnusableCase => [
      { BASE_URL, API_KEY: 'https://api.example.com/v1' },
      'BASE_URL must be an http or https address such as https://api.example.com/v1.',
    ],
  ),
  [{ ...target, API_KEY: '"some-key"' }, 'API_KEY has quotes around it: set the key without them.'],
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
    (name): UnusableCase => [{ BASE_URL: name, API_KEY: 'some-key' }, 'that it names is not set'],
  ),
  [{ ...target, API_KEY: '$SERVICE_KEY' }, 'API_KEY is a placeholder such as $NAME'],
  [{ ...target, API_KEY: '' }, 'API_KEY is missing'],
  [{ ...target, API_KEY: 'some-key\n' }, 'API_KEY has leading or trailing whitespace'],
  [{ ...target, API_KEY: 'schlüssel' }, 'characters not allowed in an HTTP header'],
  [{ ...target, API_KEY: '<API_KEY>' }, 'API_KEY is the placeholder'],
  ...['Bearer some-key', 'bearer  some-key', 'Authorization: Bearer k', 'Token k'].map(
    (API_KEY): UnusableCase => [
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
  ...RESERVED_HEADERS.map(
    (name): UnusableCase => [
      { ...target, CONFORMANCE_HEADERS: `${name}: secret` },
      `the header ${name} can't be set: requests have their own`,
    ],
  ),
  [{ ...target, CONFORMANCE_HEADERS: 'X-Gate: a\nx-gate: b' }, 'the header x-gate is set twice'],
  [{ ...target, CONFORMANCE_CLIENT_CERT: 'me.pem' }, 'go together: one of them is missing'],
  [
    { ...target, CONFORMANCE_CA: 'ca.pem' },
    'CONFORMANCE_CA is "ca.pem", which can\'t be read (no such file or directory)',
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
])('the settings %o are unusable: %s', (environment, sentence) => {
  const read = () => readSettings(environment, '/nowhere');
  expect(read).toThrow(SettingsError);
  expect(read).toThrow(sentence);
});
