import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { AllureResults } from '../reports/allure/results.ts';
import { answerTimes } from '../reports/answer-times.ts';
import { changes } from '../reports/changes.ts';
import { removeReports, writeReports } from '../reports/files.ts';
import { annotations } from '../reports/github/annotations.ts';
import { tellGitHub } from '../reports/github/write.ts';
import { writeKnownFailures } from '../reports/known-failures-file.ts';
import { makeReport, type Report } from '../reports/report.ts';
import { closing, painter, progressLine } from '../reports/terminal.ts';
import { inertLine } from '../reports/text.ts';
import { trace } from '../reports/traced.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Settings } from '../settings/settings.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { EXIT } from '../verdict/verdict.ts';
import type { Conductor } from './conductor.ts';
import { ProgressLine } from './progress.ts';

/** What every report says of the run, and Vitest does not know. */
export interface RunContext {
  settings: Settings;
  knownFailures: ListedFailure[];
  suite: Report['suite'];
  conductor: Conductor;
}

/** Characters of a reason that is said again. */
const SHORT = 60;

/** Turns the results of a Vitest run into progress lines, the verdict, the reports and the exit code. */
export class ConformanceReporter implements Reporter {
  /** The command's exit code; that of a fault until the run has ended as it should. */
  exitCode: number = EXIT.fault;
  readonly allure: AllureResults;
  readonly #context: RunContext;
  readonly #paint = painter(process.stdout);
  #closing = '';
  #saidTarget = false;
  #before: Report | undefined;
  #progress: ProgressLine | undefined;
  readonly #told = new Set<string>();
  /** The first requirement of which each reason was said. */
  readonly #saidReasons = new Map<string, string>();
  /** What keeps a report from being there, a sentence each: said after the verdict, which it does not touch. */
  readonly #missing = new Set<string>();

  /** Takes the sentence on a report that could not be written. */
  readonly missing = (sentence: string): void => {
    this.#missing.add(sentence);
  };

  constructor(context: RunContext) {
    this.#context = context;
    this.allure = new AllureResults(context.settings.reportDir);
  }

