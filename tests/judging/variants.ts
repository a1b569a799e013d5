import { describe, expect, test } from 'vitest';
import { misfit } from '../openapi.ts';
import { overhear } from '../overhear.ts';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { variants } from '../services/variants/index.ts';
import type { Variant } from '../services/variants/variant.ts';

/** The choices whose variants each test file judges. Files run in parallel. */
export const PARTS = {
  user: [
    'constraints',
    'create-answer',
    'create-request',
    'identifier',
    'list',
    'record',
    'retrieve-answer',
    'states',
  ],
  service: [
    'errors',
    'events',
    'keys',
    'lag',
    'limits',
    'operations',
    'transport',
    'versions',
    'writers',
  ],
};

/**
 * Judges the conforming variants of some choices by a default run. No MUST may fail, nothing may
 * stay unverified, and only the SHOULDs listed with a variant may fail.
 */
export function testVariants(part: keyof typeof PARTS): void {
  const titled = variants
    .filter(({ choice }) => PARTS[part].includes(choice))
    .map((variant): [string, Variant] => [`${variant.choice}: ${variant.name}`, variant]);
  describe.concurrent('conforming variants', () => {
    test.for(titled)('%s', ([, variant]) => judgeVariant(variant));
  });
}

async function judgeVariant({ patch, breaks, settings }: Variant): Promise<void> {
  const service = await startHere(patch);
  const { stop } = overhear(service.baseUrl);
  const run = await judgeKept(service, settings).finally(service.close);
  const responses = await stop();
  expect(responses.flatMap((response) => misfit(response) ?? [])).toEqual([]);
  expect(run.faults).toEqual([]);
  expect([...run.reasons('failed', 'MUST'), ...run.reasons('not-verified')]).toEqual([]);
  expect(run.slugs('failed', 'SHOULD'), run.reasons('failed').join('\n')).toEqual(
    [...breaks].sort(),
  );
}
