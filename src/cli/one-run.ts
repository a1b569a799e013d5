import v8 from 'node:v8';
import { suite } from '../../specs/suite.ts';
import { Breakdown, makeRun, type RunInput } from '../api/run.ts';
import type { NextCommand } from '../reports/next-command.ts';
import type { Report } from '../reports/report.ts';
import { removeReports } from '../reports/report-dir.ts';
import type { RunResult } from '../reports/run-result.ts';
import { screenOf, wrap } from '../reports/screen.ts';
import { sanitizeLine } from '../reports/text.ts';
import { onInterrupt } from '../start/signals.ts';
import { EXIT, type ListedFailure } from '../verdict/verdict.ts';
import type { Flags } from './flags.ts';
import { progressLine } from './progress.ts';
import type { Update } from './update-known-failures.ts';

/** A finished run. */
export interface OneRun {
  exitCode: number;
  report: Report;
}

/** Options of the output of a run. */
export interface RunOnceOptions {
  detail: Flags['detail'];
  /** The command that makes the same run again. */
  command: NextCommand;
  /** The report of the previous run. */
  before?: Report | undefined;
  /** Updates the file of known failures. */
  update?: ((result: RunResult, isInterrupted: boolean) => Update) | undefined;
}

/** Makes one run, prints it and writes its reports. */
export async function runOnce(
  input: RunInput,
  { detail, command, before, update }: RunOnceOptions,
): Promise<OneRun> {
  const { reportDir, start } = input.settings;
  const ending: Ending = { exitCode: EXIT.inconclusive };
  const unremoved = removeReports(reportDir, start !== undefined);
  // After the first run of --watch, the user knows the target.
  if (before === undefined && detail !== 'verdict') printHeadOf(input);
  let updated: Update | undefined;
  const { result } = await makeInterruptibleRun(input, ending, (judged, isInterrupted) => {
    updated = update?.(judged, isInterrupted);
    return updated?.knownFailures;
  });
  const { publish } = await loadPublish();
  const linesOnEnds = input.service?.takeEnds?.() ?? [];
  // The verdict is last.
  if (detail !== 'verdict') process.stderr.write(linesOnEnds.map((line) => `${line}\n`).join(''));
  ending.exitCode = publish(result, { reportDir, unremoved, before, detail, command });
  if (updated) process.stdout.write(`\n${updated.lines.join('\n')}\n`);
  return { ...ending, report: result.report };
}

/** The exit code if a second Ctrl-C ends the process. */
export interface Ending {
  exitCode: number;
}

export const loadPublish = () => import('../reports/publish.ts');

interface InterruptibleRun {
  result: RunResult;
  isInterrupted: boolean;
}

/**
 * Makes one run with a progress line. Ctrl-C, an uncaught error or a lack of memory ends it early.
 * `revise` may return other known failures by which the run is judged.
 */
export async function makeInterruptibleRun(
  input: RunInput,
  ending: Ending,
  revise?: (result: RunResult, isInterrupted: boolean) => ListedFailure[] | undefined,
): Promise<InterruptibleRun> {
  const interrupt = new AbortController();
  const breakDown = (error: unknown) => interrupt.abort(new Breakdown('', { cause: error }));
  onInterrupt(() => interrupt.abort(), ending);
  process.setUncaughtExceptionCaptureCallback(breakDown);
  const memory = watchMemory(breakDown);
  const progress = progressLine(process.stdout);
  const result = await makeRun(input, {
    onStart: progress.showCounts,
    onRest: () => void loadPublish().catch(() => {}),
    onProgress: progress.showExploration,
    revise: (judged) => revise?.(judged, interrupt.signal.aborted),
    signal: interrupt.signal,
  }).finally(() => {
    progress.close();
    clearInterval(memory);
    process.setUncaughtExceptionCaptureCallback(null);
  });
  return { result, isInterrupted: interrupt.signal.aborted };
}

/** Prints the first lines of a run on a target. */
export function printHeadOf({ target, isEmbedded, settings }: RunInput): void {
  const { name, thorough, seed, budgetMs, maxRequests, maxUsers, notices } = settings;
  const bounds = `seed ${seed}, ${budgetMs / 1000} s, at most ${maxRequests} requests and ${maxUsers} users`;
  const address = `${target.baseUrl}${isEmbedded ? ' (the embedded reference service)' : ''}`;
  printHead({ name, target: address, thorough: thorough ? bounds : undefined }, notices);
}

/** Prints notices before anything is started or sent; with --quiet, to stderr. */
export function printNotices(notices: readonly string[], detail: Flags['detail']): void {
  const stream = detail === 'verdict' ? process.stderr : process.stdout;
  for (const line of noticeLines(notices, stream)) stream.write(`${line}\n`);
}

function noticeLines(notices: readonly string[], stream: NodeJS.WriteStream): string[] {
  const { paint, width } = screenOf(stream);
  return notices.map((notice) => paint('yellow', wrap(`notice: ${notice}`, width, 2)));
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
    onLack(
      new Error(
        `nearly all of the ${Math.round(limit / 2 ** 20)} MiB of memory that Node may use are taken.`,
      ),
    );
  }, 100);
  return timer.unref();
}

/** Prints the first lines of a run: the suite, some facts by their names, and notices. */
export function printHead(
  facts: Record<string, string | undefined>,
  notices: readonly string[] = [],
): void {
  const { paint } = screenOf(process.stdout);
  const lines = [
    paint('bold', `${suite.name} ${suite.version}`),
    ...Object.entries(facts).flatMap(([name, fact]) =>
      fact ? [`${name}: ${sanitizeLine(fact)}`] : [],
    ),
    ...noticeLines(notices, process.stdout),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
