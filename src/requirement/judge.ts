import type { CaseResult, History } from '../history/history.ts';
import type { Redact } from '../http/secrets.ts';
import { LIST } from './case.ts';
import { type Finding, named, notApplicable, notVerified } from './finding.ts';
import { type Judged, outcomeOf } from './outcome.ts';
import {
  type CaseRequirement,
  casesOf,
  isCaseRequirement,
  PARTS,
  type Requirement,
} from './requirement.ts';

/**
 * Judges requirements by a history. Pure: the same history is judged the same, as often as one likes. A check that
 * crashes is a fault of the suite and leaves its requirement not verified.
 */
export function judge(
  wanted: readonly Requirement[],
  history: History,
  { all, redact }: { all: readonly Requirement[]; redact: Redact },
): Judged[] {
  return wanted.map((requirement) => {
    const { slug, level } = requirement;
    try {
      const findings = [
        ...(isCaseRequirement(requirement) ? judgeCases(requirement, history, all) : []),
        ...judgeHistory(requirement, history),
        ...skippedOf(slug, history),
      ];
      return { slug, level, findings, outcome: outcomeOf(slug, findings, redact) };
    } catch (error) {
      const fault = redact(`the check ${slug} crashed: ${messageOf(error)}`);
      const findings = [notVerified(fault)];
      return { slug, level, findings, outcome: outcomeOf(slug, findings, redact), fault };
    }
  });
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : `${typeof error} was thrown`;

/** Judges a requirement by its check; it is not verified if a part of the run is missing that it needs. */
function judgeHistory({ check, needs = [] }: Requirement, history: History): Finding[] {
  if (check === undefined) return [];
  const findings = [check(history)].flat();
  const needed = needs === 'everything' ? PARTS : needs;
  const isComplete = needed.every((part) => history.parts.includes(part));
  const isFailed = findings.some(({ outcome }) => outcome === 'failed');
  // The first finding that is not verified gives the reason.
  return isComplete || isFailed ? findings : [whyMissing(history), ...findings];
}

function judgeCases(
  requirement: CaseRequirement,
  history: History,
  all: readonly Requirement[],
): Finding[] {
  const { slug, expect, unless = [] } = requirement;
  const results = history.results.filter((result) => result.slugs.includes(slug));
  const skipped = history.skipped.filter((one) => one.slugs.includes(slug));
  const isMissing = casesOf(requirement).some(
    (one) =>
      !results.some((result) => isOf(result, one)) && !skipped.some((other) => isOf(other, one)),
  );
  const findings = results.flatMap((result) => {
    const open = openCase(result, unless, history, all);
    if (open) return [notVerified(`the request is carried out with ${open.name}`, open.exchange)];
    if (result.control && !isUsual(result, history)) {
      return [
        notVerified('the usual request fails as well', result.control.exchange, result.exchange),
      ];
    }
    const own = nameCase(result, [expect(result, history)].flat());
    return result.isUnconfirmed ? own.map(unconfirmed) : own;
  });
  return isMissing ? [...findings, whyMissing(history)] : findings;
}

/** A failure beside other requests that was not seen alone. */
const unconfirmed = (finding: Finding): Finding =>
  finding.outcome === 'failed'
    ? notVerified(`got ${finding.got}, among other requests`, ...finding.exchanges)
    : finding;

const isOf = (
  one: Pick<CaseResult, 'name' | 'operation'>,
  other: Pick<CaseResult, 'name' | 'operation'>,
) => one.name === other.name && one.operation === other.operation;

/** A result of one of some requirements, of the same operation, that fails: nothing else is proven then. */
function openCase(
  { operation }: CaseResult,
  slugs: readonly string[],
  history: History,
  all: readonly Requirement[],
): CaseResult | undefined {
  const requirements = all.filter(({ slug }) => slugs.includes(slug)).filter(isCaseRequirement);
  return history.results.find((result) => {
    if (result.operation !== operation) return false;
    const own = requirements.filter(({ slug }) => result.slugs.includes(slug));
    return own.some((requirement) => isFailing(requirement, result, history));
  });
}

/** Whether a result is not as a requirement expects. */
export const isFailing = (
  { expect }: CaseRequirement,
  result: CaseResult,
  history: History,
): boolean => [expect(result, history)].flat().some(({ outcome }) => outcome === 'failed');

/** Whether the usual request that was sent alone before a second try came to what it must. */
function isUsual({ control, operation }: CaseResult, { lists, creations }: History): boolean {
  if (control === undefined) return true;
  if (control.read) return control.read.ok && control.read.record !== undefined;
  if (control.creation !== undefined) return creations[control.creation]?.response === 'accepted';
  const list = lists[control.list ?? -1];
  return operation !== LIST || (list?.ok === true && Object.keys(list.faults).length === 0);
}

/** Adds the case to findings that do not name it themselves. */
const nameCase = ({ name }: CaseResult, findings: Finding[]): Finding[] =>
  findings.flatMap((finding) =>
    finding.outcome === 'failed' && !finding.got.includes(name) && finding.caseName === undefined
      ? named(name, finding)
      : finding,
  );

function skippedOf(slug: string, { skipped }: History): Finding[] {
  const own = skipped.filter((one) => one.slugs.includes(slug));
  return own.map(({ isExcluded, reason, exchanges }) =>
    isExcluded ? notApplicable(reason) : notVerified(reason, ...exchanges),
  );
}

function whyMissing({ stopped }: History): Finding {
  if (stopped === undefined) return notVerified('the run ended before it');
  return notVerified(stopped.reason, ...stopped.exchanges);
}
