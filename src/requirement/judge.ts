import type { Exchange } from '../http/exchange.ts';
import type { Redact } from '../http/secrets.ts';
import { Missing, messageOf, type Yields } from '../plan/evidence.ts';
import { missing, notVerified } from './finding.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { Requirement } from './requirement.ts';

/** What is judged: the outcome of a requirement with all findings that made it. */
export type Judged = ReturnType<typeof judge>;

/**
 * Judges one requirement by the evidence. Pure; a check that crashes is a fault of the suite's, one sentence, and leaves it not
 * verified.
 */
export function judge(requirement: Requirement, yields: Yields, redact: Redact) {
  const { slug, evidence } = requirement;
  try {
    const given = Object.entries(evidence).map(([name, part]) => [name, part.from(yields)] as const);
    const parts = given.filter(([name]) => !evidence[name]?.whole);
    const findings = [requirement.check(Object.fromEntries(given))].flat();
    // What only the whole run can show is not shown by a part of it.
    if (parts.length < given.length && yields.stopped) findings.push(missing(yields.stopped.why));
    const lookedAt = idsIn(parts);
    return { requirement, findings, outcome: outcomeOf(slug, findings, redact, lookedAt) };
  } catch (error) {
    const isMissing = error instanceof Missing;
    const fault = redact(`the check ${slug} crashed: ${messageOf(error)}`);
    const findings = isMissing ? [missing(error)] : [notVerified(fault)];
    const outcome = outcomeOf(slug, findings, redact);
    return { requirement, findings, outcome, ...(!isMissing && { fault }) };
  }
}

/** The ids of all exchanges in a part of the evidence. */
function idsIn(value: unknown): number[] {
  const found = new Set<number>();
  // Users and lists stand in many places: each is looked through once.
  const seen = new Set<object>();
  const look = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    if (part instanceof Map) for (const entry of part) entry.forEach(look);
    else if ('request' in part && 'attempts' in part) found.add((part as unknown as Exchange).id);
    else for (const inner of Object.values(part)) if (typeof inner === 'object') look(inner);
  };
  look(value);
  return [...found];
}

/**
 * Names the root of what could not be verified: the requirement that failed by an exchange for want of which the other could
 * not be judged, a MUST rather than a SHOULD. One fault is then one failure.
 */
export function withRoots(judged: readonly Judged[]): Outcome<Exchange>[] {
  const roots = new Map<number, string>();
  const failed = judged
    .filter(({ outcome }) => outcome.outcome === 'failed')
    .sort((a, b) => a.requirement.level.localeCompare(b.requirement.level));
  for (const { outcome, findings } of failed) {
    for (const { exchanges } of findings.filter((finding) => finding.outcome === 'failed')) {
      for (const { id } of exchanges) if (!roots.has(id)) roots.set(id, outcome.slug);
    }
  }
  return judged.map(({ outcome, findings }) => {
    if (outcome.outcome !== 'not-verified') return outcome;
    const open = findings.filter((finding) => finding.outcome === 'not-verified');
    const [needs] = open.flatMap(({ exchanges }) => exchanges.flatMap(({ id }) => roots.get(id) ?? []));
    return needs === undefined ? outcome : { ...outcome, needs, reason: `needs: ${needs}` };
  });
}

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
