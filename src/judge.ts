import { Check } from './check.ts';
import { Failure, NotApplicable, NotVerified, type Outcome } from './outcome.ts';
import type { Requirement } from './requirement.ts';
import type { Session } from './session.ts';

/**
 * Runs one check to its outcome, redacted. A check that judged nothing is not verified: it never passes. Throws only
 * what is a fault of the suite, as a plain error with a redacted message.
 */
export async function judge(requirement: Requirement, session: Session): Promise<Outcome> {
  const { redact } = session.client;
  const check = new Check(session);
  const started = session.client.now();
  const outcome = (rest: Pick<Outcome, 'outcome' | 'reason' | 'evidence'> & Partial<Outcome>): Outcome => ({
    slug: requirement.slug,
    duration: Math.round(session.client.now() - started),
    exchanges: check.seen,
    ...rest,
  });
  try {
    await Promise.race([requirement.check(check), session.client.deadlinePassed]);
    if (check.judged > 0) return outcome({ outcome: 'passed', reason: '', evidence: [] });
    return outcome({ outcome: 'not-verified', reason: 'the check found nothing to judge', evidence: check.seen });
  } catch (error) {
    if (error instanceof Failure) {
      const [expected, got] = [redact(error.finding.expected), redact(error.finding.got)];
      const reason = `expected ${expected}, got ${got}`;
      return outcome({ outcome: 'failed', reason, expected, got, evidence: error.finding.exchanges });
    }
    if (error instanceof NotApplicable) {
      return outcome({ outcome: 'not-applicable', reason: redact(error.message), evidence: [] });
    }
    if (error instanceof NotVerified) {
      return outcome({ outcome: 'not-verified', reason: redact(error.message), evidence: error.exchanges });
    }
    throw new Error(
      `${requirement.slug}: the suite itself failed: ${redact(String((error as Error)?.stack ?? error))}`,
    );
  }
}
