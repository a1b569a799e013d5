import { inert, repeat } from '../reports/text.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { RequirementInfo } from '../requirement/requirement.ts';
import { entriesToChange, lineToChange } from '../verdict/entries-to-change.ts';
import type { ListedFailure } from '../verdict/known-failures.ts';
import { effectOf } from '../verdict/verdict.ts';

/** What becomes of the test of a requirement, and why. */
export interface TestResult {
  state: 'passes' | 'fails' | 'warns' | 'skips';
  message: string;
}

/** What decides it besides the outcome. */
export interface TestTerms {
  strict: boolean;
  knownFailures: readonly ListedFailure[];
  /** The target's base address. */
  baseUrl: string;
}

/** What an outcome makes of the test of its requirement. Pure. */
export function testResult(info: RequirementInfo, outcome: Outcome, terms: TestTerms): TestResult {
  const effect = effectOf({ ...outcome, level: info.level }, terms);
  const message = inert(messageOf(info, outcome, terms));
  if (effect === 'fails' || effect === 'leaves open') return { state: 'fails', message };
  if (outcome.outcome === 'passed') return { state: 'passes', message };
  return { state: effect === 'warns' ? 'warns' : 'skips', message };
}

function messageOf(
  { level, sentence, source }: RequirementInfo,
  { slug, outcome, reason, exchanges }: Outcome,
  { knownFailures, baseUrl }: TestTerms,
): string {
  if (outcome === 'passed') {
    const entries = knownFailures.filter((entry) => entry.slug === slug);
    return entriesToChange(entries, [{ slug, outcome }]).map(lineToChange).join();
  }
  if (outcome === 'failed') {
    const line = repeat(exchanges, new URL(baseUrl).origin);
    return [
      `${level} not met: ${sentence}`,
      `source: ${source.text}`,
      reason,
      ...(line ? [`repeat: ${line}`] : []),
    ].join('\n');
  }
  return `${outcome.replace('-', ' ')}: ${reason}`;
}
