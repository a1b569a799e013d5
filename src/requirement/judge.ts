import { isAccepted } from '../history/creation.ts';
import type { CaseResult, History, Operation, SkippedCase } from '../history/history.ts';
import type { ShowText } from '../http/secrets.ts';
import { type Case, LIST } from './case.ts';
import { type Finding, named, notApplicable, notVerified } from './finding.ts';
import { type Judged, outcomeOf } from './outcome.ts';
import { casesOf, PARTS, type Requirement } from './requirement.ts';

/** The values that judging needs besides the history. */
interface JudgingOptions {
  /** All requirements, also those that are not judged. */
  all: readonly Requirement[];
  showText: ShowText;
}

/**
 * Judges requirements by a history. Pure: the same history is always judged the same. A check that
 * crashes is a fault of the suite, and its requirement is not verified.
 */
export function judge(
  requirements: readonly Requirement[],
  history: History,
  { all, showText }: JudgingOptions,
): Judged[] {
  const expectations = new Expectations(history, all);
  return requirements.map((requirement) => {
    const { slug, level } = requirement;
    try {
      const findings = findingsOf(requirement, history, expectations);
      return { slug, level, findings, outcome: outcomeOf(slug, findings, showText) };
    } catch (error) {
      const fault = showText(`the check ${slug} crashed: ${messageOf(error)}`);
      const findings = [notVerified(fault)];
      return { slug, level, findings, outcome: outcomeOf(slug, findings, showText), fault };
    }
  });
}

/** Whether a result is not as a requirement expects. */
export function isFailing({ expect }: Requirement, result: CaseResult, history: History): boolean {
  if (expect === undefined) return false;
  const findings = [expect(result, history)].flat();
  return findings.some(({ outcome }) => outcome === 'failed');
}

/** Returns the message of any value that was thrown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : `${typeof error} was thrown`;

/** The findings of `expect`, each made once however many requirements depend on it. */
class Expectations {
  readonly #history: History;
  readonly #bySlug: ReadonlyMap<string, Requirement>;
  readonly #results = new Map<string, CaseResult[]>();
  readonly #findings = new Map<string, Map<CaseResult, Finding[]>>();

  constructor(history: History, all: readonly Requirement[]) {
    this.#history = history;
    this.#bySlug = new Map(all.map((requirement) => [requirement.slug, requirement]));
    for (const result of history.results) {
      for (const slug of result.slugs) {
        const results = this.#results.get(slug);
        if (results) results.push(result);
        else this.#results.set(slug, [result]);
      }
    }
  }

  /** Returns the results of the cases of a requirement. */
  resultsOf({ slug }: Requirement): readonly CaseResult[] {
    return this.#results.get(slug) ?? [];
  }

  /** Returns what a requirement says about each result of its cases. */
  findingsOf(requirement: Requirement): ReadonlyMap<CaseResult, Finding[]> {
    const { slug, expect } = requirement;
    const known = this.#findings.get(slug);
    if (known) return known;
    const findings = new Map<CaseResult, Finding[]>();
    for (const result of this.resultsOf(requirement)) {
      if (expect) findings.set(result, [expect(result, this.#history)].flat());
    }
    this.#findings.set(slug, findings);
    return findings;
  }

  /** Returns a result of an operation that fails one of some requirements. */
  failing(slugs: readonly string[], operation: Operation): CaseResult | undefined {
    for (const slug of slugs) {
      const requirement = this.#bySlug.get(slug);
      if (requirement === undefined) continue;
      for (const [result, findings] of this.findingsOf(requirement)) {
        const isFailure = findings.some(({ outcome }) => outcome === 'failed');
        if (isFailure && result.operation === operation) return result;
      }
    }
    return undefined;
  }
}

function findingsOf(
  requirement: Requirement,
  history: History,
  expectations: Expectations,
): Finding[] {
  return [
    ...(requirement.expect ? judgeCases(requirement, history, expectations) : []),
    ...judgeHistory(requirement, history),
    ...judgeSkipped(requirement.slug, history),
  ];
}

function judgeCases(
  requirement: Requirement,
  history: History,
  expectations: Expectations,
): Finding[] {
  const { slug, unless = [] } = requirement;
  const carriedOut = new Map<Operation, CaseResult | undefined>();
  for (const { operation } of expectations.resultsOf(requirement)) {
    if (carriedOut.has(operation)) continue;
    carriedOut.set(operation, expectations.failing(unless, operation));
  }
  const findings = [...expectations.findingsOf(requirement)].flatMap(([result, own]) => {
    const failing = carriedOut.get(result.operation);
    if (failing === undefined) return judgeResult(result, own);
    const reason = `the request is carried out with ${failing.name}`;
    return [notVerified(reason, failing.exchange)];
  });
  const skipped = history.skipped.filter(({ slugs }) => slugs.includes(slug));
  const done = new Set([...expectations.resultsOf(requirement), ...skipped].map(keyOf));
  if (casesOf(requirement).every((testCase) => done.has(keyOf(testCase)))) return findings;
  return [...findings, missingFinding(history)];
}

/** Returns the text that identifies a case of a requirement. */
const keyOf = ({ operation, name }: CaseResult | SkippedCase | Case): string =>
  `${operation} ${name}`;

/** Returns the findings of a result, unless the usual request failed just before it as well. */
function judgeResult(result: CaseResult, findings: readonly Finding[]): Finding[] {
  const { control, exchange, isUnconfirmed } = result;
  if (control && !hasUsualControl(result)) {
    return [notVerified('the usual request fails as well', control.exchange, exchange)];
  }
  const namedFindings = nameCase(result, findings);
  return isUnconfirmed ? namedFindings.map(openIfFailed) : namedFindings;
}

/** Whether the usual request that was sent alone before a retry got the usual response. */
function hasUsualControl({ control, operation }: CaseResult): boolean {
  if (control === undefined) return true;
  const { read, creation, list } = control;
  if (read) return read.ok && read.record !== undefined;
  if (creation) return isAccepted(creation);
  if (operation !== LIST) return true;
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
