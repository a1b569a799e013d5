import { afterAll, describe, inject, test } from 'vitest';
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
const known = new Map(settings.knownFailures.map(({ slug, reason }) => [slug, reason]));

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
    const outcome = withKnownFailure(await judge(requirement, session));
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

function withKnownFailure(outcome: Outcome): Outcome {
  const reason = known.get(outcome.slug);
  if (reason !== undefined && outcome.outcome === 'failed') {
    return { ...outcome, outcome: 'known-failure', reason: `${reason} (${outcome.reason})` };
  }
  // What can't be judged because of a failure that is accepted must not close the gate in its stead.
  if (outcome.outcome === 'not-verified' && outcome.needs !== undefined && known.has(outcome.needs)) {
    return { ...outcome, outcome: 'not-applicable', reason: `${outcome.reason}, a known failure` };
  }
  return outcome;
}

function isRed({ level }: Requirement, { slug, outcome }: Outcome): boolean {
  if (outcome === 'passed') return known.has(slug);
  return (outcome === 'failed' || outcome === 'not-verified') && (level === 'MUST' || settings.strict);
}

function messageOf({ level, sentence, source }: Requirement, { slug, outcome, reason, evidence }: Outcome): string {
  if (outcome === 'passed') return `${slug} passes: remove it from the known failures`;
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
