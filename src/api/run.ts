import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { secretsOf } from '../http/secrets.ts';
import { changesSince, slugsThatHeld } from '../reports/changes.ts';
import { makeReport, reportRequirement } from '../reports/make-report.ts';
import type { Report, ReportedRequirement } from '../reports/report.ts';
import { FORMAT, type RunFile, type RunResult, trace } from '../reports/run-result.ts';
import { LEFT_OUT } from '../reports/selection.ts';
import { sanitizeLine } from '../reports/text.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { StartedService } from '../run/away.ts';
import { type ConductedRun, type ConductOptions, conduct } from '../run/conduct.ts';
import { estimateRequests, planFor } from '../run/plan.ts';
import { SettingsError } from '../settings/errors.ts';
import { nameOf } from '../settings/names.ts';
import { ownOnly } from '../settings/own.ts';
import { select } from '../settings/selection.ts';
import type { Settings, Target } from '../settings/settings.ts';
import type { Progress } from '../thorough/budget.ts';
import type { Explorer } from '../thorough/explore.ts';
import { accept, type ListedFailure } from '../verdict/accept.ts';
import { withGuides } from './guides.ts';

/** The input of a run. */
export interface RunInput {
  target: Target;
  /** Whether the target is the embedded reference service. */
  isEmbedded?: boolean;
  settings: Omit<Settings, 'target'>;
  knownFailures: ListedFailure[];
  /** The report of the earlier run with which this one is compared. */
  baseline?: Report | undefined;
  /** The service, if the suite has started it. */
  service?: StartedService | undefined;
}

/**
 * Callbacks that follow a run, and a signal that ends it early: requirements that were not judged
 * by then are not verified. The reason of the signal may be a Breakdown. `onOutcome` gets outcomes
 * in which known failures are accepted.
 */
type RunOptions = Pick<ConductOptions, 'onOutcome' | 'onStart' | 'onRest' | 'signal'> & {
  /** Called at the beginning of each part of a thorough run. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with the result. The known failures that it returns are accepted instead. */
  revise?: Revise | undefined;
};

/** Returns other known failures by which a run is to be judged; undefined to keep those it has. */
export type Revise = (result: RunResult) => ListedFailure[] | undefined;

/** The reason to end a run after the suite has crashed. Its cause is the uncaught error. */
export class Breakdown extends Error {}

/**
 * Makes one run in this process: sends the requests, judges them and makes the report. Rejects with
 * a SettingsError if the selection is empty. An error of the suite is a fault in the result.
 */
export async function makeRun(input: RunInput, options: RunOptions = {}): Promise<RunResult> {
  const { target, isEmbedded = false, settings, knownFailures, baseline, service } = input;
  const { onOutcome, onStart, onRest, onProgress, revise } = options;
  const signal = options.signal ?? new AbortController().signal;
  const selected = select(requirements, settings.selection);
  const isWanted = (slug: string) => selected.some((requirement) => requirement.slug === slug);
  requireTime(settings);
  const startDate = new Date();
  const startMs = performance.now();
  const terms: JudgeTerms = { settings, knownFailures, baseline };
  const acceptOutcome = makeAccept(terms);
  const outcomes = new Map<string, Outcome>();
  const isSent = (slug: string) => settings.allRequests || isWanted(slug);
  const explorer = await makeExplorerFor(settings, isSent, onProgress);
  const conducting = conduct(
    ownOnly({
      requirements,
      isWanted,
      sendsAll: settings.allRequests,
      target,
      settings,
      ...(explorer && { explore: explorer.explore }),
      signal,
      ...(service && { service }),
      onStart,
      onRest,
      ...(settings.bail && {
        isEnough: (outcome: Outcome) =>
          isMust(outcome.slug) && acceptOutcome(outcome).outcome === 'failed',
      }),
      onOutcome: (outcome) => {
        outcomes.set(outcome.slug, outcome);
        onOutcome?.(acceptOutcome(outcome));
      },
    }),
  );
  const { conducted, errors } = await settle(conducting, signal);
  // A failure that was reported during the run may have more evidence at its end.
  for (const outcome of conducted?.outcomes ?? []) outcomes.set(outcome.slug, outcome);
  const coverage = explorer?.coverage();
  const describe = (error: unknown) => secretsOf(target).showText(firstLineOf(error));
  const run: FinishedRun = {
    tally: { tag: '', start: startDate.getTime(), requests: 0, usersCreated: 0, observations: {} },
    created: [],
    ...(conducted && factsOf(conducted)),
    ...(coverage && { coverage }),
    faults: [...(conducted?.faults ?? []), ...errors.map(describe)],
    suite,
    target: {
      name: settings.name ?? (isEmbedded ? 'embedded reference' : new URL(target.baseUrl).host),
      baseUrl: target.baseUrl,
      embeddedReference: isEmbedded,
    },
    readOnly: settings.readOnly,
    ...(settings.allRequests && { sentAll: true }),
    start: startDate.toISOString(),
    duration: Math.round(performance.now() - startMs),
    leftOut: requirements.map(({ slug }) => slug).filter((slug) => !isWanted(slug)),
  };
  const record = conducted?.record ?? [...outcomes.values()].flatMap(({ exchanges }) => exchanges);
  const judge = (by: JudgeTerms) => makeResult(run, { record, outcomes }, by);
  const first = judge(terms);
  const revised = revise?.(first);
  const result = await withGuides(revised ? judge({ ...terms, knownFailures: revised }) : first);
  if (conducted === undefined) return result;
  try {
    return { ...result, run: { ...run, format: FORMAT, history: conducted.history() } };
  } catch (error) {
    // The result is valid without the record.
    const fault = `the record of the run can't be made: ${describe(error)}`;
    return { ...result, faults: [...run.faults, fault] };
  }
}

