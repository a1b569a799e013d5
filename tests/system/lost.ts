import { decide, type Verdict } from '../../src/verdict/verdict.ts';
import { judgeAll } from '../run.ts';
import { type Fault, faulty, type Moment } from '../services/faults.ts';
import { start, withPeople } from '../services/service.ts';

/** What came of judging a right service behind something that loses requests or answers. */
export interface LostRun {
  verdict: Verdict;
  /** What is said against the service. */
  failed: string[];
  /** What is left open. */
  open: string[];
  /** Bodies of creations that the service got more than once. */
  twice: string[];
  requests: number;
}

/** Judges such a service. */
export async function judgeLost(
  fault: Fault,
  moment: Moment,
  isDue: (request: number) => boolean,
): Promise<LostRun> {
  const { patch, got } = faulty(fault, moment, isDue);
  const service = await start(withPeople, patch);
  // Silence costs the whole time-out, which takes many turns of the loop; of anything else a busy machine may be the
  // reason.
  const settings = {
    settleMs: 150,
    deadlineMs: 240_000,
    timeoutMs: fault === 'silence' ? 1000 : 60_000,
  };
  const run = await judgeAll(service, settings).finally(service.close);
  return {
    verdict: decide(run.outcomes, { strict: false, knownFailures: [] }).verdict,
    failed: run.reasons('failed', 'MUST'),
    open: run.reasons('not-verified', 'MUST'),
    twice: got.creations.filter((body, at) => got.creations.indexOf(body) < at),
    requests: got.requests,
  };
}
