import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { judgeKept } from '../run.ts';
import { brokenServices } from '../services/broken/index.ts';
import { startHere } from '../services/here.ts';

const musts = requirements.filter(({ level }) => level === 'MUST').map(({ slug }) => slug);

/** A broken service for each MUST. */
const services = musts.flatMap((must) => brokenServices.find(({ slug }) => slug === must) ?? []);

// A requirement that would be the root of the failure may not be judged yet.
describe.concurrent('--bail finds a broken service', () => {
  test.for(services)('$slug', async ({ patch, settings }) => {
    const service = await startHere(patch);
    const run = await judgeKept(service, settings, { bail: true }).finally(service.close);
    expect(run.slugs('failed', 'MUST')).not.toEqual([]);
  });
});

test('--bail sends no further request after a failure', async () => {
  const broken = brokenServices.find(({ name }) => name === 'total is a string');
  const service = await startHere(...(broken ? [broken.patch] : []));
  const run = await judgeKept(service, {}, { bail: true }).finally(service.close);
  const [failure] = run.outcomes.filter(({ outcome }) => outcome === 'failed');
  expect(failure?.slug).toBe('list.total-integer');
  expect(run.record.at(-1)?.id).toBe(failure?.exchanges.at(-1)?.id);
  const others = run.outcomes.filter(
    ({ outcome, level }) => outcome !== 'failed' && level === 'MUST',
  );
  const rest = others.filter(({ reason }) => /^not run: \S+ ended the run at /.test(reason));
  expect(rest.length).toBeGreaterThan(50);
});
