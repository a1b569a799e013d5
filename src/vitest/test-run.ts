import type { TaskMeta } from 'vitest';
import { type Conducted, conduct } from '../conduct/conduct.ts';
import { explorationOf, type LoadTopics } from '../conduct/thorough.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Requirement } from '../requirement/requirement.ts';
import { select } from '../settings/selection.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { accept } from '../verdict/accept.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { PROGRESS } from './progress.ts';

/** What a run of Vitest's tests needs to know. */
export interface Prepared {
  target: Target;
  settings: Settings;
  knownFailures: ListedFailure[];
}

/** One run, begun by the first test that waits for an outcome. */
export class TestRun {
  readonly #requirements: Requirement[];
  readonly #topics: LoadTopics;
  readonly prepared: () => Prepared;
  readonly #interrupt = new AbortController();
  readonly #waiting = new Map<string, { outcome: Promise<Outcome>; tell: (outcome: Outcome) => void }>();
  #conducted: Promise<Conducted> | undefined;
  #selected: Set<string> | undefined;

  /** `prepared` returns what the run needs to know; it is asked when the first test begins. */
  constructor(requirements: Requirement[], topics: LoadTopics, prepared: () => Prepared) {
    this.#requirements = requirements;
    this.#topics = topics;
    this.prepared = prepared;
  }

  /** Whether the selection leaves a requirement. Throws a SettingsError. */
  isWanted(slug: string): boolean {
    this.#selected ??= select(
      this.#requirements.map((one) => one.slug),
      this.prepared().settings.selection,
    );
    return this.#selected.has(slug);
  }

  /** The outcome of a requirement, as soon as it is final. Rejects where the suite itself breaks down. */
  async outcomeOf(slug: string, signal: AbortSignal): Promise<Outcome> {
    signal.addEventListener('abort', () => this.#interrupt.abort());
    this.#conducted ??= this.#conduct();
    const outcome = await Promise.race([this.#of(slug).outcome, this.#conducted.then(() => this.#of(slug).outcome)]);
    return accept(outcome, this.prepared().knownFailures);
  }

  async #conduct(): Promise<Conducted> {
    const prepared = this.prepared();
    const channel = prepared.settings.thorough ? new BroadcastChannel(PROGRESS) : undefined;
    try {
      return await conduct({
        ...prepared,
        ...(await explorationOf(prepared.settings, this.#topics, (progress) => channel?.postMessage(progress))),
        requirements: this.#requirements,
        isWanted: (one) => this.isWanted(one),
        signal: this.#interrupt.signal,
        onOutcome: (outcome) => this.#of(outcome.slug).tell(outcome),
      });
    } finally {
      channel?.close();
    }
  }

  /** Keeps with the tests' file what the whole run came to. */
  async tell(meta: TaskMeta): Promise<void> {
    const conducted = await this.#conducted?.catch(() => undefined);
    if (conducted === undefined) return;
    // Vitest ends an interrupted test at once: what it has yet to say may come too late for the reports.
    const late = this.#interrupt.signal.aborted ? conducted.outcomes : [];
    meta.conducted = { ...conducted, outcomes: late.map((outcome) => accept(outcome, this.prepared().knownFailures)) };
  }

  #of(slug: string) {
    const known = this.#waiting.get(slug);
    if (known) return known;
    const { promise, resolve } = withResolvers<Outcome>();
    const fresh = { outcome: promise, tell: resolve };
    this.#waiting.set(slug, fresh);
    return fresh;
  }
}

/** Promise.withResolvers, which Node 20 does not have. */
function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
