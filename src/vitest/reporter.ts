import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import type { Tally } from '../plan/session.ts';
import { inChapterOrder, shareExchanges } from '../reports/allure/order.ts';
import { type AllureResult, completeAllureResult, type Judged } from '../reports/allure/result.ts';
import { answerTimes } from '../reports/answer-times.ts';
import { changes } from '../reports/changes.ts';
import { writeReports } from '../reports/files.ts';
import { annotations } from '../reports/github/annotations.ts';
import { tellGitHub } from '../reports/github/write.ts';
import type { TracedExchange } from '../reports/har.ts';
import { writeKnownFailures } from '../reports/known-failures-file.ts';
import { makeReport, type Report } from '../reports/report.ts';
import { closing, painter, progressLine } from '../reports/terminal.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { EXIT } from '../verdict/verdict.ts';
import { type Collected, collect } from './collected.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Which requirement a test judges, and its place among them. */
    requirement?: Omit<Requirement, 'check'> & { order: number };
    outcome?: Outcome;
    tally?: Tally;
  }
  interface ProvidedContext {
    target: Target;
    settings: Settings;
  }
}

/** Turns the results of a Vitest run into progress lines, the verdict, the reports and the exit code. */
export class ConformanceReporter implements Reporter {
  /** The command's exit code; that of a fault until the run has ended as it should. */
  exitCode: number = EXIT.fault;
  readonly #settings: Settings;
  readonly #suite: Report['suite'];
  readonly #paint = painter(process.stdout);
  #start = new Date();
  readonly #judged = new Map<string, Judged>();
  #vitest: Vitest | undefined;
  #closing = '';
  #toldBaseUrl = '';
  #saidTarget = false;
  #before: Report | undefined;
  readonly #saidReasons = new Set<string>();

  constructor(settings: Settings, suite: Report['suite']) {
    this.#settings = settings;
    this.#suite = suite;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    vitest.onClose(() => this.printClosing());
  }

