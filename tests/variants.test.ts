import { describe, expect, test } from 'vitest';
import { serveReference } from '../reference/serve.ts';
import { freedoms } from '../specs/freedoms.ts';
import { judgeAll, judgeKept } from './run.ts';
import { start } from './services/service.ts';
import { variants } from './services/variants/index.ts';

test('the reference service passes every requirement, with few requests and users', async () => {
  const { baseUrl, close } = await serveReference('reference-key');
  const run = await judgeAll({ baseUrl, apiKey: 'reference-key' }).finally(close);
  expect(run.outcomes.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(run.tally.usersCreated).toBeLessThanOrEqual(40);
  expect(run.tally.requests).toBeLessThanOrEqual(250);
});

describe.concurrent('conforming variants', () => {
  test.each(variants)('$freedom: $name', async ({ patch }) => {
    const service = await start(patch);
    const run = await judgeKept(service).finally(service.close);
    const failed = run.outcomes.filter(({ outcome, level }) => outcome === 'failed' && level === 'MUST');
    expect(failed.map(({ slug, reason }) => `${slug}: ${reason}`)).toEqual([]);
    const open = run.outcomes.filter(({ outcome }) => outcome === 'not-verified');
    expect(open.map(({ slug, reason }) => `${slug}: ${reason}`)).toEqual([]);
  });
});

test('every freedom has a variant, and every variant a freedom', () => {
  const used = new Set(variants.map(({ freedom }) => freedom));
  expect([...used].sort()).toEqual(freedoms.map(({ slug }) => slug).sort());
});
