import type { Coverage } from '../conduct/coverage.ts';
import type { Reproduction } from '../conduct/reproduction.ts';
import type { Tally } from '../conduct/tally.ts';
import type { Outcome, OutcomeName } from '../requirement/outcome.ts';
import type { Level, RequirementInfo } from '../requirement/requirement.ts';
import type { EntryToChange } from '../verdict/entries-to-change.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { counted, decide } from '../verdict/verdict.ts';
import type { AnswerTimes } from './answer-times.ts';
import { LEFT_OUT, OUTCOMES, type Report, type ReportedRequirement, sentenceOf } from './report.ts';
import { roomFor } from './room.ts';

/** What is known of a requirement before and after its check. */
export interface Result {
  requirement: RequirementInfo;
  /** Absent when a filter left it out, or the run ended before it. */
  outcome?: Outcome;
  leftOut: boolean;
}

/** What a run is made of, for its report. */
export interface Run {
  suite: Report['suite'];
  target: Report['target'];
  settings: { strict: boolean; readOnly: boolean };
  knownFailures: ListedFailure[];
  start: Date;
  duration: number;
  /** Absent when nothing was carried out. */
  tally?: Tally;
  answerTimes: AnswerTimes;
  coverage?: Coverage;
  /** By slug. */
  reproductions?: Record<string, Reproduction>;
  results: Result[];
  /** Why nothing could be judged of the target, as a clause or a sentence. */
  obstacle?: string | undefined;
}

/** Makes the report of a run. Pure. */
export function makeReport(run: Run): Report {
  const shown = roomFor();
  const requirements = run.results.map((result) => {
    const { exchanges, ...one } = reported(result);
    const reproduction = run.reproductions?.[one.id];
    return { ...one, ...(reproduction && { reproduction }), exchanges: exchanges.map(shown) };
  });
  const partial = run.results.some(({ leftOut }) => leftOut);
  const scope = { partial, readOnly: run.settings.readOnly, strict: run.settings.strict };
  const obstacle = run.obstacle && sentenceOf(run.obstacle);
  const { toChange, counts, ...decided } = decideOn(
    { requirements, scope, ...(obstacle && { obstacle }) },
    run.knownFailures,
  );
  return {
    ...decided,
    ...(obstacle && { obstacle }),
    suite: run.suite,
    target: run.target,
    scope,
    start: run.start.toISOString(),
    duration: Math.round(run.duration),
    ...(run.tally?.ownTime !== undefined && { ownTime: run.tally.ownTime }),
    requests: run.tally?.requests ?? 0,
    users: { created: run.tally?.usersCreated ?? 0, tag: run.tally?.tag ?? '' },
    answerTimes: run.answerTimes,
    counts,
    knownFailures: {
      listed: run.knownFailures.map(({ file, line, expired, ...entry }) => entry),
      toChange,
    },
    observations: run.tally?.observations ?? {},
    ...(run.coverage && { coverage: run.coverage }),
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

/** What a report says of a requirement. */
export function reported({ requirement, outcome, leftOut }: Result): ReportedRequirement {
  const { slug, level, chapter, source, sentence } = requirement;
  const row = { id: slug, level, chapter, source, sentence };
  if (leftOut) return { ...row, outcome: 'not-applicable', reason: LEFT_OUT, exchanges: [] };
  if (outcome === undefined)
    return { ...row, outcome: 'not-verified', reason: 'the run ended before it', exchanges: [] };
  const { slug: _, lookedAt: __, ...rest } = outcome;
  return { ...row, ...rest };
}