  onTestRunStart(): void {
    endOnInterrupt(this.#vitest as Vitest);
    this.#judged.clear();
    this.#saidReasons.clear();
    this.#start = new Date();
    this.exitCode = EXIT.fault;
    // Results of an earlier run would be counted with those of this one, and its page taken for this one's.
    rmSync(this.allureDirectory, { recursive: true, force: true });
    rmSync(join(this.#settings.reportDir, 'report.html'), { force: true });
  }

  /** Prints the findings and the verdict, once a run: at its very end, for other reporters have lines of their own. */
  printClosing(): void {
    if (this.#closing !== '') print(this.#closing);
    this.#closing = '';
  }

  get allureDirectory(): string {
    return join(this.#settings.reportDir, 'allure-results');
  }

  #target(): Report['target'] {
    // Where runs are merged, the target of an embedded reference is only told by their tests.
    const baseUrl = this.#vitest?.getRootProject().getProvidedContext().target?.baseUrl ?? this.#toldBaseUrl;
    const { name, target } = this.#settings;
    const embeddedReference = target === undefined;
    return {
      name: name ?? (embeddedReference ? 'embedded reference' : new URL(baseUrl).host),
      baseUrl,
      embeddedReference,
    };
  }

  onTestModuleCollected(): void {
    if (this.#saidTarget) return;
    this.#saidTarget = true;
    const { name, version } = this.#suite;
    const { baseUrl, embeddedReference } = this.#target();
    print(`${this.#paint('bold', `${name} ${version}`)}`);
    if (this.#settings.name) print(`name: ${this.#settings.name}`);
    print(`target: ${baseUrl}${embeddedReference ? ' (the embedded reference service: BASE_URL is not set)' : ''}`);
    for (const notice of this.#settings.notices) print(this.#paint('yellow', `notice: ${notice}`));
    print('');
  }

  onTestCaseResult(test: TestCase): void {
    const { requirement, outcome, tally } = test.meta();
    this.#toldBaseUrl ||= tally?.baseUrl ?? '';
    if (requirement === undefined || outcome === undefined) return;
    // A run that is cancelled tells of the checks under way twice.
    if (this.#judged.has(requirement.slug)) return;
    const known = this.#settings.knownFailures.find(({ slug }) => slug === requirement.slug)?.reason;
    const start = Date.now() - outcome.duration;
    this.#judged.set(requirement.slug, {
      requirement,
      outcome,
      start,
      own: new Set(),
      ...(known !== undefined && { known }),
    });
    // A target that is gone would otherwise be said to be so in every line.
    const reason = this.#saidReasons.has(outcome.reason) ? '' : outcome.reason;
    if (outcome.outcome === 'not-verified') this.#saidReasons.add(outcome.reason);
    // Who watches knows the list, and wants to see what is new in it.
    if (this.#before !== undefined) return;
    const line = { id: requirement.slug, level: requirement.level, outcome: outcome.outcome, reason };
    print(progressLine(line, this.#settings.strict, this.#paint));
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly { message?: string }[]): Promise<void> {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const faults = [
      ...errors.map(({ message }) => message ?? 'an unknown error'),
      ...modules.flatMap((module) => module.errors().map(({ message }) => message)),
      ...tests.filter(isFault).map((test) => test.result().errors?.[0]?.message ?? test.name),
    ];
    const collected = collect(tests.map((test) => ({ ...test.meta(), leftOut: isLeftOut(test) })));
    const report = this.#report(collected);
    // At once: the other reporters are told of the end at the same time.
    inChapterOrder([...this.#judged.values()], this.#start.getTime());
    shareExchanges([...this.#judged.values()]);
    const { reportDir, writeKnownFailures: file } = this.#settings;
    writeReports(report, collected.traced, reportDir);
    // A run that broke down has not found out what fails.
    const written = file && faults.length === 0 ? [`  ${await writeKnownFailures(report, file)}`] : [];
    tellGitHub(report, reportDir, faults.length > 0);
    this.#closing = [
      '',
      ...(this.#before ? [`${changes(this.#before, report, this.#paint)}\n`] : []),
      ...new Set(faults.map((fault) => `${this.#paint('red', 'The suite itself failed:')} ${fault}\n`)),
      closing(report, reportDir, this.#paint),
      ...written,
      ...(process.env.GITHUB_ACTIONS === 'true' ? annotations(report) : []),
    ].join('\n');
    this.#before = report;
    this.exitCode = faults.length > 0 ? EXIT.fault : EXIT[report.verdict];
    if (this.exitCode !== EXIT.conformant) process.exitCode ??= 1;
  }

  /** For allure-vitest's listener: completes the result of one test before it is written. */
  completeAllureResult(result: AllureResult): void {
    const judged = this.#judged.get(result.name);
    if (judged === undefined) return;
    const { name, baseUrl } = this.#target();
    const { strict } = this.#settings;
    completeAllureResult(result, judged, {
      directory: this.allureDirectory,
      implementation: name,
      origin: new URL(baseUrl).origin,
      strict,
      start: this.#start.getTime(),
    });
  }

  /** When the run began, and how long it took: where runs are merged, from the first of them to the last answer. */
  #time(tally: Tally | undefined, traced: TracedExchange[]): { start: Date; duration: number } {
    const spread = tally !== undefined && this.#vitest?.config.mergeReports !== undefined;
    const start = spread ? tally.start : this.#start.getTime();
    const ends = traced.map((one) => one.start + one.exchange.at + one.exchange.duration);
    return { start: new Date(start), duration: (spread ? Math.max(start, ...ends) : Date.now()) - start };
  }

  #report({ results, tally, traced }: Collected): Report {
    return makeReport({
      suite: this.#suite,
      target: this.#target(),
      settings: this.#settings,
      ...this.#time(tally, traced),
      ...(tally && { tally }),
      answerTimes: answerTimes(traced.map(({ exchange }) => exchange)),
      results,
    });
  }
}

/** A test that a filter left out; one that skipped itself has an outcome. */
function isLeftOut(test: TestCase): boolean {
  return test.options.mode === 'skip' && test.meta().outcome === undefined;
}

/** A test that failed without an outcome: a time-out of Vitest's own, a hook, an error in a check. */
function isFault(test: TestCase): boolean {
  return test.result().state === 'failed' && test.meta().outcome === undefined;
}

/**
 * Ctrl-C and SIGTERM end the checks, and the reports are written of what was judged; a second one ends the process.
 * Vitest itself would end it at the first, without any report.
 */
function endOnInterrupt(vitest: Vitest): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.removeAllListeners(signal);
    process.once(signal, () => {
      process.once(signal, () => process.exit(EXIT.inconclusive));
      void vitest.cancelCurrentRun('keyboard-input');
    });
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
