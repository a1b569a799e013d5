import { conduct } from '../conduct/conduct.ts';
import { explorationOf, type LoadTopics } from '../conduct/thorough.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Requirement, RequirementInfo } from '../requirement/requirement.ts';
import { select } from '../settings/selection.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { accept } from '../verdict/accept.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { Awaited } from './awaited.ts';
import { type TestResult, testResult } from './test-result.ts';

/** What a run of Vitest's tests needs to know. */
export interface Prepared {
  target: Target;
  settings: Settings;
  knownFailures: ListedFailure[];
}

/** One run in the process of the tests, begun by the first of them that waits for its result. */
export class TestRun {
  readonly #requirements: Requirement[];
  readonly #topics: LoadTopics;
  readonly #prepared: () => Prepared;
  readonly #interrupt = new AbortController();
  readonly #outcomes = new Awaited<Outcome>();
  #conducted: Promise<unknown> | undefined;
  #selected: Set<string> | undefined;

  /** `prepared` returns what the run needs to know; it is asked when the first test begins. */
  constructor(requirements: Requirement[], topics: LoadTopics, prepared: () => Prepared) {
    this.#requirements = requirements;
    this.#topics = topics;
    this.#prepared = prepared;
  }

  /** The result of a requirement, as soon as it is final. Rejects where the suite itself breaks down. */
  async resultOf(info: RequirementInfo, signal: AbortSignal): Promise<TestResult | undefined> {
    const { target, settings, knownFailures } = this.#prepared();
    const { slug } = info;
    if (!this.#isWanted(slug)) return undefined;
    signal.addEventListener('abort', () => this.#interrupt.abort());
    this.#conducted ??= this.#conduct();
    const outcome = this.#outcomes.of(slug);
    const accepted = accept(await Promise.race([outcome, this.#conducted.then(() => outcome)]), knownFailures);
    return testResult(info, accepted, { strict: settings.strict, knownFailures, baseUrl: target.baseUrl });
  }

  /** Throws a SettingsError where the selection names no requirement. */
  #isWanted(slug: string): boolean {
    this.#selected ??= select(
      this.#requirements.map((one) => one.slug),
      this.#prepared().settings.selection,
    );
    return this.#selected.has(slug);
  }

  async #conduct(): Promise<void> {
    const { target, settings } = this.#prepared();
    await conduct({
      target,
      settings,
      ...(await explorationOf(settings, this.#topics)),
      requirements: this.#requirements,
      isWanted: (slug) => this.#isWanted(slug),
      signal: this.#interrupt.signal,
      onOutcome: (outcome) => this.#outcomes.give(outcome.slug, outcome),
    });
  }
}
