import type { Outcome } from '../requirement/outcome.ts';
import { type Conduct, conduct } from './conduct.ts';

/** What came of trying a failure again. */
export interface Tries {
  failed: number;
  tried: number;
  /** Of the last try that failed, or else of the last one; absent where there was none. */
  outcome?: Outcome;
  /** Why no further one could be judged. */
  open?: string;
}

/** A failure that shows each time needs few tries, a race many; they cost the target no more than a few runs. */
const MOST = { failed: 3, tried: 10, requests: 1000 };

/**
 * Makes the same run again and again, with all that it needs anew, until a requirement has failed three times or was
 * tried often enough. Throws where the suite itself crashes.
 */
export async function tryAgain(options: Conduct, slug: string, most: Partial<typeof MOST> = {}): Promise<Tries> {
  const bounds = { ...MOST, ...most };
  const tries: Tries = { failed: 0, tried: 0 };
  let requests = 0;
  while (tries.failed < bounds.failed && tries.tried < bounds.tried && requests < bounds.requests) {
    const { outcomes, tally, faults } = await conduct(options);
    const [fault] = faults;
    if (fault !== undefined) throw new Error(fault);
    const outcome = outcomes.find((one) => one.slug === slug);
    const isExcluded = options.settings.readOnly && outcome?.outcome === 'not-applicable';
    if (outcome === undefined || outcome.outcome === 'not-verified' || isExcluded) {
      return { ...tries, open: outcome?.reason ?? 'it is no requirement' };
    }
    requests += tally.requests;
    tries.tried += 1;
    if (outcome.outcome === 'failed') tries.failed += 1;
    if (outcome.outcome === 'failed' || tries.failed === 0) tries.outcome = outcome;
  }
  return tries;
}
