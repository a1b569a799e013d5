import v8 from 'node:v8';
import { suite } from '../../specs/suite.ts';
import { Breakdown, makeRun, type Revise, type RunInput } from '../api/run.ts';
import type { NextCommand } from '../reports/next-command.ts';
import type { Report } from '../reports/report.ts';
import type { RunResult } from '../reports/run-result.ts';
import { screenOf, wrap } from '../reports/screen.ts';
import type { Detail } from '../reports/terminal.ts';
import { sanitizeLine } from '../reports/text.ts';
import { removeReports } from '../reports/written-files.ts';
import { SettingsError } from '../settings/errors.ts';
import { hideKey } from '../settings/target.ts';
import { onInterrupt } from '../start/signals.ts';
import { EXIT } from '../verdict/verdict.ts';
import { progressLines } from './progress.ts';
import type { Update } from './update-known-failures.ts';

/** A finished run. */
export interface OneRun {
  exitCode: number;
  report: Report;
}

/** Options of the output of a run. */
export interface RunOnceOptions {
  detail: Detail;
  /** The command that makes the same run again. */
  command: NextCommand;
  /** The report of the previous run. */
  before?: Report | undefined;
  /** Whether this is a further run of --watch, whose user knows the target. */
  isFurther?: boolean;
  /** Ends the run early, in place of signals of the system. */
  interrupt?: AbortController;
  /** Updates the file of known failures. */
  update?: ((result: RunResult, isInterrupted: boolean) => Update) | undefined;
}

/** Makes one run, prints it and writes its reports. */
export async function runOnce(input: RunInput, options: RunOnceOptions): Promise<OneRun> {
  const { detail, command, before, isFurther, update } = options;
  const { reportDir, start } = input.settings;
  const ending = { exitCode: EXIT.inconclusive as number };
  const interrupt = options.interrupt ?? interruptedBySignal(ending);
  const unremoved = removeReports(reportDir, start !== undefined);
  if (!isFurther && detail !== 'verdict') printHeadOf(input);
  let updated: Update | undefined;
  const result = await makeGuardedRun(input, interrupt, (judged) => {
    updated = update?.(judged, interrupt.signal.aborted);
    return updated?.knownFailures;
  });
  const { publish } = await loadPublish();
  const linesOnEnds = (await input.service?.takeEnds?.()) ?? [];
  // The verdict is last.
  if (detail !== 'verdict') process.stderr.write(linesOnEnds.map((line) => `${line}\n`).join(''));
  ending.exitCode = publish(result, { reportDir, unremoved, before, detail, command });
  if (updated) process.stdout.write(`\n${updated.lines.join('\n')}\n`);
  return { ...ending, report: result.report };
}

export const loadPublish = () => import('../reports/publish.ts');

/** Returns a controller that Ctrl-C aborts. A second Ctrl-C exits with the exit code of then. */
export function interruptedBySignal(ending: { exitCode: number }): AbortController {
  const interrupt = new AbortController();
  onInterrupt(() => interrupt.abort(), ending);
  return interrupt;
}

/**
 * Makes one run with a progress line. The controller, an uncaught error or a lack of memory ends it
 * early.
 */
export async function makeGuardedRun(
  input: RunInput,
  interrupt: AbortController,
  revise?: Revise,
): Promise<RunResult> {
  const breakDown = (error: unknown) => interrupt.abort(new Breakdown('', { cause: error }));
  process.setUncaughtExceptionCaptureCallback(breakDown);
  const memory = watchMemory(breakDown);
  const progress = progressLines(process.stdout, input.settings.strict);
  return await makeRun(input, {
    onStart: progress.showRun,
    onRest: () => void loadPublish().catch(() => {}),
    onProgress: progress.showExploration,
    revise,
    // The listeners of this run end with its own signal.
    signal: AbortSignal.any([interrupt.signal]),
  }).finally(() => {
    progress.close();
    clearInterval(memory);
    process.setUncaughtExceptionCaptureCallback(null);
  });
}

/**
 * Restarts a service if it has ended or is stale. Returns whether it responds; prints the reason if
 * it does not.
 */
export async function ensureUp(
  { service, target }: Pick<RunInput, 'service' | 'target'>,
  { isStale }: { isStale: boolean },
): Promise<boolean> {
  try {
    if (service && (isStale || service.ended())) await service.restart();
    return true;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    const message = sanitizeLine(hideKey(error.message, target.apiKey));
    process.stderr.write(`${[message, ...error.below].join('\n')}\n`);
    return false;
  }
}

/** Prints the first lines of a run on a target. */
export function printHeadOf({ target, isEmbedded, settings }: RunInput): void {
  const { name, thorough, seed, budgetMs, maxRequests, maxUsers, notices } = settings;
  const bounds = `seed ${seed}, ${budgetMs / 1000} s, at most ${maxRequests} requests and ${maxUsers} users`;
  const address = `${target.baseUrl}${isEmbedded ? ' (the embedded reference service)' : ''}`;
  const facts = { ...(name && { name }), target: address, ...(thorough && { thorough: bounds }) };
  printHead(facts, notices);
}

/** Prints notices before anything is started or sent; with --quiet, to stderr. */
export function printNotices(notices: readonly string[], detail?: Detail): void {
  const stream = detail === 'verdict' ? process.stderr : process.stdout;
  const { paint, width } = screenOf(stream);
  for (const notice of notices)
    stream.write(`${paint('yellow', wrap(`notice: ${notice}`, width, 2))}\n`);
}

/** Prints the first lines of a run: the suite, some facts by their names, and notices. */
export function printHead(facts: Record<string, string>, notices: readonly string[]): void {
  const title = screenOf(process.stdout).paint('bold', `${suite.name} ${suite.version}`);
  const lines = Object.entries(facts).map(([name, fact]) => `${name}: ${sanitizeLine(fact)}`);
  process.stdout.write(`${[title, ...lines].join('\n')}\n`);
  printNotices(notices);
}

/**
 * Calls `onLack` once when Node's memory is nearly used up. Without memory, Node would end the
 * process without a report. Returns the timer.
 */
export function watchMemory(onLack: (error: Error) => void): NodeJS.Timeout {
  const timer = setInterval(() => {
    const { used_heap_size: used, heap_size_limit: limit } = v8.getHeapStatistics();
    // The reports need the rest.
    if (used < limit * 0.85) return;
    clearInterval(timer);
    const size = `${Math.round(limit / 2 ** 20)} MiB`;
    onLack(new Error(`nearly all of the ${size} of memory that Node may use are taken.`));
  }, 100);
  return timer.unref();
}
