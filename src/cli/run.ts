import { statSync } from 'node:fs';
import { join } from 'node:path';
import v8 from 'node:v8';
import { requirements } from '../../specs/index.ts';
import { suite } from '../../specs/suite.ts';
import { Breakdown, makeRun, type RunInput } from '../api/run.ts';
import type { Counts } from '../conduct/conduct.ts';
import type { Progress } from '../conduct/explore.ts';
import type { StartedService } from '../plan/service-end.ts';
import { readBaseline } from '../reports/changes.ts';
import { screenOf, wrap } from '../reports/look.ts';
import { failedIn, type Report } from '../reports/report.ts';
import { claimReportDir, removeReports } from '../reports/report-dir.ts';
import { inertLine } from '../reports/text.ts';
import { SettingsError } from '../settings/errors.ts';
import { select } from '../settings/selection.ts';
import { isCi, readSettings, readSome } from '../settings/settings.ts';
import { onInterrupt } from '../start/signals.ts';
import { counted, EXIT, listedFailures } from '../verdict/verdict.ts';
import type { Flags } from './flags.ts';

/**
 * Makes one run, or with `--watch` one each time the user asks for it. The settings are those of an environment, and of
 * `.env` in this directory; a service which the run starts has that of the process. Without a target only a clone
 * outside a CI judges the embedded reference service. Returns the exit code of the last run. Rejects with a
 * SettingsError.
 */