/** Throws a SettingsError if the requests of a run do not fit into its deadline. */
export function requireTime({
  selection,
  allRequests,
  rate,
  deadlineMs,
}: RunInput['settings']): void {
  if (rate === undefined) return;
  const selected = select(requirements, selection);
  const plan = planFor(allRequests ? requirements : selected, requirements);
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
async function makeExplorerFor(
  { thorough: isThorough, seed, budgetMs, maxRequests, maxUsers }: RunInput['settings'],
  isWanted: (slug: string) => boolean,
  onProgress: RunOptions['onProgress'],
): Promise<Explorer | undefined> {
  if (!isThorough || seed === undefined) return undefined;
  // Loaded only here: loading fast-check takes longer than a run on a fast service.
  const { makeExplorer } = await import('../thorough/explore.ts');
  const { thorough } = await import('../../specs/thorough/index.ts');
  return makeExplorer({
    budgetMs,
    maxRequests,
    maxUsers,
    seed,
    requirements,
    isWanted,
    thorough,
    ...(onProgress && { onProgress }),
  });
}

function isMust(slug: string): boolean {
  return requirements.some(
    (requirement) => requirement.slug === slug && requirement.level === 'MUST',
  );
}

/** The end of a run: at most one error, without which there is a result. */
interface Settled {
  conducted?: ConductedRun | undefined;
  errors: unknown[];
}

/** Waits for a run, after a crash of the suite at most five seconds. */
async function settle(conducting: Promise<ConductedRun>, signal: AbortSignal): Promise<Settled> {
  const end = new AbortController();
  const untilEnd = { signal: end.signal };
  const aborted = once(signal, 'abort', untilEnd).then(() =>
    signal.reason instanceof Breakdown ? sleep(5000, undefined, untilEnd) : conducting,
  );
  const settled: Settled = { errors: [] };
  try {
    settled.conducted = await Promise.race([conducting, aborted]);
  } catch (error) {
    settled.errors = [error];
  }
  end.abort();
  if (signal.reason instanceof Breakdown) settled.errors = [signal.reason.cause];
  return settled;
}

/** Returns the first line of a message; a stack trace may follow it. */
function firstLineOf(error: unknown): string {
  const message = error instanceof Error ? error.message : `${error}`;
  return sanitizeLine(message.split('\n')[0] ?? '');
}

/** A finished run without its history. */
type FinishedRun = Omit<RunFile, 'format' | 'history'>;

function factsOf(conducted: ConductedRun): Omit<ConductedRun, 'history' | 'record' | 'outcomes'> {
  const { history: _history, record: _record, outcomes: _outcomes, ...facts } = conducted;
  return facts;
}

/** Settings by which a run is judged. */
export interface JudgeTerms extends Pick<RunInput, 'knownFailures' | 'baseline'> {
  settings: Pick<Settings, 'strict' | 'failOn'>;
}

/**
 * Returns a function that accepts known failures. If only regressions fail the run, it also accepts
 * failures of requirements that did not hold in the baseline.
 */
export function makeAccept({
  settings: { strict, failOn },
  knownFailures,
  baseline,
}: JudgeTerms): (outcome: Outcome) => Outcome {
  const held = baseline && failOn === 'regression' ? slugsThatHeld(baseline) : undefined;
  const isOld = (slug: string) => held !== undefined && (strict || isMust(slug)) && !held.has(slug);
  return (outcome) => accept(outcome, knownFailures, isOld);
}

/** The exchanges of a run, and its outcomes by slug before known failures are accepted. */
interface Evidence {
  record: readonly ShownExchange[];
  outcomes: ReadonlyMap<string, Outcome>;
}

/** Makes the data of all reports from a finished run. */
export function makeResult(
  run: FinishedRun,
  { record, outcomes }: Evidence,
  terms: JudgeTerms,
): RunResult {
  const { leftOut, created, faults } = run;
  const acceptOutcome = makeAccept(terms);
  const accepted = new Map([...outcomes].map(([slug, outcome]) => [slug, acceptOutcome(outcome)]));
  const rows = requirements.map((requirement): ReportedRequirement => {
    const { slug } = requirement;
    return reportRequirement(
      requirement,
      run.target.baseUrl,
      leftOut.includes(slug) ? leftOutOutcome(slug) : accepted.get(slug),
    );
  });
  const { settings, knownFailures, baseline } = terms;
  const report = makeReport(run, rows, { strict: settings.strict, knownFailures });
  return {
    report: baseline ? { ...report, changes: changesSince(baseline, report) } : report,
    traced: trace(record, [...accepted.values()]),
    created,
    faults,
  };
}

function leftOutOutcome(slug: string): Outcome {
  return { slug, outcome: 'not-applicable', reason: LEFT_OUT, exchanges: [], lookedAt: [] };
}
