import { afterAll, describe, inject, test } from 'vitest';
import { accept } from '../src/accept.ts';
import { entriesToChange, lineToChange } from '../src/entries-to-change.ts';
import { judge } from '../src/judge.ts';
import type { Outcome } from '../src/outcome.ts';
import type {} from '../src/reports/reporter.ts';
import { curl, inert } from '../src/reports/text.ts';
import { type Phase, phases, type Requirement } from '../src/requirement.ts';
import { select } from '../src/selection.ts';
import { Session } from '../src/session.ts';
import { requirements } from './index.ts';

const settings = inject('settings');
const session = new Session(requirements, inject('target'), settings);
const selected = select(
  requirements.map(({ slug }) => slug),
  settings.selection,
);

/** Registers the requirements of one phase as tests, by chapter; see the phases for what runs at the same time. */
function register(phase: Phase): void {
  const suite = phase === 'together' ? describe : describe.sequential;
  for (const chapter of new Set(requirements.map((one) => one.chapter))) {
    const ours = requirements.filter((one) => one.chapter === chapter && one.phase === phase);
    if (ours.length > 0) suite(chapter, () => ours.forEach(registerOne));
  }
}

function registerOne(requirement: Requirement): void {
  const { check, ...described } = requirement;
  const meta = { requirement: { ...described, order: requirements.indexOf(requirement) } };
  const skip = !selected.has(requirement.slug);
  test(requirement.slug, { meta, skip }, async ({ task, annotate, skip, signal }) => {
    signal.addEventListener('abort', () => session.client.end.end('the run was interrupted'));
    const outcome = accept(await judge(requirement, session), settings.knownFailures);
    task.meta.outcome = outcome;
    task.meta.tally = session.tally();
    const message = inert(messageOf(requirement, outcome));
    if (isRed(requirement, outcome)) throw plainError(message);
    if (outcome.outcome === 'passed') return;
    // A test that only carries an annotation shows as green in most reports; a skipped one never does.
    if (outcome.outcome === 'failed') await annotate(message, 'warning');
    skip(message);
  });
}

function isRed({ level }: Requirement, { slug, outcome }: Outcome): boolean {
  if (outcome === 'passed') return settings.knownFailures.some((entry) => entry.slug === slug);
  return (outcome === 'failed' || outcome === 'not-verified') && (level === 'MUST' || settings.strict);
}

function messageOf({ level, sentence, source }: Requirement, found: Outcome): string {
  const { slug, outcome, reason, evidence } = found;
  if (outcome === 'passed') {
    const entries = settings.knownFailures.filter((entry) => entry.slug === slug);
    return entriesToChange(entries, [found]).map(lineToChange).join();
  }
  if (outcome === 'failed') {
    const [origin, last] = [session.client.origin, evidence.at(-1)];
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

phases.forEach(register);
afterAll(() => session.client.close());
