import { requirements } from '../../specs/index.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { changesSince, heldIn } from '../reports/changes.ts';
import { LEFT_OUT, makeReport, type ReportedRequirement, reported } from '../reports/report.ts';
import { type RunFile, type RunResult, trace } from '../reports/run-result.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Settings } from '../settings/settings.ts';
import { accept, acceptUnheld } from '../verdict/known-failures.ts';
import type { RunInput } from './run.ts';

/** By what a run is judged besides its evidence. */
export type Terms = Pick<RunInput, 'knownFailures' | 'baseline'> & { settings: Pick<Settings, 'strict' | 'failOn'> };

/** What an outcome counts as by these terms: known failures and, with a baseline, old ones are accepted. */
export function accepting({ settings, knownFailures, baseline }: Terms): (outcome: Outcome) => Outcome {
  return (judged) => {
    const outcome = accept(judged, knownFailures);
    if (baseline === undefined || settings.failOn !== 'regression') return outcome;
    const { level = 'MUST' } = requirements.find(({ slug }) => slug === outcome.slug) ?? {};
    return acceptUnheld(outcome, level, heldIn(baseline), settings.strict);
  };
}

/**
 * Makes what every report is made of from a run that is over: its evidence as it is shown, and the outcomes by slug, as
 * the terms have them.
 */
export function resultOf(
  run: Omit<RunFile, 'format' | 'record' | 'outcomes'>,
  { record, outcomes }: { record: readonly ShownExchange[]; outcomes: ReadonlyMap<string, Outcome> },
  { settings, knownFailures, baseline }: Terms,
): RunResult {
  const { leftOut, reproductions, created, faults } = run;
  const rows = requirements.map((one): ReportedRequirement => {
    const { slug } = one;
    const reproduction = reproductions?.[slug];
    const left: Outcome = { slug, outcome: 'not-applicable', reason: LEFT_OUT, exchanges: [], lookedAt: [] };
    return {
      ...reported(one, leftOut.includes(slug) ? left : outcomes.get(slug)),
      ...(reproduction && { reproduction }),
    };
  });
  const made = makeReport(run, rows, { strict: settings.strict, knownFailures });
  const report = baseline ? { ...made, changes: changesSince(baseline, made) } : made;
  return { report, traced: trace(record, [...outcomes.values()]), created, faults };
}
