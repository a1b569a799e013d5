import type { ShownExchange } from '../http/exchange.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { counted, type Decision, decide, type Terms } from '../verdict/verdict.ts';
import { earlyEndOf, sentenceWithStep } from './advice.ts';
import { becauseOf } from './because.ts';
import { byteBudget, EXCHANGE_BYTES, withoutContent } from './budget.ts';
import { repeatLines } from './curl.ts';
import type { Counts, Report, ReportedRequirement, RunFacts } from './report.ts';
import { hasSentAll, LEFT_OUT, limitsOf } from './selection.ts';
import { sanitizedJson } from './text.ts';

/** Makes the report of a run. Pure. */
export function makeReport(
  facts: RunFacts,
  rows: ReportedRequirement[],
  { strict, knownFailures }: Terms,
): Report {
  const { suite, target, readOnly, start, duration, tally, coverage } = facts;
  const requirements = shortened(rows);
  const partial = rows.some(({ reason }) => reason === LEFT_OUT);
  const sentAll = partial && facts.sentAll;
  const scope = { partial, readOnly, strict, ...(sentAll && { sentAll }) };
  const obstacle =
    facts.obstacle === undefined ? {} : { obstacle: sentenceWithStep(facts.obstacle) };
  const { toChange, counts, verdict, title, because } = summarizeOutcomes(
    { requirements, scope, duration, ...obstacle },
    knownFailures,
  );
  return {
    verdict,
    title,
    because,
    ...obstacle,
    suite,
    target,
    scope,
    start,
    duration,
    requests: tally.requests,
    // A web page with the status 200 has not created a user.
    users: { created: facts.obstacle === undefined ? tally.usersCreated : 0, tag: tally.tag },
    counts,
    knownFailures: {
      listed: knownFailures.map(({ file, line, expired, ...entry }) => entry),
      toChange,
    },
    observations: tally.observations,
    ...(coverage && { coverage }),
    requirements,
  };
}

/** The parts of a report that follow from the outcomes. */
interface OutcomeSummary extends Decision, Pick<Report, 'title' | 'because' | 'counts'> {}

/**
 * Returns the parts of a report that follow from the outcomes. The title of a run that is filtered,
 * read-only or strict, or that has known failures, is never just "conformant". Pure.
 */
export function summarizeOutcomes(
  run: Pick<Report, 'requirements' | 'scope' | 'obstacle' | 'duration'>,
  knownFailures: Terms['knownFailures'],
): OutcomeSummary {
  const { requirements, scope, duration } = run;
  const judged = requirements.map(({ id, ...row }) => ({ slug: id, ...row }));
  const terms = { strict: scope.strict, knownFailures, sentAll: hasSentAll(scope) };
  const decision = decide(judged, terms);
  const counts = countOutcomes(requirements);
  const known = counts.MUST['known-failure'] + counts.SHOULD['known-failure'];
  const limits = [limitsOf(scope), earlyEndOf(requirements, duration)?.words ?? []].flat();
  let title: string = decision.verdict;
  if (limits.length > 0) title += ` (${limits.join(', ')})`;
  if (decision.verdict === 'conformant' && known > 0)
    title += `, with ${counted(known, 'known failure')}`;
  return { ...decision, title, because: becauseOf(run, decision), counts };
}

function countOutcomes(requirements: readonly ReportedRequirement[]): Counts {
  const none = {
    passed: 0,
    failed: 0,
    'not-applicable': 0,
    'not-verified': 0,
    'known-failure': 0,
  };
  const counts = { MUST: { ...none }, SHOULD: { ...none } };
  for (const { level, outcome } of requirements) counts[level][outcome] += 1;
  return counts;
}

/** The most characters of a line that repeats a failure. */
const MAX_LINE = 4000;

/** Returns the row of a requirement; without an outcome, the run ended before the requirement. */
export function reportRequirement(
  requirement: RequirementInfo,
  baseUrl: string,
  outcome?: Outcome,
): ReportedRequirement {
  const { slug: id, level, chapter, source, sentence } = requirement;
  const row = { id, level, chapter, source, sentence };
  if (!outcome)
    return { ...row, outcome: 'not-verified', reason: 'the run ended before it', exchanges: [] };
  const { slug: _, lookedAt: __, recipe = [], ...rest } = outcome;
  const repeat = repeatLines(recipe, baseUrl);
  const isShown = repeat.length > 0 && repeat.every(({ length }) => length <= MAX_LINE);
  return { ...row, ...rest, ...(isShown && { repeat }) };
}

/** Returns rows in which exchanges beyond the limit have no content. */
function shortened(rows: readonly ReportedRequirement[]): ReportedRequirement[] {
  const budget = byteBudget(EXCHANGE_BYTES);
  const shorten = (exchange: ShownExchange) => {
    const size = Buffer.byteLength(sanitizedJson(exchange));
    return budget(exchange, withoutContent(exchange), size);
  };
  return rows.map(({ exchanges, ...row }) => ({ ...row, exchanges: exchanges.map(shorten) }));
}
