import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { withPeople } from '../services/service.ts';

/** Places in a run, from its first request to its last lists. */
const PLACES = Array.from({ length: 14 }, (_, index) => 1 + 40 * index);

describe.concurrent('a run that is interrupted', () => {
  // A rejected promise that nobody waits for would end the process: Vitest reports it as an error.
  test.for(PLACES)(
    'at request %i ends without a fault, and nothing is said against the service',
    async (place) => {
      const interrupt = new AbortController();
      let requests = 0;
      const service = await startHere(withPeople, (patched) => {
        const { handle } = patched;
        patched.handle = (request) => {
          requests += 1;
          if (requests === place) interrupt.abort();
          return handle(request);
        };
      });
      const run = await judgeKept(service, {}, { signal: interrupt.signal }).finally(service.close);
      expect(run.faults).toEqual([]);
      expect(run.slugs('failed')).toEqual([]);
      expect(run.outcomes).toHaveLength(requirements.length);
      expect(run.reasons('not-verified').join()).toContain('the run was interrupted');
    },
  );
});
