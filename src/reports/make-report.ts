import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import type { Level, RequirementInfo } from '../requirement/requirement.ts';
import type { EntryToChange } from '../verdict/entries-to-change.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { counted, decide, type Terms } from '../verdict/verdict.ts';
import { LEFT_OUT, OUTCOMES, type Report, type ReportedRequirement, sentenceOf } from './report.ts';
import { roomForExchanges } from './room.ts';
import type { RunFacts } from './run-file.ts';

/** Makes the report of a run. Pure. */
export function makeReport(
  { suite, target, readOnly, start, duration, tally, coverage, obstacle: why }: RunFacts,
  rows: readonly ReportedRequirement[],
  { strict, knownFailures }: Terms,
): Report {
  const shown = roomForExchanges();
  const requirements = rows.map(({ exchanges, ...one }) => ({ ...one, exchanges: exchanges.map(shown) }));
  const scope = { partial: rows.some(({ reason }) => reason === LEFT_OUT), readOnly, strict };
  const told = why === undefined ? {} : { obstacle: sentenceOf(why) };
  const { toChange, counts, ...decided } = decideOn({ requirements, scope, ...told }, knownFailures);
  return {
    ...decided,
    ...told,
    suite,
    target,
    scope,
    start,
    duration,
    requests: tally.requests,
    users: { created: tally.usersCreated, tag: tally.tag },
    counts,
    knownFailures: { listed: knownFailures.map(({ file, line, expired, ...entry }) => entry), toChange },
    observations: tally.observations,
    ...(coverage && { coverage }),
    requirements,
  };
}

/** What follows from the outcomes: the verdict in words, and the counts. Pure. */
export function decideOn(
  { requirements, scope, obstacle }: Pick<Report, 'requirements' | 'scope' | 'obstacle'>,
  knownFailures: readonly ListedFailure[],
): Pick<Report, 'verdict' | 'title' | 'because' | 'counts'> & { toChange: EntryToChange[] } {
  const partial = scope.partial || scope.readOnly;
  const judged = requirements.map(({ id, ...one }) => ({ slug: id, ...one }));
  const { verdict, because, toChange } = decide(judged, { strict: scope.strict, knownFailures, partial, obstacle });
  const counts = countsOf(requirements);
  return { verdict, title: verdictTitle({ verdict, scope, counts }), because, counts, toChange };
}

/** How many requirements of each level have each outcome. */
function countsOf(requirements: readonly ReportedRequirement[]): Report['counts'] {
  const count = (level: Level) =>
    Object.fromEntries(
      OUTCOMES.map((name) => [name, requirements.filter((one) => one.level === level && one.outcome === name).length]),
    ) as Record<OutcomeName, number>;
  return { MUST: count('MUST'), SHOULD: count('SHOULD') };
}

/** The verdict in words: a run that is filtered or read-only, or has known failures, is never just "conformant". */
export function verdictTitle({ verdict, scope, counts }: Pick<Report, 'verdict' | 'scope' | 'counts'>): string {
  const limits = [...(scope.partial ? ['partial'] : []), ...(scope.readOnly ? ['read-only'] : [])];
  const title = limits.length === 0 ? verdict : `${verdict} (${limits.join(', ')})`;
  const known = counts.MUST['known-failure'] + counts.SHOULD['known-failure'];
  return verdict === 'conformant' && known > 0 ? `${title}, with ${counted(known, 'known failure')}` : title;
}

/** What a report says of a requirement; without an outcome: that the run ended before it. */
export function reported(requirement: RequirementInfo, outcome?: Outcome): ReportedRequirement {
  const { slug: id, level, chapter, source, sentence } = requirement;
  const row = { id, level, chapter, source, sentence };
  if (!outcome) return { ...row, outcome: 'not-verified', reason: 'the run ended before it', exchanges: [] };
  const { slug: _, lookedAt: __, ...rest } = outcome;
  return { ...row, ...rest };
}
