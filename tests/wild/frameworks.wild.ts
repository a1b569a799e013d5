import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeAll, judgeThoroughly } from '../run.ts';
import { isThorough } from '../services/sample.ts';
import { implementations, whyNot } from './implementations.ts';
import { build, startImplementation } from './start.ts';

// What is judged is a real server: it has the times that a run has.
const SETTINGS = { timeoutMs: 10_000, settleMs: 2000 };

// `npm run test:wild -- --mode thorough`: as `--thorough` does it, but for the pause.
const SEED = Number(process.env.WILD_SEED ?? 1);
const IN_DEPTH = { maxRequests: Number.POSITIVE_INFINITY, maxUsers: Number.POSITIVE_INFINITY };

for (const implementation of implementations) {
  const why = whyNot(implementation);
  describe.skipIf(why)(why ? `${implementation.name} (${why})` : implementation.name, () => {
    let out = '';
    beforeAll(() => {
      out = build(implementation);
    });
    afterAll(() => rmSync(out, { recursive: true, force: true }));

    const { mayBeUnverified, mistakes } = implementation;
    test(isThorough ? 'is conformant in depth' : 'is conformant', async () => {
      const service = await startImplementation(implementation, out);
      const judged = isThorough
        ? judgeThoroughly(service, SEED, IN_DEPTH, SETTINGS)
        : judgeAll(service, SETTINGS);
      const run = await judged.finally(service.close);
      const unverified = mayBeUnverified ? [] : run.reasons('not-verified');
      expect([...run.reasons('failed', 'MUST'), ...unverified]).toEqual([]);
    });

    test.each(isThorough ? [] : Object.entries(mistakes))(
      'with the mistake "%s" it fails %s',
      async (mistake, slug) => {
        const service = await startImplementation(implementation, out, mistake);
        const run = await judgeAll(service, SETTINGS).finally(service.close);
        expect(run.slugs('failed', 'MUST'), run.reasons('failed').join('\n')).toContain(slug);
      },
    );
  });
}
