import type { Coverage } from '../conduct/coverage.ts';
import type { Reproduction } from '../conduct/reproduction.ts';
import type { Tally } from '../conduct/tally.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { decide } from '../verdict/verdict.ts';
import type { AnswerTimes } from './answer-times.ts';
import { countsOf, LEFT_OUT, type Report, type ReportedRequirement, sentenceOf, verdictTitle } from './report.ts';
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
  const counts = countsOf(requirements);
  const obstacle = run.obstacle && sentenceOf(run.obstacle);
  const decision = decide(
    requirements.map(({ id, ...one }) => ({ slug: id, ...one })),
    { strict: run.settings.strict, knownFailures: run.knownFailures, partial: partial || scope.readOnly, obstacle },
  );
  return {
    verdict: decision.verdict,
    title: verdictTitle({ verdict: decision.verdict, scope, counts }),
    because: decision.because,
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
      toChange: decision.toChange,
    },
    observations: run.tally?.observations ?? {},
    ...(run.coverage && { coverage: run.coverage }),
    requirements,
  };
}

/** What a report says of a requirement. */
function reported({ requirement, outcome, leftOut }: Result): ReportedRequirement {
  const { slug, level, chapter, source, sentence } = requirement;
  const row = { id: slug, level, chapter, source, sentence };
  if (leftOut) return { ...row, outcome: 'not-applicable', reason: LEFT_OUT, exchanges: [] };
  if (outcome === undefined)
    return { ...row, outcome: 'not-verified', reason: 'the run ended before it', exchanges: [] };
  const { slug: _, lookedAt: __, ...rest } = outcome;
  return { ...row, ...rest };
}
