import { decide, type Verdict } from '../../src/verdict/verdict.ts';
import { judgeAll } from '../run.ts';
import { type Fault, faulty, type Moment } from '../services/faults.ts';
import { start, withPeople } from '../services/service.ts';

/** The result of judging a conforming service whose requests or responses are lost on the way. */
export interface LostRun {
  verdict: Verdict;
  /** The reasons of failed requirements. */
  failed: string[];
  /** The reasons of unverified requirements. */
  open: string[];
  /** Bodies of creations that reached the service more than once. */
  twice: string[];
  requests: number;
}

/** Judges a conforming service that loses the requests for which `isDue` returns true. */
export async function judgeLost(
  fault: Fault,
  moment: Moment,
  isDue: (request: number) => boolean,
): Promise<LostRun> {
  const { patch, received } = faulty(fault, moment, isDue);
  const service = await start(withPeople, patch);
  // Each silence costs the whole timeout, so that is short. Any other late response comes from a
  // busy machine.
  const settings = {
    settleMs: 150,
    ...(fault === 'silence' && { timeoutMs: 1000 }),
  };
  const run = await judgeAll(service, settings).finally(service.close);
  return {
    verdict: decide(run.outcomes, { strict: false, knownFailures: [] }).verdict,
    failed: run.reasons('failed', 'MUST'),
    open: run.reasons('not-verified', 'MUST'),
    twice: received.creations.filter((body, at) => received.creations.indexOf(body) < at),
    requests: received.requests,
  };
}
