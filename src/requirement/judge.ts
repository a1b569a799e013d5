import { Check } from '../plan/check.ts';
import type { Session } from '../plan/session.ts';
import { Failure, Needs, NotApplicable, NotVerified, type Outcome } from './outcome.ts';
import { phases, type Requirement } from './requirement.ts';

/**
 * Finds the outcome of one requirement, once in a run, redacted. A check that judged nothing is not verified: it never
 * passes. Throws only what is a fault of the suite, as a plain error with a redacted message.
 */
export function judge(requirement: Requirement, session: Session): Promise<Outcome> {
  const judged = session.outcomes.get(requirement.slug) ?? findOutcome(requirement, session);
  session.outcomes.set(requirement.slug, judged);
  return judged;
}

/** Judges requirements in the order of their phases. Resolves to their outcomes. */
export async function judgeInPhases(requirements: readonly Requirement[], session: Session): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const phase of phases) {
    const ours = requirements.filter((one) => one.phase === phase);
    if (phase === 'together') outcomes.push(...(await Promise.all(ours.map((one) => judge(one, session)))));
    else for (const one of ours) outcomes.push(await judge(one, session));
  }
  return outcomes;
}

async function findOutcome(requirement: Requirement, session: Session): Promise<Outcome> {
  const { redact, end } = session.client;
  const check = new Check(session);
  const started = session.client.now();
  const outcome = (rest: Pick<Outcome, 'outcome' | 'reason' | 'evidence'> & Partial<Outcome>): Outcome => ({
    slug: requirement.slug,
    duration: Math.round(session.client.now() - started),
    exchanges: check.seen,
    ...rest,
  });
  try {
    await Promise.race([judged(requirement, check), end.reached]);
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
      const needs = error instanceof Needs ? { needs: error.slug } : {};
      return outcome({ outcome: 'not-verified', reason: redact(error.message), ...needs, evidence: error.exchanges });
    }
    throw new Error(`${requirement.slug}: ${redact(String((error as Error)?.stack ?? error))}`);
  }
}

/**
 * Runs the check on what it stands on. What it needs is found out at the same time, where checks may overlap at all, and
 * counts more than what the check found: a slow target would else be waited for twice.
 */
async function judged(requirement: Requirement, check: Check): Promise<void> {
  const { session } = check;
  // What runs first is only stood on when it was judged: a filter that leaves it out leaves out its requests, too.
  const first = session.requirements.filter(({ slug, phase }) => phase === 'first' && session.outcomes.has(slug));
  const needed = session.requirements.filter(({ slug }) => requirement.needs.includes(slug));
  if (requirement.phase !== 'first') await hold(first, session);
  if (requirement.phase !== 'together') await hold(needed, session);
  const found = requirement.check(check);
  found.catch(() => undefined);
  if (requirement.phase === 'together') await hold(needed, session);
  await found;
}

/** Throws Needs, with the slug at the root of the trouble, unless these requirements hold. */
async function hold(requirements: Requirement[], session: Session): Promise<void> {
  for (const one of requirements) {
    const { slug, outcome, needs } = await judge(one, session);
    if (outcome === 'failed') throw new Needs(slug);
    if (outcome === 'not-verified' && one.phase !== 'first') throw new Needs(needs ?? slug);
  }
}
