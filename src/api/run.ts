import { requirements, topics } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { type Counts, conduct, type RunOutcome } from '../conduct/conduct.ts';
import type { Progress } from '../conduct/explore.ts';
import { explorationOf } from '../conduct/thorough.ts';
import { secretsOf } from '../http/secrets.ts';
import type { StartedService } from '../plan/service.ts';
import type { Report } from '../reports/report.ts';
import { FORMAT } from '../reports/run-file.ts';
import type { RunResult } from '../reports/run-result.ts';
import { inertLine } from '../reports/text.ts';
import type { Outcome } from '../requirement/outcome.ts';
import { select } from '../settings/selection.ts';
import type { Settings, Target } from '../settings/settings.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { accepting, resultOf } from './result.ts';

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

/** Whoever makes a run may follow it, and end it before its time. */
export interface RunOptions {
  /** Called for each outcome as soon as it is final, with the known failures accepted. */
  onOutcome?: ((outcome: Outcome) => void) | undefined;
  /** Called once, with what tells how far the run is. */
  onStart?: (counts: () => Counts) => void;
  /** Called as a thorough run goes on. */
  onProgress?: (progress: Progress) => void;
  /** Ends the run: what was not judged by then is not verified. */
  signal?: AbortSignal | undefined;
  /** Ends it as well, because the suite itself broke down; its reason is the error. */
  breakdown?: AbortSignal;
}

/** Milliseconds that a run has to end by itself after the suite broke down. */
const LAST_WORDS_MS = 5000;

/**
 * Makes one run in this process: sends the requests, judges, and puts the report together. Rejects with a SettingsError where
 * the selection names no requirement, and never for what a target does or for what breaks in the suite: that is a fault of the
 * result.
 */
export async function makeRun(
  { target, isEmbedded = false, settings, knownFailures, baseline, service }: RunInput,
  { onOutcome = () => {}, onStart, onProgress, signal, breakdown = new AbortController().signal }: RunOptions = {},
): Promise<RunResult> {
  const slugs = requirements.map(({ slug }) => slug);
  const selected = select(slugs, settings.selection);
  const musts = new Set(requirements.flatMap(({ level, slug }) => (level === 'MUST' ? [slug] : [])));
  const start = { date: new Date(), clock: performance.now() };
  const outcomes = new Map<string, Outcome>();
  const terms = { settings, knownFailures, baseline };
  const accepted = accepting(terms);
  const end = new AbortController();
  const interrupt = () => end.abort();
  // Not AbortSignal.any: the signal of a program may be of another realm, such as that of jsdom.
  for (const one of [signal, breakdown]) one?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  const broken = new Promise<unknown>((resolve) => {
    breakdown.addEventListener('abort', () => resolve(breakdown.reason));
  });
  const [conducted, error] = await endedOrBroken(
    conduct({
      requirements,
      isWanted: (slug) => selected.has(slug),
      target,
      settings,
      ...(await explorationOf(settings, topics, onProgress)),
      signal: end.signal,
      ...(service && { service }),
      onStart,
      isEnough: (judged) => settings.bail && musts.has(judged.slug) && accepted(judged).outcome === 'failed',
      onOutcome: (judged) => {
        const outcome = accepted(judged);
        outcomes.set(outcome.slug, outcome);
        onOutcome(outcome);
      },
    }),
    broken,
  );
  signal?.removeEventListener('abort', interrupt);
  const { redact } = secretsOf(target);
  const faults = [...(conducted?.faults ?? []), ...(error === undefined ? [] : [redact(sentenceOn(error))])];
  const { evidence, record = [...outcomes.values()].flatMap(({ exchanges }) => exchanges), ...came } = conducted ?? {};
  const over = {
    ...{ tally: { tag: '', start: start.date.getTime(), requests: 0, usersCreated: 0, observations: {} }, created: [] },
    ...came,
    faults,
    suite,
    target: shownTarget(settings.name, target.baseUrl, isEmbedded),
    readOnly: settings.readOnly,
    start: start.date.toISOString(),
    duration: Math.round(performance.now() - start.clock),
    leftOut: slugs.filter((slug) => !selected.has(slug)),
  };
  const result = resultOf(over, { record, outcomes }, terms);
  try {
    return { ...result, ...(evidence && { run: { ...over, format: FORMAT, ...evidence() } }) };
  } catch (error) {
    // What was judged is not lost for it.
    return { ...result, faults: [...faults, redact(`the record of the run can not be made: ${sentenceOn(error)}`)] };
  }
}

/** What a run came to, and the error by which the suite broke down in it. */
async function endedOrBroken(
  run: Promise<RunOutcome>,
  broken: Promise<unknown>,
): Promise<[conducted: RunOutcome | undefined, error?: unknown]> {
  let error: unknown;
  let timer: NodeJS.Timeout | undefined;
  const givenUp = broken.then((reason) => {
    error = reason;
    return new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), LAST_WORDS_MS);
    });
  });
  const conducted = await Promise.race([run, givenUp]).catch((reason) => {
    error ??= reason;
    return undefined;
  });
  clearTimeout(timer);
  return [conducted, error];
}

/** What reports say of the target. */
export function shownTarget(name: string | undefined, baseUrl: string, embeddedReference: boolean): Report['target'] {
  return {
    name: name ?? (embeddedReference ? 'embedded reference' : new URL(baseUrl).host),
    baseUrl,
    embeddedReference,
  };
}

/** The first line of an error: the rest is a trace. */
function sentenceOn(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : `${error}`).split('\n');
  return inertLine(line);
}
