import { expect, test } from 'vitest';
import { judgeAll } from '../run.ts';
import { describeInstalled, SETTINGS } from './installed.ts';
import { startImplementation } from './start.ts';

describeInstalled((implementation, out) => {
  const { mayBeUnverified, mistakes } = implementation;

  test('is conformant', async () => {
    const service = await startImplementation(implementation, out());
    const run = await judgeAll(service, SETTINGS).finally(service.close);
    const unverified = mayBeUnverified ? [] : run.reasons('not-verified');
    expect([...run.reasons('failed', 'MUST'), ...unverified]).toEqual([]);
  });

  test.each(Object.entries(mistakes))(
    'with the mistake "%s" it fails %s',
    async (mistake, slug) => {
      const service = await startImplementation(implementation, out(), mistake);
      const run = await judgeAll(service, SETTINGS).finally(service.close);
      expect(run.slugs('failed', 'MUST'), run.reasons('failed').join('\n')).toContain(slug);
    },
  );
});
