import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brokenBy } from '../../tests/services/named.ts';
import { start } from '../../tests/services/service.ts';
import { type JudgeSettings, judge, type Outcome, SettingsError } from './index.ts';

const KEY = 'a-key-of-some-length';
const unreachable = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: KEY };

describe('judge', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'judge-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('resolves to the report, and tells each outcome once, with known failures as such', async () => {
    const service = await start(brokenBy('total is a string'));
    const knownFailures = join(folder, 'known.yml');
    writeFileSync(knownFailures, '- { slug: list.total-integer, reason: the next release will do }\n');
    const told: Outcome[] = [];
    const report = await judge(
      { baseUrl: service.baseUrl, apiKey: service.apiKey, name: 'Mine', only: ['list.*'], knownFailures },
      { onOutcome: (outcome) => told.push(outcome) },
    ).finally(service.close);
    const ids = report.requirements.filter(({ reason }) => reason !== 'left out by a filter').map(({ id }) => id);
    expect(told.map(({ slug }) => slug).sort()).toEqual(ids.sort());
    const outcomes = Object.fromEntries(told.map(({ slug, outcome }) => [slug, outcome]));
    expect(outcomes).toMatchObject({ 'list.answers': 'passed', 'list.total-integer': 'known-failure' });
    expect(report).toMatchObject({ title: 'conformant (partial)', target: { name: 'Mine', embeddedReference: false } });
    expect(readdirSync(folder)).toEqual(['known.yml']);
  });

  test('writes the files that are asked for', async () => {
    const service = await start(brokenBy('total is a string'));
    const [reportDir, writeKnownFailures] = [join(folder, 'reports'), join(folder, 'known.json')];
    const { baseUrl, apiKey } = service;
    await judge({ baseUrl, apiKey, only: ['list.*'], reportDir, writeKnownFailures }).finally(service.close);
    expect(readdirSync(folder).sort()).toEqual(['known.json', 'reports']);
    expect(readdirSync(reportDir).sort()).toEqual([
      'badge.json',
      'conformance.json',
      'exchanges.har',
      'report.html',
      'summary.md',
    ]);
  });

  test('a service that is not there, and a run that is interrupted, are inconclusive', async () => {
    expect((await judge(unreachable)).verdict).toBe('inconclusive');
    const service = await start();
    const interrupted = judge({ baseUrl: service.baseUrl, apiKey: service.apiKey }, { signal: AbortSignal.abort() });
    expect((await interrupted.finally(service.close)).verdict).toBe('inconclusive');
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ apiKey: '' }, /^apiKey is missing: /],
    [{ baseUrl: undefined }, /^baseUrl is missing: /],
    [{ baseUrl: 'embedded-reference' }, /^baseUrl must be the address of a service/],
    [{ baseUrl: 'here' }, /^baseUrl must be an http or https address/],
    [{ timeoutMs: -1 }, /^timeoutMs is "-1": it must be a whole number/],
    [{ bodyLimitMib: 0 }, /^bodyLimitMib is "0"/],
    [{ strict: 'perhaps' }, /^strict is "perhaps"/],
    [{ only: ['nothing.*'] }, /nothing\.\*/],
    [{ strikt: true }, /^strikt is no setting here; the settings are baseUrl, apiKey, /],
    [{ reportDir: '/dev/null/reports' }, /^Reports can't be written to .*: set reportDir\.$/],
  ])('%o is a SettingsError in the words of the program', async (wrong, message) => {
    const error: Error = await judge({ ...unreachable, ...wrong } as JudgeSettings).then(
      () => new Error('none'),
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(SettingsError);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(KEY);
  });
});
