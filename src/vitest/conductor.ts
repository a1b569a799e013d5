import { randomUUID } from 'node:crypto';
import { BroadcastChannel, setEnvironmentData, Worker } from 'node:worker_threads';
import type { Conducted } from '../conduct/conduct.ts';
import type { Progress } from '../conduct/explore.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { select } from '../settings/selection.ts';
import type { Settings } from '../settings/settings.ts';
import { accept } from '../verdict/accept.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { type FromTests, type FromThread, TARGET, type ThreadData, type ToTests, type ToThread } from './messages.ts';
import { testResult } from './test-result.ts';

/** One run, as far as it has come. */
export interface ConductedRun {
  /** When it began: milliseconds since 1970. */
  start: number;
  /** By slug, with the known failures accepted. */
  outcomes: Map<string, Outcome>;
  /** What the whole run came to, once it has ended. */
  conducted?: Conducted;
}

/**
 * Carries out runs in a thread of its own, so that requests are sent and answered while Vitest loads, and tells Vitest's tests
 * what came of them. A run begins by `begin`, or when tests ask for results and none has begun for them.
 */
export class Conductor {
  /** The name of the channel on which Vitest's tests ask. */
  readonly channel = `user-management-conformance ${randomUUID()}`;
  /** The target's base address, once it is served. */
  baseUrl = '';
  /** By slug, once the tests are registered. */
  requirements: ReadonlyMap<string, RequirementInfo> = new Map();
  /** The run whose results the tests have asked for. */
  shown: ConductedRun | undefined;
  onProgress: (progress: Progress) => void = () => {};
  readonly #settings: Omit<Settings, 'target'>;
  readonly #knownFailures: readonly ListedFailure[];
  readonly #thread: Worker;
  readonly #tests: BroadcastChannel;
  /** Until the thread is there, or has broken down. */
  readonly #isReady: Promise<void>;
  /** The run that was begun last. */
  #last: ConductedRun | undefined;
  #broken: string | undefined;

  /** `file` is the module of the thread, which calls `conductWhenAsked`. */
  constructor(file: URL, { target, ...settings }: Settings, knownFailures: readonly ListedFailure[]) {
    this.#settings = settings;
    this.#knownFailures = knownFailures;
    if (target) setEnvironmentData(TARGET, { ...target });
    this.#thread = new Worker(file, { workerData: settings satisfies ThreadData });
    this.#isReady = new Promise((resolve) => {
      this.#thread.once('message', () => resolve()).once('exit', () => resolve());
    });
    this.#thread.on('message', (told: FromThread) => this.#take(told));
    this.#thread.once('error', (error) => this.#breakDown(error.message));
    this.#thread.once('exit', () => this.#breakDown('The thread of the run has ended.'));
    this.#tests = new BroadcastChannel(this.channel);
    this.#tests.onmessage = (event) => void this.#answer((event as { data: FromTests }).data);
    // Neither keeps the process from its end.
    this.#tests.unref();
    this.#thread.unref();
  }

  /** Begins a run; the tests that ask next are told what comes of it. */
  begin(): void {
    this.#last = { start: Date.now(), outcomes: new Map() };
    this.#ask('begin');
  }

  /** Ends the run that is under way before its time; what was judged by then is kept. */
  interrupt(): void {
    this.#ask('interrupt');
  }

  async close(): Promise<void> {
    this.#tests.close();
    this.#thread.removeAllListeners('exit');
    await this.#thread.terminate();
  }

  #ask(what: ToThread): void {
    this.#thread.postMessage(what);
  }

  #take(told: FromThread): void {
    if (told.kind === 'progress') this.onProgress(told.progress);
    else if (told.kind === 'broken') this.#breakDown(told.message);
    else if (told.kind === 'ready') {
      this.baseUrl = told.baseUrl;
      this.requirements = new Map(told.requirements.map((info) => [info.slug, info]));
    } else this.#takeOfRun(told);
  }

  #takeOfRun(told: Extract<FromThread, { kind: 'outcome' | 'conducted' }>): void {
    const run = this.#last as ConductedRun;
    if (told.kind === 'conducted') {
      run.conducted = told.conducted;
      if (run === this.shown) this.#tellTests({ kind: 'ended' });
      return;
    }
    const outcome = accept(told.outcome, this.#knownFailures);
    run.outcomes.set(outcome.slug, outcome);
    if (run === this.shown) this.#tellResult(outcome);
  }

  async #answer(asked: FromTests): Promise<void> {
    await this.#isReady;
    if (asked === 'requirements') this.#tellRequirements();
    else this.#tellResults();
    if (this.#broken !== undefined) this.#tellTests({ kind: 'broken', message: this.#broken });
  }

  #tellRequirements(): void {
    // None: the thread has broken down before it was there.
    if (this.requirements.size === 0) return;
    const slugs = [...this.requirements.keys()];
    const selected = select(slugs, this.#settings.selection);
    const leftOut = slugs.filter((slug) => !selected.has(slug));
    this.#tellTests({ kind: 'requirements', requirements: [...this.requirements.values()], leftOut });
  }

  #tellResults(): void {
    if (this.#last === undefined || this.#last === this.shown) this.begin();
    this.shown = this.#last as ConductedRun;
    for (const outcome of this.shown.outcomes.values()) this.#tellResult(outcome);
    if (this.shown.conducted) this.#tellTests({ kind: 'ended' });
  }

  #tellResult(outcome: Outcome): void {
    const { slug } = outcome;
    const { strict } = this.#settings;
    const terms = { strict, knownFailures: this.#knownFailures, baseUrl: this.baseUrl };
    const result = testResult(this.requirements.get(slug) as RequirementInfo, outcome, terms);
    this.#tellTests({ kind: 'result', slug, result });
  }

  #tellTests(told: ToTests): void {
    this.#tests.postMessage(told);
  }

  /** Tests would otherwise wait for ever. */
  #breakDown(message: string): void {
    this.#broken ??= message;
    this.#tellTests({ kind: 'broken', message: this.#broken });
  }
}
