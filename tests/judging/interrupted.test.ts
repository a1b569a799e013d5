import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { oneOf } from '../services/sample.ts';
import { withPeople } from '../services/service.ts';

/** A right service gets more than 280 requests: the last of these are of the last looks. */
const PLACES = Array.from({ length: 28 }, (_, index) => 1 + 10 * index);

describe.concurrent('a run that is interrupted', () => {
  // What a step has begun and nobody waits for any more would end the process: Vitest reports it as an error of its
  // own.
  test.for(oneOf(4, PLACES))(
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
      expect(run.told('not-verified').join()).toContain('the run was interrupted');
    },
  );

  test('while it tries something again keeps what was right by then', async () => {
    const interrupt = new AbortController();
    let times = 0;
    const service = await startHere(withPeople, (patched) => {
      const { handle } = patched;
      patched.handle = (request) => {
        // No other step sends this body, whatever a run chooses.
        if (!request.body.startsWith('{"__proto__"')) return handle(request);
        times += 1;
        if (times === 1) return { status: 500 };
        interrupt.abort();
        return handle(request);
      };
    });
    const run = await judgeKept(service, {}, { signal: interrupt.signal }).finally(service.close);
    expect(run.slugs('passed')).toEqual(expect.arrayContaining(['authentication.no-token', 'create.email-required']));
    expect(run.slugs('not-verified')).toContain('create.members-required');
  });
});
