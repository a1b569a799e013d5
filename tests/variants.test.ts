import { describe, expect, test } from 'vitest';
import { serveReference } from '../reference/serve.ts';
import { judgeAll } from './run.ts';
import { start } from './services/service.ts';
import { variants } from './services/variants.ts';

describe('the reference service', () => {
  test('passes every requirement', async () => {
    const { baseUrl, close } = await serveReference('reference-key');
    const run = await judgeAll({ baseUrl, apiKey: 'reference-key' }).finally(close);
    expect(run.outcomes.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    expect(run.tally.usersCreated).toBeLessThanOrEqual(30);
    expect(run.tally.requests).toBeLessThanOrEqual(200);
  });
});

describe.concurrent('conforming variants', () => {
  test.each(variants)('$freedom: $name', async ({ patch, notVerified = [] }) => {
    const service = await start(patch);
    const run = await judgeAll(service).finally(service.close);
    const failed = run.outcomes.filter(({ outcome, level }) => outcome === 'failed' && level === 'MUST');
    expect(failed.map(({ slug, reason }) => `${slug}: ${reason}`)).toEqual([]);
    const open = run.outcomes.filter(({ outcome, slug }) => outcome === 'not-verified' && !notVerified.includes(slug));
    expect(open.map(({ slug, reason }) => `${slug}: ${reason}`)).toEqual([]);
  });
});
