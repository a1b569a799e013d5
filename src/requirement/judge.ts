import type { CaseResult, History, SkippedCase } from '../history/history.ts';
import type { Redact } from '../http/secrets.ts';
import { type Case, LIST } from './case.ts';
import { type Finding, named, notApplicable, notVerified } from './finding.ts';
import { type Judged, outcomeOf } from './outcome.ts';
import {
  type CaseRequirement,
  casesOf,
  isCaseRequirement,
  PARTS,
  type Requirement,
} from './requirement.ts';

/** The values that judging needs besides the history. */
interface JudgingOptions {
  /** All requirements, also those that are not judged. */
  all: readonly Requirement[];
  redact: Redact;
}

/**
 * Judges requirements by a history. Pure: the same history is always judged the same. A check that
 * crashes is a fault of the suite, and its requirement is not verified.
 */
export function judge(
  requirements: readonly Requirement[],
  history: History,
  { all, redact }: JudgingOptions,
): Judged[] {
  return requirements.map((requirement) => {
    const { slug, level } = requirement;
    try {
      const findings = findingsOf(requirement, history, all);
      return { slug, level, findings, outcome: outcomeOf(slug, findings, redact) };
    } catch (error) {
      const fault = redact(`the check ${slug} crashed: ${messageOf(error)}`);
      const findings = [notVerified(fault)];
      return { slug, level, findings, outcome: outcomeOf(slug, findings, redact), fault };
    }
  });
}

/** Whether a result is not as a requirement expects. */
export function isFailing(
  { expect }: CaseRequirement,
  result: CaseResult,
  history: History,
): boolean {
  const findings = [expect(result, history)].flat();
  return findings.some(({ outcome }) => outcome === 'failed');
}

/** Returns the message of any value that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : `${typeof error} was thrown`;

function findingsOf(
  requirement: Requirement,
  history: History,
  all: readonly Requirement[],
): Finding[] {
  return [
    ...(isCaseRequirement(requirement) ? judgeCases(requirement, history, all) : []),
    ...judgeHistory(requirement, history),
    ...judgeSkipped(requirement.slug, history),
  ];
}

function judgeCases(
  requirement: CaseRequirement,
  history: History,
  all: readonly Requirement[],
): Finding[] {
  const { slug } = requirement;
  const results = history.results.filter(({ slugs }) => slugs.includes(slug));
  const skipped = history.skipped.filter(({ slugs }) => slugs.includes(slug));
  const findings = results.flatMap((result) => judgeResult(requirement, result, history, all));
  const isDone = (theCase: Case) =>
    [...results, ...skipped].some((result) => isOfCase(result, theCase));
  if (casesOf(requirement).every(isDone)) return findings;
  return [...findings, missingFinding(history)];
}

const isOfCase = ({ name, operation }: CaseResult | SkippedCase, theCase: Case): boolean =>
  name === theCase.name && operation === theCase.operation;

/** Judges a result, unless the service is known to accept any such request. */
function judgeResult(
  { expect, unless = [] }: CaseRequirement,
  result: CaseResult,
  history: History,
  all: readonly Requirement[],
): Finding[] {
  const failing = findFailing(result, unless, history, all);
  if (failing) {
    return [notVerified(`the request is carried out with ${failing.name}`, failing.exchange)];
  }
  const { control, exchange } = result;
  if (control && !hasUsualControl(result, history)) {
    return [notVerified('the usual request fails as well', control.exchange, exchange)];
  }
  const findings = nameCase(result, [expect(result, history)].flat());
  return result.isUnconfirmed ? findings.map(openIfFailed) : findings;
}

/** Returns a result of the same operation that fails one of some requirements. */
function findFailing(
  { operation }: CaseResult,
  slugs: readonly string[],
  history: History,
  all: readonly Requirement[],
): CaseResult | undefined {
  const requirements = all.filter(({ slug }) => slugs.includes(slug)).filter(isCaseRequirement);
  const results = history.results.filter((result) => result.operation === operation);
  return results.find((result) =>
    requirements.some(
      (requirement) =>
        result.slugs.includes(requirement.slug) && isFailing(requirement, result, history),
    ),
  );
}

/** Whether the usual request that was sent alone before a retry got the usual response. */
function hasUsualControl({ control, operation }: CaseResult, history: History): boolean {
  if (control === undefined) return true;
  const { read, creation } = control;
  if (read) return read.ok && read.record !== undefined;
  if (creation !== undefined) return history.creations[creation]?.response === 'accepted';
  if (operation !== LIST) return true;
  const list = history.lists[control.list ?? -1];
  return list?.ok === true && Object.keys(list.faults).length === 0;
}

/** Adds the case to failures that do not name it themselves. */
function nameCase({ name }: CaseResult, findings: readonly Finding[]): Finding[] {
  return findings.flatMap((finding) => {
    const isNamed = finding.outcome !== 'failed' || finding.got.includes(name);
    if (isNamed || finding.caseName !== undefined) return finding;
    return named(name, finding);
  });
}

/** Makes a failure not verified: it was only seen among concurrent requests. */
function openIfFailed(finding: Finding): Finding {
  if (finding.outcome !== 'failed') return finding;
  return notVerified(`got ${finding.got}, among other requests`, ...finding.exchanges);
}

/** Judges a requirement by its check. It is not verified if a part of the run is missing. */
function judgeHistory({ check, needs = [] }: Requirement, history: History): Finding[] {
  if (check === undefined) return [];
  const findings = [check(history)].flat();
  const parts = needs === 'everything' ? PARTS : needs;
  const isComplete = parts.every((part) => history.parts.includes(part));
  const isFailed = findings.some(({ outcome }) => outcome === 'failed');
  if (isComplete || isFailed) return findings;
  // The first finding that is not verified gives the reason.
  return [missingFinding(history), ...findings];
}

function judgeSkipped(slug: string, { skipped }: History): Finding[] {
  const cases = skipped.filter(({ slugs }) => slugs.includes(slug));
  return cases.map(({ isExcluded, reason, exchanges }) =>
    isExcluded ? notApplicable(reason) : notVerified(reason, ...exchanges),
  );
}

/** Returns a finding for a case or part that is missing because the run ended. */
function missingFinding({ stopped }: History): Finding {
  if (stopped === undefined) return notVerified('the run ended before it');
  return notVerified(stopped.reason, ...stopped.exchanges);
}