export async function run(environment: NodeJS.ProcessEnv, flags: Flags, isClone: boolean): Promise<number> {
  const { given, watchPath, detail } = flags;
  // First of all: a misspelt slug is reported before anything is asked of the user.
  const { selection } = readSome(['only', 'skip'], environment, process.cwd());
  select(requirements, selection);
  const settings = readSettings(environment, process.cwd(), !isClone || isCi(environment));
  if (watchPath !== undefined && !statSync(watchPath, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SettingsError(`--watch-path is "${watchPath}": there is no such directory.`);
  }
  if (given.has('last-failed')) settings.selection.only = await lastFailed(settings.reportDir);
  // What is under way by now leaves nothing.
  onInterrupt(() => process.exit(EXIT.inconclusive), { exitCode: EXIT.inconclusive });
  claimReportDir(settings.reportDir);
  const knownFailures = await listedFailures(settings);
  const baseline = await readBaseline(settings, requirements);
  const judge = async (service?: StartedService) => {
    const embedded = settings.target ? undefined : await (await import('../../reference/service.ts')).startReference();
    const target = settings.target ?? (embedded as NonNullable<typeof embedded>);
    const input = { target, isEmbedded: embedded !== undefined, settings, knownFailures, baseline, service };
    try {
      if (!given.has('watch')) return (await runOnce(input, detail)).exitCode;
      const { watch } = await import('./watch.ts');
      return await watch(input, (again, before) => runOnce(again, detail, before), watchPath);
    } finally {
      await embedded?.close();
    }
  };
  const exitCode = settings.start
    ? await (await import('../start/with-service.ts')).withService(settings, process.env, judge)
    : await judge();
  if (given.has('open')) await (await import('./watch.ts')).open(join(settings.reportDir, 'report.html'));
  return exitCode;
}

/** What failed by the report of the last run. Rejects with a SettingsError where there is nothing. */
async function lastFailed(reportDir: string): Promise<string[]> {
  // Loaded only here: the validator takes longer than all settings.
  const { readReport } = await import('../reports/read-report.ts');
  const failed = failedIn(readReport(reportDir, requirements));
  if (failed.length > 0) return failed;
  throw new SettingsError('Nothing failed in the last run: omit --last-failed.');
}

/** A run that is over. */
export type OneRun = Awaited<ReturnType<typeof runOnce>>;

/** Makes one run, prints it, and writes its reports. */
async function runOnce(input: RunInput, detail: Flags['detail'], before?: Report) {
  const { settings } = input;
  const interrupt = new AbortController();
  const breakDown = (error: unknown) => interrupt.abort(new Breakdown('', { cause: error }));
  const ending: { exitCode: number } = { exitCode: EXIT.inconclusive };
  onInterrupt(() => interrupt.abort(), ending);
  process.setUncaughtExceptionCaptureCallback(breakDown);
  const memory = watchMemory(breakDown);
  const progress = progressLine(process.stdout);
  const unremoved = removeReports(settings.reportDir, settings.start !== undefined);
  // Who watches knows what is judged, and wants to see what is new in it.
  if (before === undefined && detail !== 'verdict') headOf(input);
  const load = () => import('../reports/publish.ts');
  const result = await makeRun(input, {
    onStart: (counts) => progress.follow(counts),
    onRest: () => void load().catch(() => {}),
    onProgress: (told) => progress.take(told),
    signal: interrupt.signal,
  }).finally(() => {
    progress.close();
    clearInterval(memory);
    process.setUncaughtExceptionCaptureCallback(null);
  });
  const { publish } = await load();
  ending.exitCode = publish(result, { reportDir: settings.reportDir, unremoved, before, detail });
  return { ...ending, report: result.report };
}

function headOf({ target, isEmbedded, settings }: RunInput): void {
  const { name, thorough, seed, budgetMs, maxRequests, maxUsers, notices } = settings;
  const bounds = `seed ${seed}, ${budgetMs / 1000} s, at most ${maxRequests} requests and ${maxUsers} users`;
  const address = `${target.baseUrl}${isEmbedded ? ' (the embedded reference service)' : ''}`;
  printHead({ name, target: address, thorough: thorough ? bounds : undefined }, notices);
}

/**
 * Tells once, by an error, when nearly all of the memory is in use that Node may take: at its end Node would end the
 * process with a trace, and without a report. Returns the timer.
 */
export function watchMemory(tell: (error: Error) => void): NodeJS.Timeout {
  const timer = setInterval(() => {
    const { used_heap_size: used, heap_size_limit: limit } = v8.getHeapStatistics();
    // The rest is left for the reports.
    if (used < limit * 0.85) return;
    clearInterval(timer);
    tell(new Error(`nearly all of the ${Math.round(limit / 2 ** 20)} MiB of memory that Node may use are taken.`));
  }, 100);
  return timer.unref();
}

/** Takes the line that is rewritten off a terminal. */
const CLEARED = '\r\u001b[K';

/**
 * Shows how far a run is: on a terminal in one line that is rewritten twice a second, from its first second on;
 * elsewhere, for a thorough run, by a line every ten seconds.
 */
export function progressLine(stream: NodeJS.WriteStream) {
  const { isTTY } = stream;
  let text = () => '';
  let timer: NodeJS.Timeout | undefined;
  const show = () => {
    const line = text();
    if (line === '') return;
    // One that is longer than the line would leave its beginning behind.
    stream.write(isTTY ? `${CLEARED}  ${line.slice(0, Math.max(0, stream.columns - 3))}` : `  ${line}\n`);
  };
  const repeat = (told: () => string) => {
    text = told;
    if (isTTY || timer === undefined) show();
    timer ??= setInterval(show, isTTY ? 500 : 10_000);
  };
  return {
    /** Shows on a terminal what the run has counted. */
    follow: (counts: () => Counts) => {
      const began = performance.now();
      const elapsed = () => performance.now() - began;
      if (isTTY) repeat(() => (elapsed() < 1000 ? '' : countsText(counts(), elapsed())));
    },
    /** Shows what a thorough run has told, at once the first time. */
    take: (progress: Progress) => repeat(() => progressText(progress)),
    close: () => {
      clearInterval(timer);
      if (isTTY) stream.write(CLEARED);
    },
  };
}

/** `judging: 12 of 78 requirements, 140 requests, 3 s`. */
const countsText = ({ judged, wanted, requests }: Counts, milliseconds: number): string =>
  `judging: ${judged} of ${wanted} requirements, ${counted(requests, 'request')}, ${Math.round(milliseconds / 1000)} s`;

/** `exploring: 12 of 60 s, 140 users, 900 requests; round 3`. */
function progressText({ count, budgetMs, what }: Progress): string {
  const { usedMs, users, requests } = count();
  const seconds = (ms: number) => Math.round(ms / 1000);
  const used = seconds(Math.min(usedMs, budgetMs));
  return `exploring: ${used} of ${seconds(budgetMs)} s, ${counted(users, 'user')}, ${counted(requests, 'request')}; ${what}`;
}

/** Prints the first lines of a run: the suite, some facts by their names, and what the user should know. */
export function printHead(facts: Record<string, string | undefined>, notices: readonly string[] = []): void {
  const { paint, width } = screenOf(process.stdout);
  const lines = [
    paint('bold', `${suite.name} ${suite.version}`),
    ...Object.entries(facts).flatMap(([name, fact]) => (fact ? [`${name}: ${inertLine(fact)}`] : [])),
    ...notices.map((notice) => paint('yellow', wrap(`notice: ${notice}`, width, 2))),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
