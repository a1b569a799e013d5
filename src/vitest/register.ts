import { afterAll, describe, inject, type TaskMeta, test } from 'vitest';
import { curl, inert } from '../reports/text.ts';
import { type Conducted, conduct } from '../requirement/conduct.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Requirement, RequirementInfo } from '../requirement/requirement.ts';
import { select } from '../settings/selection.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { accept } from '../verdict/accept.ts';
import { entriesToChange, lineToChange } from '../verdict/entries-to-change.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { effectOf } from '../verdict/verdict.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Which requirement a test judges, and its place among them. */
    requirement?: RequirementInfo & { order: number };
    outcome?: Outcome;
    /** What the whole run came to: with the tests' file, when all are judged. The outcomes are those of tests that were cut off. */
    conducted?: Conducted;
  }
  interface ProvidedContext {
    target: Target;
    settings: Settings;
    knownFailures: ListedFailure[];
  }
}

/** Registers requirements as Vitest's tests. The run begins with the first of them, and each ends when it is judged. */
export function register(requirements: Requirement[]): void {
  const [target, settings, knownFailures] = [inject('target'), inject('settings'), inject('knownFailures')];
  const slugs = requirements.map(({ slug }) => slug);
  const selected = select(slugs, settings.selection);
  const run = new TestRun({ requirements, isWanted: (slug) => selected.has(slug), target, settings });
  for (const chapter of new Set(requirements.map((one) => one.chapter))) {
    describe(chapter, () => {
      for (const requirement of requirements.filter((one) => one.chapter === chapter)) {
        const { check, evidence, ...info } = requirement;
        const meta = { requirement: { ...info, order: requirements.indexOf(requirement) } };
        test(info.slug, { meta, skip: !selected.has(info.slug) }, async ({ task, annotate, skip, signal }) => {
          const outcome = accept(await run.outcomeOf(info.slug, signal), knownFailures);
          task.meta.outcome = outcome;
          const { strict } = settings;
          const effect = effectOf({ ...outcome, level: info.level }, { strict, knownFailures });
          const message = inert(messageOf(info, outcome, new URL(target.baseUrl).origin, knownFailures));
          if (effect === 'fails' || effect === 'leaves open') throw plainError(message);
          if (outcome.outcome === 'passed') return;
          // A test that only carries an annotation shows as green in most reports; a skipped one never does.
          if (effect === 'warns') await annotate(message, 'warning');
          skip(message);
        });
      }
    });
  }
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it that no fixture is wanted
  afterAll(({}, { file }) => run.tell(file.meta, knownFailures));
}

/** One run, begun by whoever first waits for an outcome. */
class TestRun {
  readonly #options: Parameters<typeof conduct>[0];
  readonly #interrupt = new AbortController();
  readonly #waiting = new Map<string, { outcome: Promise<Outcome>; tell: (outcome: Outcome) => void }>();
  #conducted: Promise<Conducted> | undefined;

  constructor(options: Parameters<typeof conduct>[0]) {
    this.#options = options;
  }

  /** The outcome of a requirement, as soon as it is final. Rejects where the suite itself breaks down. */
  outcomeOf(slug: string, signal: AbortSignal): Promise<Outcome> {
    signal.addEventListener('abort', () => this.#interrupt.abort());
    this.#conducted ??= conduct({
      ...this.#options,
      signal: this.#interrupt.signal,
      onOutcome: (outcome) => this.#of(outcome.slug).tell(outcome),
    });
    return Promise.race([this.#of(slug).outcome, this.#conducted.then(() => this.#of(slug).outcome)]);
  }

  /** Keeps with the tests' file what the whole run came to. */
  async tell(meta: TaskMeta, knownFailures: ListedFailure[]): Promise<void> {
    const conducted = await this.#conducted?.catch(() => undefined);
    if (conducted === undefined) return;
    // Vitest ends an interrupted test at once: what it has yet to say may come too late for the reports.
    const late = this.#interrupt.signal.aborted ? conducted.outcomes : [];
    meta.conducted = { ...conducted, outcomes: late.map((outcome) => accept(outcome, knownFailures)) };
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

function messageOf(
  { level, sentence, source }: RequirementInfo,
  { slug, outcome, reason, exchanges }: Outcome,
  origin: string,
  knownFailures: ListedFailure[],
): string {
  if (outcome === 'passed') {
    const entries = knownFailures.filter((entry) => entry.slug === slug);
    return entriesToChange(entries, [{ slug, outcome }]).map(lineToChange).join();
  }
  if (outcome === 'failed') {
    const last = exchanges.at(-1);
    const repeat = last === undefined ? '' : `\nrepeat: ${curl(last, origin)}`;
    return `${level} not met: ${sentence}\nsource: ${source.text}\n${reason}${repeat}`;
  }
  return `${outcome.replace('-', ' ')}: ${reason}`;
}

/** An error of a message alone: whatever else an error carries may end in a report. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
