import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { Session } from '../plan/session.ts';
import { curl, inert } from '../reports/text.ts';
import { judge, judgeInPhases } from '../requirement/judge.ts';
import type { Outcome } from '../requirement/outcome.ts';
import { phases, type Requirement } from '../requirement/requirement.ts';
import { select } from '../settings/selection.ts';
import { accept } from '../verdict/accept.ts';
import { entriesToChange, lineToChange } from '../verdict/entries-to-change.ts';
import type {} from './reporter.ts';

const settings = inject('settings');
const selected = select(
  requirements.map(({ slug }) => slug),
  settings.selection,
);

/**
 * Registers requirements as Vitest's tests, by phase and chapter; see the phases for what runs at the same time. `before`
 * are judged first without being told of, for requirements that look at the record of a whole run.
 */
export function register(ours: Requirement[], before: Requirement[] = []): void {
  const session = new Session(requirements, inject('target'), settings);
  if (before.length > 0) beforeAll(() => judgeInPhases(before, session));
  for (const phase of phases) {
    const suite = phase === 'together' ? describe : describe.sequential;
    for (const chapter of new Set(ours.map((one) => one.chapter))) {
      const those = ours.filter((one) => one.chapter === chapter && one.phase === phase);
      if (those.length > 0)
        suite(chapter, () => those.forEach((one) => void registerOne(one, session, before.length > 0)));
    }
  }
  afterAll(() => session.client.close());
}

function registerOne(requirement: Requirement, session: Session, tellsRecord: boolean): void {
  const { check, ...described } = requirement;
  const meta = { requirement: { ...described, order: requirements.indexOf(requirement) } };
  const skip = !selected.has(requirement.slug);
  test(requirement.slug, { meta, skip }, async ({ task, annotate, skip, signal }) => {
    signal.addEventListener('abort', () => session.client.end.end('the run was interrupted'));
    const outcome = accept(await judge(requirement, session), settings.knownFailures);
    // What was judged before is told by no test of its own, and reports have every request.
    task.meta.outcome = tellsRecord ? { ...outcome, exchanges: session.client.record } : outcome;
    task.meta.tally = session.tally();
    const message = inert(messageOf(requirement, outcome, session.client.origin));
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

function messageOf({ level, sentence, source }: Requirement, found: Outcome, origin: string): string {
  const { slug, outcome, reason, evidence } = found;
  if (outcome === 'passed') {
    const entries = settings.knownFailures.filter((entry) => entry.slug === slug);
    return entriesToChange(entries, [found]).map(lineToChange).join();
  }
  if (outcome === 'failed') {
    const last = evidence.at(-1);
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
