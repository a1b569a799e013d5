import { describe, expect, test } from 'vitest';
import { judgeKept } from '../run.ts';
import type { Broken } from '../services/broken/broken.ts';
import { brokenServices } from '../services/broken/index.ts';
import { startHere } from '../services/here.ts';

/** Of so many broken services one is judged again in the default tests. */
const SAMPLE = 40;

/** Whether a broken service is in the sample. */
export const isInSample = (service: Broken): boolean =>
  brokenServices.indexOf(service) % SAMPLE === 0;

/**
 * Judges some broken services, just started, by the command that reports print: the failed
 * requirement alone, with all requests.
 */
export function testReruns(isChosen: (service: Broken) => boolean): void {
  const titled = brokenServices
    .filter(isChosen)
    .map((service): [string, Broken] => [`${service.slug}: ${service.name}`, service]);
  describe.concurrent('the printed command shows the failure again', () => {
    test.for(titled)('%s', async ([, { slug, patch, settings }]) => {
      const service = await startHere(patch);
      const again = { only: [slug], sendsAll: true };
      const run = await judgeKept(service, settings, again).finally(service.close);
      expect(run.slugs('failed')).toEqual([slug]);
    });
  });
}
