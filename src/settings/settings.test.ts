import { expect, test } from 'vitest';
import { SettingsError } from './errors.ts';
import { readSettings, refuseIdleFlags, SEED_LIMIT } from './settings.ts';

const target = { BASE_URL: 'https://api.example.com/v1', API_KEY: 'some-key' };

test('the settings have the documented defaults', () => {
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

test('a name is a text in any language, without surrounding spaces', () => {
  const { name } = readSettings({ CONFORMANCE_NAME: ' Zoë’s サービス (Go) ' }, '/');
  expect(name).toBe('Zoë’s サービス (Go)');
  expect(readSettings({ CONFORMANCE_NAME: ' ' }, '/').name).toBeUndefined();
});

test('a path of known failures is relative to the working directory; messages show it as given', () => {
  const { knownFailures } = readSettings(
    { CONFORMANCE_KNOWN_FAILURES: 'ours/known.yml' },
    '/somewhere',
  );
  expect(knownFailures).toEqual({ path: '/somewhere/ours/known.yml', name: 'ours/known.yml' });
});

test('a run that needs a target accepts the name of the embedded reference service', () => {
  expect(() => readSettings({}, '/', { needsTarget: true })).toThrow(
    'No service is set: set BASE_URL',
  );
  expect(
    readSettings({ BASE_URL: 'embedded-reference' }, '/', { needsTarget: true }),
  ).not.toHaveProperty('target');
});

test('BASE_URL=embedded-reference sets no target', () => {
  for (const API_KEY of [undefined, 'some-key']) {
    expect(readSettings({ BASE_URL: 'embedded-reference', API_KEY }, '/')).not.toHaveProperty(
      'target',
    );
  }
});

test('the largest drawn seed is accepted', () => {
  const variables = { CONFORMANCE_THOROUGH: '1', CONFORMANCE_SEED: `${SEED_LIMIT - 1}` };
  expect(readSettings(variables, '/')).toMatchObject({ seed: SEED_LIMIT - 1 });
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
])(
  'flags without effect are an error: %o with the variables %o',
  (flags, environment, sentence) => {
    const check = (more: Record<string, string>) =>
      refuseIdleFlags(flags, { ...environment, ...flags, ...more }, '/');
    expect(() => check({})).toThrow(SettingsError);
    expect(() => check({})).toThrow(sentence);
    expect(() =>
      check({ ...target, CONFORMANCE_THOROUGH: '1', CONFORMANCE_START: 'make' }),
    ).not.toThrow();
  },
);

test('a variable without effect is no error', () => {
  expect(() => refuseIdleFlags({}, { CONFORMANCE_SEED: '1' }, '/')).not.toThrow();
});
