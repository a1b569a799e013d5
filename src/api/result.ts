import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import type { RunOutcome } from '../conduct/conduct.ts';
import { answerTimes } from '../reports/answer-times.ts';
import { heldIn } from '../reports/baseline.ts';
import { makeReport } from '../reports/make-report.ts';
import type { Report } from '../reports/report.ts';
import type { RunResult } from '../reports/run-result.ts';
import { changesSince } from '../reports/since.ts';
import { trace } from '../reports/traced.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Settings } from '../settings/settings.ts';
import { accept } from '../verdict/accept.ts';
import { acceptUnheld } from '../verdict/baseline.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';

/** By what a run is judged besides its evidence. */
export interface Terms {
  settings: Pick<Settings, 'strict' | 'failOn'>;
  knownFailures: ListedFailure[];
  /** The report of the earlier run that this one is compared with. */
  baseline?: Report | undefined;
}

/** A run that is over: what was sent, and its outcomes. */
export interface Over extends Partial<Pick<RunOutcome, 'tally' | 'obstacle' | 'coverage' | 'reproductions'>> {
  target: Report['target'];
  readOnly: boolean;
  start: Date;
  /** Milliseconds. */
  duration: number;
  isWanted: (slug: string) => boolean;
  record: RunOutcome['record'];
  /** By slug, as the terms have them. */
  outcomes: ReadonlyMap<string, Outcome>;
}

/** What an outcome counts as by these terms: known failures and, with a baseline, old ones are accepted. */
export function accepting({ settings, knownFailures, baseline }: Terms): (outcome: Outcome) => Outcome {
  return (judged) => {
    const outcome = accept(judged, knownFailures);
    if (baseline === undefined || settings.failOn !== 'regression') return outcome;
    const { level = 'MUST' } = requirements.find(({ slug }) => slug === outcome.slug) ?? {};
    return acceptUnheld(outcome, level, { held: heldIn(baseline), strict: settings.strict });
  };
}

/** Makes the report of a run that is over, and what else is written of it. */
export function resultOf(
  run: Over,
  { settings, knownFailures, baseline }: Terms,
): Pick<RunResult, 'report' | 'traced'> {
  const { readOnly, isWanted, record, outcomes, obstacle, ...rest } = run;
  const made = makeReport({
    ...rest,
    suite,
    obstacle,
    settings: { strict: settings.strict, readOnly },
    knownFailures,
    answerTimes: answerTimes(record),
    results: requirements.map(({ check, evidence, ...requirement }) => {
      const outcome = outcomes.get(requirement.slug);
      return { requirement, leftOut: !isWanted(requirement.slug), ...(outcome && { outcome }) };
    }),
  });
  const report = baseline ? { ...made, changes: changesSince(baseline, made) } : made;
  return { report, traced: trace(record, [...outcomes.values()]) };
}
