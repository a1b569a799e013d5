import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { secretsOf } from '../http/secrets.ts';
import { changesSince, slugsThatHeld } from '../reports/changes.ts';
import {
  makeReport,
  type Report,
  type ReportedRequirement,
  reportRequirement,
} from '../reports/report.ts';
import { FORMAT, type RunFile, type RunResult, trace } from '../reports/run-result.ts';
import { LEFT_OUT } from '../reports/selection.ts';
import { sanitizeLine } from '../reports/text.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { StartedService } from '../run/away.ts';
import { type ConductOptions, conduct } from '../run/conduct.ts';
import { estimateRequests, planFor } from '../run/plan.ts';
import { SettingsError } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import { ownOnly } from '../settings/own.ts';
import { select } from '../settings/selection.ts';
import type { Settings, Target } from '../settings/settings.ts';
import type { Progress } from '../thorough/explore.ts';
import { accept, type ListedFailure } from '../verdict/verdict.ts';
import { withGuides } from './guides.ts';

/** What a run needs to know. */
export interface RunInput {
  target: Target;
  /** Whether the target is the suite's own reference service. */
  isEmbedded?: boolean;
  settings: Omit<Settings, 'target'>;
  knownFailures: ListedFailure[];
  /** The report of the earlier run that this one is compared with. */
  baseline?: Report | undefined;
  /** The service that the suite itself has started. */
  service?: StartedService | undefined;
}

/**
 * Callbacks that follow a run, and a signal that ends it early: requirements that were not judged
 * by then are not verified. The reason of the signal may be a Breakdown. Known failures are
 * accepted in the outcomes of `onOutcome`.
 */
type RunOptions = Pick<ConductOptions, 'onOutcome' | 'onStart' | 'onRest' | 'signal'> & {
  /** Called at the beginning of each part of a thorough run. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with the result. The known failures that it returns are accepted instead. */
  revise?: Revise | undefined;
};

/** Returns other known failures by which a run is to be judged; undefined to keep those it has. */
export type Revise = (result: RunResult) => ListedFailure[] | undefined;

/** Why a run is ended by the suite: it crashed by an error that nobody caught, its cause. */
export class Breakdown extends Error {}

/**
 * Makes one run in this process: sends the requests, judges, and puts the report together. Rejects with a SettingsError
 * where the selection names no requirement, and never for what a target does or for what breaks in the suite: that is a
 * fault of the result.
 */
export async function makeRun(
  { target, isEmbedded = false, settings, knownFailures, baseline, service }: RunInput,
  {
    onOutcome = () => {},
    onStart,
    onRest,
    onProgress,
    revise = () => undefined,
    signal = new AbortController().signal,
  }: RunOptions = {},
): Promise<RunResult> {
  const { selection } = settings;
  const selected = select(requirements, selection);
  const isWanted = (slug: string) => selected.some((one) => one.slug === slug);
  requireTime(settings);
  const musts = new Set(
    requirements.flatMap(({ level, slug }) => (level === 'MUST' ? [slug] : [])),
  );
  const start = { date: new Date(), clock: performance.now() };
  const outcomes = new Map<string, Outcome>();
  const terms = { settings, knownFailures, baseline };
  const accepted = accepting(terms);
  const ended = new AbortController();
  const explorer = await explorerFor(settings, isWanted, onProgress);
  const conducting = conduct(
    ownOnly({
      requirements,
      isWanted,
      target,
      settings,
      ...(explorer && { explore: explorer.explore }),
      signal,
      ...(service && { service }),
      onStart,
      onRest,
      ...(settings.bail && {
        isEnough: (judged: Outcome) =>
          musts.has(judged.slug) && accepted(judged).outcome === 'failed',
      }),
      onOutcome: (judged) => {
        outcomes.set(judged.slug, judged);
        onOutcome(accepted(judged));
      },
    }),
  );
  const until = { signal: ended.signal };
  // After the suite crashed, a run has five seconds to end by itself.
  const givenUp = once(signal, 'abort', until).then(() =>
    signal.reason instanceof Breakdown ? sleep(5000, undefined, until) : conducting,
  );
  const errors: unknown[] = [];
  const conducted = await Promise.race([conducting, givenUp]).catch(
    (error) => void errors.push(error),
  );
  ended.abort();
  if (signal.reason instanceof Breakdown) errors.unshift(signal.reason.cause);
  const told = (error: unknown) => {
    // The rest is a trace.
    const [line = ''] = (error instanceof Error ? error.message : `${error}`).split('\n');
    return secretsOf(target).redact(sanitizeLine(line));
  };
  const faults = [...(conducted?.faults ?? []), ...errors.slice(0, 1).map(told)];
  const { history, record: sent, outcomes: final = [], ...facts } = conducted ?? {};
  // A failure that was told during the run may have been seen more often by its end.
  for (const outcome of final) outcomes.set(outcome.slug, outcome);
  const coverage = explorer?.coverage();
  const record = sent ?? [...outcomes.values()].flatMap(({ exchanges }) => exchanges);
  const address = isEmbedded ? 'embedded reference' : new URL(target.baseUrl).host;
  const over = {
    tally: { tag: '', start: start.date.getTime(), requests: 0, usersCreated: 0, observations: {} },
    created: [],
    ...facts,
    ...(coverage && { coverage }),
    faults,
    suite,
    target: {
      name: settings.name ?? address,
      baseUrl: target.baseUrl,
      embeddedReference: isEmbedded,
    },
    readOnly: settings.readOnly,
    start: start.date.toISOString(),
    duration: Math.round(performance.now() - start.clock),
    leftOut: requirements.filter((one) => !selected.includes(one)).map(({ slug }) => slug),
  };
  const resultBy = (by: Terms) => {
    const accept = accepting(by);
    const judged = new Map([...outcomes].map(([slug, one]) => [slug, accept(one)]));
    return resultOf(over, { record, outcomes: judged }, by);
  };
  const first = resultBy(terms);
  const revised = revise(first);
  const last = revised ? resultBy({ ...terms, knownFailures: revised }) : first;
  const result = await withGuides(last);
  try {
    return { ...result, ...(history && { run: { ...over, format: FORMAT, history: history() } }) };
  } catch (error) {
    // What was judged is not lost for it.
    return {
      ...result,
      faults: [...faults, `the record of the run can't be made: ${told(error)}`],
    };
  }
}

