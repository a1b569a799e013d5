import { expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { type JudgedRun, judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import type { Patch, Reply, Request } from '../services/service.ts';

async function judge(patch: Patch): Promise<JudgedRun> {
  const service = await startHere(patch);
  return judgeKept(service, { deadlineMs: 600_000 }).finally(service.close);
}

const verdictOf = ({ outcomes }: JudgedRun) =>
  decide(outcomes, { strict: false, knownFailures: [] }).verdict;

/** Responds itself to each request for which `when` is true. */
const insteadOf =
  (reply: Reply, when: (request: Request, count: number) => boolean): Patch =>
  (service) => {
    const { handle } = service;
    let count = 0;
    service.handle = (request) => {
      if (when(request, count)) return reply;
      if (!service.authorised(request)) count += 1;
      return handle(request);
    };
  };

/** A leaky bucket, as that of nginx (`limit_req`). */
const limitedTo =
  (perSecond: number, burst: number): Patch =>
  (service) => {
    const { handle } = service;
    let excess = 0;
    let last = performance.now();
    service.handle = (request) => {
      const now = performance.now();
      const more = Math.max(0, excess - ((now - last) / 1000) * perSecond) + 1;
      if (more > burst + 1)
        return { status: 503, body: '<h1>503 Service Temporarily Unavailable</h1>' };
      excess = more;
      last = now;
      return handle(request);
    };
  };

test.concurrent('a gateway with a limit on the rate conforms', async () => {
  const run = await judge(limitedTo(100, 20));
  expect(run.slugs('failed')).toEqual([]);
  expect(run.slugs('not-verified')).toEqual([]);
});

test.concurrent('a lockout of minutes after wrong keys ends the run at once, with a sentence', async () => {
  const lockedOut: Reply = { status: 429, headers: { 'retry-after': '300' } };
  const run = await judge(insteadOf(lockedOut, (_, wrongKeys) => wrongKeys >= 10));
  expect(run.slugs('failed')).toEqual([]);
  expect(verdictOf(run)).toBe('inconclusive');
  const reason = 'the target returned 429 and locks the suite out for 300 s';
  expect(run.reasons('not-verified').join()).toContain(reason);
});

test.concurrent('a maintenance is no verdict, and a sentence asks for it', async () => {
  const closed: Reply = { status: 503, headers: { 'retry-after': '120' }, body: 'Back soon' };
  const run = await judge(insteadOf(closed, () => true));
  expect(run.obstacle).toBe('the service answers 503 to everything: is it in maintenance?');
  expect(run.record).toHaveLength(1);
  expect(verdictOf(run)).toBe('inconclusive');
});
