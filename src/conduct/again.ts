import { Missing } from '../plan/evidence.ts';
import { whyOpen } from '../plan/service-end.ts';
import { readRecord, yieldsOf } from '../plan/written-run.ts';
import { isOpen, type Judged, judge, leftOpen, type Outcome, withRoots } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';

/** What of a run is needed to judge it again: plain JSON, without the key. */
export interface Evidence {
  /** What the plan has shown, as `writeRecord` writes it. */
  record: unknown[];
  /** What was found out in another way, by drawn cases or about who listens at the address: it is taken as it was. */
  outcomes: Outcome[];
}

/**
 * Judges a run again by its evidence alone, and sends nothing. `absent` says why something is not there. Returns also
 * every exchange of the plan, and for each check that crashed a sentence: the evidence is not of the kind that it
 * takes. Throws where the record is none.
 */
export function judgeAgain(evidence: Evidence, requirements: readonly Requirement[], absent: string) {
  const record = readRecord(evidence.record);
  const yields = yieldsOf(record, new Missing(absent));
  // What is in the record was shown.
  const redact = (text: string, limit = text.length) => text.slice(0, limit);
  const all = requirements.map((requirement): Judged => {
    const outcome = evidence.outcomes.find(({ slug }) => slug === requirement.slug);
    // It says what else could not be verified because of it.
    if (outcome) return { requirement, outcome, findings: [outcome] };
    const judged = judge(requirement, yields, redact);
    return record.ended && isOpen(judged) ? leftOpen(judged, whyOpen(record.ended), redact) : judged;
  });
  return {
    outcomes: withRoots(all) as Outcome[],
    record: record.record,
    faults: all.flatMap(({ fault }) => fault ?? []),
  };
}