/** Throws a SettingsError if the requests of a run do not fit into its deadline. */
export function requireTime({ selection, rate, deadlineMs }: RunInput['settings']): void {
  if (rate === undefined) return;
  const plan = planFor(select(requirements, selection), requirements);
  const requests = estimateRequests(plan);
  const neededMs = (requests / rate) * 1000;
  if (neededMs <= deadlineMs) return;
  const rateName = nameOf('CONFORMANCE_RATE');
  const deadlineName = nameOf('CONFORMANCE_DEADLINE_MS');
  const enoughMs = Math.ceil((neededMs * 1.5) / 1000) * 1000;
  throw new SettingsError(
    `At ${rate} requests a second (${rateName}), the run takes longer than its deadline of ` +
      `${deadlineMs} ms: raise ${deadlineName} to ${enoughMs}, or raise ${rateName}.`,
  );
}

/** Makes the explorer of a thorough run; undefined for any other run. */
async function explorerFor(
  { thorough: isThorough, seed, budgetMs, maxRequests, maxUsers }: RunInput['settings'],
  isWanted: (slug: string) => boolean,
  onProgress: RunOptions['onProgress'],
) {
  if (!isThorough || seed === undefined) return undefined;
  // fast-check takes longer to load than a run on a fast service.
  const { makeExplorer } = await import('../thorough/explore.ts');
  const { thorough } = await import('../../specs/thorough/index.ts');
  const bounds = { budgetMs, maxRequests, maxUsers };
  const options = { ...bounds, seed, requirements, isWanted, thorough };
  return makeExplorer({ ...options, ...(onProgress && { onProgress }) });
}

/** Settings by which a run is judged. */
export type Terms = Pick<RunInput, 'knownFailures' | 'baseline'> & {
  settings: Pick<Settings, 'strict' | 'failOn'>;
};

/** What an outcome counts as by these terms: known failures and, with a baseline, old ones are accepted. */
export function accepting({ settings: { strict, failOn }, knownFailures, baseline }: Terms) {
  const held = baseline && failOn === 'regression' ? slugsThatHeld(baseline) : undefined;
  const counting = requirements
    .filter(({ level }) => level === 'MUST' || strict)
    .map(({ slug }) => slug);
  const isOld = (slug: string) => held !== undefined && counting.includes(slug) && !held.has(slug);
  return (outcome: Outcome) => accept(outcome, knownFailures, isOld);
}

/**
 * Makes what every report is made of from a run that is over: its evidence as it is shown, and the outcomes by slug, as
 * the terms have them.
 */
export function resultOf(
  run: Omit<RunFile, 'format' | 'history'>,
  {
    record,
    outcomes,
  }: { record: readonly ShownExchange[]; outcomes: ReadonlyMap<string, Outcome> },
  { settings, knownFailures, baseline }: Terms,
): RunResult {
  const { leftOut, created, faults } = run;
  const rows = requirements.map((one): ReportedRequirement => {
    const { slug } = one;
    const left: Outcome = {
      slug,
      outcome: 'not-applicable',
      reason: LEFT_OUT,
      exchanges: [],
      lookedAt: [],
    };
    return reportRequirement(one, leftOut.includes(slug) ? left : outcomes.get(slug));
  });
  const made = makeReport(run, rows, { strict: settings.strict, knownFailures });
  const report = baseline ? { ...made, changes: changesSince(baseline, made) } : made;
  return { report, traced: trace(record, [...outcomes.values()]), created, faults };
}