  onInit(vitest: Vitest): void {
    vitest.onClose(() => this.printClosing());
    vitest.onClose(() => this.#context.conductor.close());
  }

  onTestRunStart(): void {
    this.endOnInterrupt();
    this.#told.clear();
    this.#saidReasons.clear();
    this.exitCode = EXIT.fault;
    const { reportDir, start, thorough } = this.#context.settings;
    if (thorough) {
      const line = new ProgressLine(process.stdout);
      this.#progress = line;
      this.#context.conductor.onProgress = (progress) => line.take(progress);
    }
    this.#missing.clear();
    for (const sentence of removeReports(reportDir, start !== undefined)) this.missing(sentence);
  }

  /** Prints the failures and the verdict, once a run: at its very end, for other reporters have lines of their own. */
  printClosing(): void {
    if (this.#closing === '') return;
    print(
      [this.#closing, ...[...this.#missing].map((one) => this.#paint('yellow', `  missing  ${inertLine(one)}`))].join(
        '\n',
      ),
    );
    this.#closing = '';
  }

  /**
   * Ctrl-C, SIGTERM and SIGHUP end the run, and the reports are written of what was judged; a second one ends the process.
   * Vitest itself would end it at the first, without any report.
   */
  endOnInterrupt(): void {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    for (const signal of signals) process.removeAllListeners(signal);
    const atFirst = () => {
      for (const signal of signals) process.removeAllListeners(signal).once(signal, () => this.#endNow());
      this.#context.conductor.interrupt();
    };
    for (const signal of signals) process.once(signal, atFirst);
  }

  /** Ends the process; what is known by then is said. */
  #endNow(): void {
    this.printClosing();
    process.exit(this.exitCode === EXIT.fault ? EXIT.inconclusive : this.exitCode);
  }

  onTestModuleCollected(): void {
    if (this.#saidTarget) return;
    this.#saidTarget = true;
    const { suite, settings } = this.#context;
    const { baseUrl, embeddedReference } = this.#target();
    print(`${this.#paint('bold', `${suite.name} ${suite.version}`)}`);
    if (settings.name) print(`name: ${inertLine(settings.name)}`);
    print(`target: ${inertLine(baseUrl)}${embeddedReference ? ' (the embedded reference service)' : ''}`);
    if (settings.thorough)
      print(
        `thorough: seed ${settings.seed}, ${settings.budgetMs / 1000} s, at most ${settings.maxRequests} requests and ${settings.maxUsers} users`,
      );
    for (const notice of settings.notices) print(this.#paint('yellow', `notice: ${notice}`));
    print('');
  }

  onTestCaseResult(test: TestCase): void {
    const requirement = this.#context.conductor.requirements.get(test.name);
    const outcome = this.#outcomeOf(test);
    // A run that is cancelled tells of the checks under way twice.
    if (requirement === undefined || outcome === undefined || this.#told.has(requirement.slug)) return;
    this.#told.add(requirement.slug);
    // A target that is gone would otherwise be said to be so at length in every line.
    const first = outcome.reason.length > SHORT ? this.#saidReasons.get(outcome.reason) : undefined;
    const reason = first === undefined ? outcome.reason : `as ${first}`;
    if (outcome.outcome === 'not-verified' && first === undefined) {
      this.#saidReasons.set(outcome.reason, requirement.slug);
    }
    // Who watches knows the list, and wants to see what is new in it.
    if (this.#before !== undefined) return;
    const line = { id: requirement.slug, level: requirement.level, outcome: outcome.outcome, reason };
    this.#progress?.clear();
    print(progressLine(line, this.#context.settings.strict, this.#paint));
  }

  async onTestRunEnd(modules: readonly TestModule[], errors: readonly { message?: string }[]): Promise<void> {
    this.#progress?.close();
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const { conductor } = this.#context;
    const { conducted, start = Date.now() } = conductor.shown ?? {};
    const slugs = [...conductor.requirements.keys()];
    const faults = [
      ...errors.map(({ message }) => message ?? 'an unknown error'),
      ...modules.flatMap((module) => module.errors().map(({ message }) => message)),
      ...tests
        .filter((test) => isFault(test, this.#outcomeOf(test)))
        .map((test) => test.result().errors?.[0]?.message ?? test.name),
      ...(conducted?.faults ?? []),
    ];
    const { settings, knownFailures, suite } = this.#context;
    const record = conducted?.record ?? [];
    const report = makeReport({
      suite,
      target: this.#target(),
      settings,
      knownFailures,
      start: new Date(start),
      duration: Date.now() - start,
      ...(conducted && { tally: conducted.tally }),
      ...(conducted?.coverage && { coverage: conducted.coverage }),
      ...(conducted?.reproductions && { reproductions: conducted.reproductions }),
      answerTimes: answerTimes(record),
      results: tests
        .flatMap((test) => this.#resultOf(test))
        .sort((a, b) => slugs.indexOf(a.requirement.slug) - slugs.indexOf(b.requirement.slug)),
    });
    const outcomes = tests.flatMap((test) => this.#outcomeOf(test) ?? []);
    // At once: the other reporters are told of the end at the same time.
    this.allure.prepare(report, outcomes, record);
    const unwritten = writeReports(report, trace(record, outcomes), settings.reportDir);
    // A run that broke down has not found out what fails.
    const file = faults.length === 0 ? settings.writeKnownFailures : undefined;
    const written = file ? [`  ${await writeKnownFailures(report, file)}`] : [];
    unwritten.push(...tellGitHub(report, settings.reportDir, faults.length > 0));
    for (const sentence of unwritten) this.missing(sentence);
    this.#closing = [
      '',
      ...(this.#before ? [`${changes(this.#before, report, this.#paint)}\n`] : []),
      ...new Set(faults.map((fault) => `${this.#paint('red', 'The suite itself failed:')} ${fault}\n`)),
      closing(report, settings.reportDir, this.#paint),
      ...written,
      ...(process.env.GITHUB_ACTIONS === 'true' ? annotations(report) : []),
    ].join('\n');
    this.#before = report;
    // Whoever reads the report by a program must not find an older one, or none, beside a code of a verdict.
    const isReported = !unwritten.some((sentence) => sentence.startsWith('conformance.json'));
    this.exitCode = faults.length > 0 || !isReported ? EXIT.fault : EXIT[report.verdict];
    if (this.exitCode !== EXIT.conformant) process.exitCode ??= 1;
  }

  #target(): Report['target'] {
    const { settings, conductor } = this.#context;
    const { name, target } = settings;
    const baseUrl = target?.baseUrl ?? conductor.baseUrl;
    const embeddedReference = target === undefined;
    const shown = name ?? (embeddedReference || baseUrl === '' ? 'embedded reference' : new URL(baseUrl).host);
    return { name: shown, baseUrl, embeddedReference };
  }
  #outcomeOf(test: TestCase): Outcome | undefined {
    return this.#context.conductor.shown?.outcomes.get(test.name);
  }

  /** What a test says of its requirement; nothing where it is no requirement's test. */
  #resultOf(test: TestCase) {
    const requirement = this.#context.conductor.requirements.get(test.name);
    if (requirement === undefined) return [];
    // Those that Vitest's own filter leaves out are judged, and not asked for.
    const leftOut = test.options.mode === 'skip';
    const outcome = leftOut ? undefined : this.#outcomeOf(test);
    return [{ requirement, leftOut, ...(outcome && { outcome }) }];
  }
}

/** A test that failed without an outcome: a time-out of Vitest's own, a hook, an error of the suite. */
function isFault(test: TestCase, outcome: Outcome | undefined): boolean {
  return test.result().state === 'failed' && outcome === undefined;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
