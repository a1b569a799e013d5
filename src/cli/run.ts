import { statSync } from 'node:fs';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { requirements } from '../../specs/index.ts';
import { Breakdown, makeRun, type RunInput } from '../api/run.ts';
import type { StartedService } from '../plan/service-end.ts';
import { readBaseline } from '../reports/changes.ts';
import { failedIn, type Report } from '../reports/report.ts';
import { claimReportDir, removeReports } from '../reports/report-dir.ts';
import { SettingsError } from '../settings/errors.ts';
import { select } from '../settings/selection.ts';
import { isCi, readSettings, readSome } from '../settings/settings.ts';
import { onInterrupt } from '../start/signals.ts';
import { EXIT, listedFailures } from '../verdict/verdict.ts';
import type { Flags } from './flags.ts';
import { printHead } from './head.ts';
import { progressLine } from './progress.ts';

/**
 * Makes one run, or with `--watch` one each time the user asks for it. The settings are those of an environment, and of `.env`
 * in this directory; a service which the run starts has an environment of its own. Without a target only a clone outside a CI
 * judges the embedded reference service. Returns the exit code of the last run. Rejects with a SettingsError.
 */
export async function run(
  environment: NodeJS.ProcessEnv,
  ofService: NodeJS.ProcessEnv,
  { on, watchPath, detail }: Flags,
  isClone: boolean,
): Promise<number> {
  // First of all: a misspelt slug is reported before anything is asked of the user.
  const { selection } = readSome(['only', 'skip'], environment, process.cwd());
  select(requirements, selection);
  const settings = readSettings(environment, process.cwd(), !isClone || isCi(environment));
  if (watchPath !== undefined && !statSync(watchPath, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SettingsError(`--watch-path is "${watchPath}": there is no such directory.`);
  }
  if (on.has('last-failed')) settings.selection.only = await lastFailed(settings.reportDir);
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
      const first = await runOnce(input, detail);
      if (!on.has('watch')) return first.exitCode;
      const { watch } = await import('./watch.ts');
      return await watch(first, { settings, watchPath, service }, (selection, before) => {
        return runOnce({ ...input, settings: { ...settings, selection } }, detail, before);
      });
    } finally {
      await embedded?.close();
    }
  };
  const exitCode = settings.start
    ? await (await import('../start/with-service.ts')).withService(settings, ofService, judge)
    : await judge();
  if (on.has('open')) await (await import('./watch.ts')).open(join(settings.reportDir, 'report.html'));
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
  ending.exitCode = publish(result, { settings, unremoved, before, detail });
  return { ...ending, report: result.report };
}

function headOf({ target, isEmbedded, settings }: RunInput): void {
  const { name, thorough, seed, budgetMs, maxRequests, maxUsers, notices } = settings;
  const bounds = `seed ${seed}, ${budgetMs / 1000} s, at most ${maxRequests} requests and ${maxUsers} users`;
  const address = `${target.baseUrl}${isEmbedded ? ' (the embedded reference service)' : ''}`;
  printHead({ name, target: address, thorough: thorough ? bounds : undefined }, notices);
}

/** Which part of the memory that Node may take is left for the reports. */
const RESERVE = 0.15;

/** Milliseconds between two looks. */
const EVERY_MS = 100;

/**
 * Tells once, by an error, when nearly all of the memory is in use that Node may take: at its end Node would end the process
 * with a trace, and without a report. Returns the timer.
 */
export function watchMemory(
  tell: (error: Error) => void,
  heap: () => { used_heap_size: number; heap_size_limit: number } = getHeapStatistics,
): NodeJS.Timeout {
  const timer = setInterval(() => {
    const { used_heap_size: used, heap_size_limit: limit } = heap();
    if (used < limit * (1 - RESERVE)) return;
    clearInterval(timer);
    tell(new Error(`nearly all of the ${Math.round(limit / 2 ** 20)} MiB of memory that Node may use are taken.`));
  }, EVERY_MS);
  return timer.unref();
}
