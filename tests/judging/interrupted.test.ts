import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { withPeople } from '../services/service.ts';
import { otherUser, pagesOfFive } from '../services/writers.ts';

/** Positions in a run, in percent of its requests. */
const PLACES = [0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77, 84, 91];

async function judgeUpTo(isLast: (requests: number) => boolean) {
  const interrupt = new AbortController();
  let requests = 0;
  const service = await startHere(withPeople, (patched) => {
    const { handle } = patched;
    patched.handle = (request) => {
      requests += 1;
      if (isLast(requests)) interrupt.abort();
      return handle(request);
    };
  });
  const run = await judgeKept(service, {}, { signal: interrupt.signal }).finally(service.close);
  return { run, requests };
}

const wholeRun = judgeUpTo(() => false);

describe.concurrent('a run that is interrupted', () => {
  // Vitest also reports a rejected promise without a handler as an error.
  test.for(PLACES)(
    'after %i percent of its requests ends without a fault, and nothing is said against the service',
    async (place) => {
      const whole = await wholeRun;
      const last = 1 + Math.floor((whole.requests * place) / 100);
      const { run } = await judgeUpTo((requests) => requests === last);
      expect(run.faults).toEqual([]);
      expect(run.slugs('failed')).toEqual([]);
      expect(run.outcomes).toHaveLength(requirements.length);
      expect(run.reasons('not-verified').join()).toContain('the run was interrupted');
    },
  );
});

/** Rejected creations that are sent again one after the other only to compare the totals. */
const MANY_REPEATED = 12;

test('what another client writes is not the effect of the last requests of an interrupted run', async () => {
  const interrupt = new AbortController();
  const rejected = new Set<string>();
  let repeated = 0;
  const service = await startHere(pagesOfFive, (patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      patched.users.push(otherUser(patched.users.length));
      const reply = await handle(request);
      const isRejected = request.method === 'POST' && reply.status === 400;
      if (!isRejected && repeated >= MANY_REPEATED) void turn().then(() => interrupt.abort());
      repeated = isRejected && rejected.has(request.body) ? repeated + 1 : 0;
      if (isRejected) rejected.add(request.body);
      return reply;
    };
  });
  const run = await judgeKept(service, {}, { signal: interrupt.signal }).finally(service.close);
  expect(run.slugs('failed')).toEqual([]);
  expect(run.slugs('not-verified')).toContain('list.total-counts-creations');
});
