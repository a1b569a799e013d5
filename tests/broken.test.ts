import { describe, expect, test } from 'vitest';
import { requirements } from '../specs/index.ts';
import { judgeAll } from './run.ts';
import { brokenServices } from './services/broken/index.ts';
import { start } from './services/service.ts';

describe.concurrent('broken services', () => {
  test.for(brokenServices)('$slug: $name', async ({ slug, also, patch, settings }, { task }) => {
    const service = await start(patch);
    const run = await judgeAll(service, settings).finally(service.close);
    task.meta.caught = run.slugs('failed');
    const failed = run.outcomes.filter(({ outcome }) => outcome === 'failed');
    const expected = [slug, ...also].sort();
    const told = [...failed, ...run.outcomes.filter((one) => one.slug === slug && one.outcome !== 'failed')];
    const reasons = told.map((one) => `${one.slug}: ${one.outcome}, ${one.reason}`).join('\n');
    expect(run.slugs('failed'), `what fails:\n${reasons}`).toEqual(expected);
  });
});

describe('no check is idle', () => {
  test.each(requirements)('$slug alone catches a service', ({ slug }) => {
    const caughtByItAlone = brokenServices.filter((one) => one.slug === slug && one.also.length === 0);
    expect(caughtByItAlone.length).toBeGreaterThan(0);
  });

  test.each(requirements.filter(({ level }) => level === 'MUST'))('$slug catches two kinds of fault', ({ slug }) => {
    expect(brokenServices.filter((one) => one.slug === slug).length).toBeGreaterThan(1);
  });
});
