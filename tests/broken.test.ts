import { describe, expect, test } from 'vitest';
import { requirements } from '../specs/index.ts';
import { judgeAll } from './run.ts';
import { brokenServices } from './services/broken/index.ts';
import { start } from './services/service.ts';

describe.concurrent('broken services', () => {
  test.for(brokenServices)('$slug: $name', async ({ slug, also, patch }, { task }) => {
    const service = await start(patch);
    const run = await judgeAll(service).finally(service.close);
    task.meta.caught = run.slugs('failed');
    const failed = run.outcomes.filter(({ outcome }) => outcome === 'failed');
    const expected = [slug, ...also].sort();
    const reasons = failed.map((one) => `${one.slug}: ${one.reason}`).join('\n');
    expect(run.slugs('failed'), `what fails:\n${reasons}`).toEqual(expected);
  });
});

test('every requirement has a broken service', () => {
  const caught = new Set(brokenServices.map(({ slug }) => slug));
  expect(requirements.map(({ slug }) => slug).filter((slug) => !caught.has(slug))).toEqual([]);
});
