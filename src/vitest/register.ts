import { afterAll, describe, inject, test } from 'vitest';
import type { Conducted } from '../conduct/conduct.ts';
import type { LoadTopics } from '../conduct/thorough.ts';
import { curl, inert } from '../reports/text.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { Requirement, RequirementInfo } from '../requirement/requirement.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { entriesToChange, lineToChange } from '../verdict/entries-to-change.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { effectOf } from '../verdict/verdict.ts';
import { handedOver } from './hand-over.ts';
import { TestRun } from './test-run.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Which requirement a test judges, and its place among them. */
    requirement?: RequirementInfo & { order: number };
    outcome?: Outcome;
    /** What the whole run came to: with the tests' file, when all are judged. The outcomes are those of tests that were cut off. */
    conducted?: Conducted;
  }
  interface ProvidedContext {
    /** That of the embedded reference alone, whose key is no secret. */
    target?: Target;
    settings: Omit<Settings, 'target'>;
    knownFailures: ListedFailure[];
  }
}

/**
 * Registers requirements as the tests of a conformance run, whose settings Vitest's configuration has provided. `topics` loads
 * what a thorough run explores.
 */
export function register(requirements: Requirement[], topics: LoadTopics): void {
  const target = handedOver() ?? (inject('target') as Target);
  const prepared = { target, settings: inject('settings'), knownFailures: inject('knownFailures') };
  const run = new TestRun(requirements, topics, () => prepared);
  registerTests(requirements, run, { isLeftOut: (slug) => !run.isWanted(slug) });
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it that no fixture is wanted
  afterAll(({}, { file }) => run.tell(file.meta));
}

interface TestOptions {
  /** Which requirements are known to be left out before the run is prepared. */
  isLeftOut?: (slug: string) => boolean;
  /** Milliseconds; absent: those of Vitest's configuration. */
  timeout?: number;
}

/** Registers a test for each requirement. The run begins with the first of them, and each ends when it is judged. */
export function registerTests(
  requirements: Requirement[],
  run: TestRun,
  { isLeftOut = () => false, ...options }: TestOptions,
): void {
  for (const chapter of new Set(requirements.map((one) => one.chapter))) {
    describe(chapter, () => {
      for (const requirement of requirements.filter((one) => one.chapter === chapter)) {
        const { check, evidence, ...info } = requirement;
        const meta = { requirement: { ...info, order: requirements.indexOf(requirement) } };
        test(info.slug, { ...options, meta, skip: isLeftOut(info.slug) }, async ({ task, annotate, skip, signal }) => {
          const { target, settings, knownFailures } = run.prepared();
          if (!run.isWanted(info.slug)) return skip('left out by a filter');
          const outcome = await run.outcomeOf(info.slug, signal);
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
