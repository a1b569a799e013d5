import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeAll } from '../run.ts';
import { implementations, whyNot } from './implementations.ts';
import { build, startImplementation } from './start.ts';

// What is judged is a real server: it has the times that a run has.
const SETTINGS = { timeoutMs: 10_000, settleMs: 2000 };

for (const implementation of implementations) {
  const why = whyNot(implementation);
  describe.skipIf(why)(why ? `${implementation.name} (${why})` : implementation.name, () => {
    let out = '';
    beforeAll(() => {
      out = build(implementation);
    });
    afterAll(() => rmSync(out, { recursive: true, force: true }));

    test('is conformant', async () => {
      const service = await startImplementation(implementation, out);
      const run = await judgeAll(service, SETTINGS).finally(service.close);
      expect([...run.told('failed', 'MUST'), ...run.told('not-verified')]).toEqual([]);
    });

    test.each(Object.entries(implementation.mistakes))('with the mistake "%s" it fails %s', async (mistake, slug) => {
      const service = await startImplementation(implementation, out, mistake);
      const run = await judgeAll(service, SETTINGS).finally(service.close);
      expect(run.slugs('failed', 'MUST'), run.told('failed').join('\n')).toContain(slug);
    });
  });
}
