import { requirements } from '../../specs/index.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { changesSince, heldIn } from '../reports/changes.ts';
import { LEFT_OUT, makeReport, type ReportedRequirement, reported } from '../reports/report.ts';
import { type RunFile, type RunResult, trace } from '../reports/run-result.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Settings } from '../settings/settings.ts';
import { accept } from '../verdict/known-failures.ts';
import type { RunInput } from './run.ts';

/** By what a run is judged besides its evidence. */
export type Terms = Pick<RunInput, 'knownFailures' | 'baseline'> & { settings: Pick<Settings, 'strict' | 'failOn'> };

/** What an outcome counts as by these terms: known failures and, with a baseline, old ones are accepted. */
export function accepting({ settings: { strict, failOn }, knownFailures, baseline }: Terms) {
  const held = baseline && failOn === 'regression' ? heldIn(baseline) : undefined;
  const counting = requirements.filter(({ level }) => level === 'MUST' || strict).map(({ slug }) => slug);
  const isOld = (slug: string) => held !== undefined && counting.includes(slug) && !held.has(slug);
  return (outcome: Outcome) => accept(outcome, knownFailures, isOld);
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
