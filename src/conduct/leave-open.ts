import type { Redact } from '../http/redaction.ts';
import type { Missing } from '../plan/evidence.ts';
import { missing } from '../requirement/finding.ts';
import type { Judged } from '../requirement/judge.ts';
import { outcomeOf } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';

/** Takes back what was judged, of which nobody knows any more whether it holds. */
export function leaveOpen(
  judged: Map<Requirement, Judged>,
  isOpen: (judged: Judged) => boolean,
  why: Missing,
  redact: Redact,
): void {
  for (const [requirement, before] of judged) {
    if (!isOpen(before)) continue;
    const findings = [missing(why)];
    const { slug, lookedAt } = before.outcome;
    judged.set(requirement, { requirement, findings, outcome: outcomeOf(slug, findings, redact, lookedAt) });
  }
}

export const isOpen = ({ outcome: { outcome } }: Judged) => outcome === 'not-verified';
