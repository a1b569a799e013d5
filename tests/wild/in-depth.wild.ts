import { expect, test } from 'vitest';
import { judgeThoroughly } from '../run.ts';
import { describeInstalled, SETTINGS } from './installed.ts';
import { startImplementation } from './start.ts';

const SEED = Number(process.env.WILD_SEED ?? 1);
const BOUNDS = { maxRequests: Number.POSITIVE_INFINITY, maxUsers: Number.POSITIVE_INFINITY };

describeInstalled((implementation, out) => {
  test('is conformant in depth', async () => {
    const service = await startImplementation(implementation, out());
    const run = await judgeThoroughly(service, SEED, BOUNDS, SETTINGS).finally(service.close);
    const unverified = implementation.mayBeUnverified ? [] : run.reasons('not-verified');
    expect([...run.reasons('failed', 'MUST'), ...unverified]).toEqual([]);
  });
});
