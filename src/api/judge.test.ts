import { getEventListeners } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brokenBy } from '../../tests/services/named.ts';
import { type Patch, start } from '../../tests/services/service.ts';
import { filesBelow } from '../../tests/shell.ts';
import {
  type JudgeOptions,
  type JudgeSettings,
  judge,
  type Outcome,
  SettingsError,
} from './index.ts';

const KEY = 'a-key-of-some-length';
const unreachable = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: KEY };

describe('judge', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'judge-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('resolves to the report, and calls onOutcome once for each outcome', async () => {
    const service = await start(brokenBy('total is a string'));
    const knownFailures = join(folder, 'known.yml');
    writeFileSync(
      knownFailures,
      '- { slug: list.total-integer, reason: the next release will do }\n',
    );
    const outcomes: Outcome[] = [];
    const report = await judge(
      {
        baseUrl: service.baseUrl,
        apiKey: service.apiKey,
        name: 'Mine',
        only: ['list.*'],
        knownFailures,
      },
      { onOutcome: (outcome) => outcomes.push(outcome) },
    ).finally(service.close);
    const ids = report.requirements
      .filter(({ reason }) => reason !== 'left out by a filter')
      .map(({ id }) => id);
    expect(outcomes.map(({ slug }) => slug).sort()).toEqual(ids.sort());
    const names = Object.fromEntries(outcomes.map(({ slug, outcome }) => [slug, outcome]));
    expect(names).toMatchObject({
      'list.answers': 'passed',
      'list.total-integer': 'known-failure',
    });
    expect(report).toMatchObject({
      title: 'conformant (partial), with 1 known failure',
      target: { name: 'Mine', embeddedReference: false },
    });
    expect(readdirSync(folder)).toEqual(['known.yml']);
  });

  test('writes reports to reportDir', async () => {
    const service = await start(brokenBy('total is a string'));
    const reportDir = join(folder, 'reports');
    const { baseUrl, apiKey } = service;
    await judge({ baseUrl, apiKey, only: ['list.*'], reportDir }).finally(service.close);
    expect(readdirSync(folder).sort()).toEqual(['reports']);
    expect(readdirSync(reportDir).sort()).toEqual([
      '.conformance-files',
      'allure-results',
      'badge.json',
      'conformance.json',
      'created-users.json',
      'exchanges.har',
      'junit.xml',
      'report.html',
      'run.json.gz',
      'summary.md',
    ]);
  });

  test('a run without a service, or interrupted, is inconclusive', async () => {
    expect((await judge(unreachable)).verdict).toBe('inconclusive');
    const service = await start();
    const interrupted = judge(
      { baseUrl: service.baseUrl, apiKey: service.apiKey },
      { signal: AbortSignal.abort() },
    );
    expect((await interrupted.finally(service.close)).verdict).toBe('inconclusive');
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ apiKey: '' }, /^apiKey is missing: /],
    [{ baseUrl: undefined }, /^baseUrl is missing: /],
    [{ baseUrl: 'embedded-reference' }, /^baseUrl must be the address of a running service\.$/],
    [{ baseUrl: 'here' }, /^baseUrl must be an http or https address/],
    [{ timeoutMs: -1 }, /^timeoutMs is "-1": it must be a whole number/],
    [{ bodyLimitMib: 0 }, /^bodyLimitMib is "0"/],
    [{ strict: 'perhaps' }, /^strict is "perhaps"/],
    [{ only: ['nothing.*'] }, /nothing\.\*/],
    [{ strikt: true }, /^strikt is no setting here: did you mean strict\?$/],
    [{ startTimeoutMs: 1 }, /^A property is no setting here; the settings are baseUrl, apiKey, /],
    [{ [KEY]: 1 }, /^A property is no setting here; the settings are baseUrl, apiKey, /],
    [{ apiKey: 'stric', stric: 1 }, /^A property is no setting here/],
    [{ apiKey: 'soon', timeoutMs: 'soon' }, /^timeoutMs is "<API_KEY>": it must be/],
    [{ reportDir: '/dev/null/reports' }, /^Reports can't be written to .*: set reportDir\.$/],
    [{ only: [Symbol('x')] }, /^only must be an array of strings\.$/],
    [{ name: Object.create(null) }, /^name must be a string or a number\.$/],
    [{ knownFailures: null }, /^knownFailures must be a string or a number\.$/],
    [{ strict: 1 }, /^strict must be a boolean\.$/],
    [
      { headers: ['X-HTTP-Method-Override: PUT'] },
      /^headers, line 1: the header X-HTTP-Method-Override can't be set/,
    ],
  ])('%o is a SettingsError that names the property', async (settings, message) => {
    const error: Error = await judge({ ...unreachable, ...settings } as JudgeSettings).then(
      () => new Error('none'),
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(SettingsError);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(KEY);
  });

  test('an unknown option has no effect', async () => {
    expect((await judge(unreachable, { onStart: 'x' } as JudgeOptions)).verdict).toBe(
      'inconclusive',
    );
  });

  const throwing = () => ({
    get baseUrl(): string {
      throw new TypeError(KEY);
    },
  });
  test.each<[string, () => unknown, unknown?]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['a string', () => unreachable.baseUrl],
    ['an array', () => [unreachable]],
    ['a function', () => () => unreachable],
    ['an object that throws', throwing],
    ['an object that only inherits', () => Object.create(unreachable)],
    ['no options', () => unreachable, null],
    ['a text as options', () => unreachable, 'x'],
    ['a text as signal', () => unreachable, { signal: 'abort' }],
    ['null as signal', () => unreachable, { signal: null }],
    ['a text as onOutcome', () => unreachable, { onOutcome: 'x' }],
  ])('%s is a SettingsError', async (_, settings, options) => {
    const error: Error = await judge(settings() as JudgeSettings, options as JudgeOptions).then(
      () => new Error('none'),
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(SettingsError);
    expect(error.message).not.toContain(KEY);
  });

  /** Calls an action while all objects inherit these properties. */
  async function withPollution(inherited: Record<string, unknown>, action: () => Promise<void>) {
    for (const [name, value] of Object.entries(inherited)) {
      Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
    }
    await action().finally(() => {
      for (const name of Object.keys(inherited)) Reflect.deleteProperty(Object.prototype, name);
    });
  }

  test('a polluted Object.prototype adds no setting', async () => {
    const inherited = {
      API_KEY: KEY,
      CONFORMANCE_TIMEOUT_MS: 'long',
      strict: 'perhaps',
      signal: 'abort',
      readOnly: 7,
    };
    await withPollution(inherited, async () => {
      const { verdict } = await judge({ ...unreachable, only: ['list.answers'] });
      expect(verdict).toBe('inconclusive');
      await expect(judge({ baseUrl: unreachable.baseUrl } as JudgeSettings)).rejects.toThrow(
        'apiKey is missing',
      );
    });
  });

  test('a polluted Object.prototype adds no proxy, no baseline and no service', async () => {
    const { baseUrl, apiKey, close } = await start();
    const inherited = {
      isEmbedded: true,
      baseline: {},
      service: 'mine',
      onStart: 'x',
      http_proxy: 'http://127.0.0.1:1',
    };
    await withPollution(inherited, async () => {
      const report = await judge({ baseUrl, apiKey, only: ['list.answers'] });
      expect(report).toMatchObject({
        verdict: 'conformant',
        target: { embeddedReference: false },
      });
    }).finally(close);
  });

  test('concurrent runs hide the keys of each other', async () => {
    const keys = ['The-first_key.0815', 'Another~key-4711'];
    const echo: Patch = (service) => {
      const { handle } = service;
      service.handle = async (request) => {
        const reply = await handle(request);
        return { ...reply, status: 500, headers: { 'x-keys': keys.join() }, body: { keys } };
      };
    };
    const services = await Promise.all(
      keys.map((key) => start(echo, (service) => Object.assign(service, { key }))),
    );
    const outcomes: Outcome[] = [];
    const runs = services.map(({ baseUrl, apiKey }, index) =>
      judge(
        { baseUrl, apiKey, only: ['list.*'], reportDir: join(folder, `${index}`) },
        { onOutcome: (outcome) => outcomes.push(outcome) },
      ),
    );
    const reports = await Promise.all(runs).finally(() =>
      Promise.all(services.map(({ close }) => close())),
    );
    const files = filesBelow(folder).map(({ content }) => content);
    for (const text of [JSON.stringify([reports, outcomes]), ...files])
      for (const key of keys) expect(text).not.toContain(key);
    expect(JSON.stringify(reports)).toContain('{\\"keys\\":[\\"<API_KEY>\\",\\"<API_KEY>\\"]}');
  });

  test('a signal of another realm, which accepts no signal of this one, ends a run', async () => {
    const signal = Object.assign(new EventTarget(), {
      aborted: false,
      reason: undefined,
    }) as AbortSignal;
    const { addEventListener } = EventTarget.prototype;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      const [, , options] = args;
      if (typeof options === 'object' && options.signal)
        throw new TypeError('it is not of type AbortSignal');
      addEventListener.apply(signal, args);
    };
    // A failure is reported during the run, and the signal ends the rest.
    const service = await start(brokenBy('total is a string'));
    const { baseUrl, apiKey } = service;
    const onOutcome = () => signal.dispatchEvent(new Event('abort'));
    const report = await judge({ baseUrl, apiKey }, { signal, onOutcome }).finally(service.close);
    expect(report.requirements.map(({ reason }) => reason)).toContain('the run was interrupted');
  });

  test('a signal of several runs keeps no listeners', async () => {
    const { signal } = new AbortController();
    for (let run = 0; run < 3; run += 1)
      await judge({ ...unreachable, only: ['list.answers'] }, { signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
