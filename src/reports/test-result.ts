import { effectOf } from '../verdict/verdict.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { repeat } from './text.ts';

/** What becomes of the test of a requirement, where a run is shown as tests. */
export interface TestResult {
  state: 'passes' | 'fails' | 'is open' | 'warns' | 'skips';
  message: string;
  /** Of what does not hold: its source, the finding, and the line that repeats it. */
  details: string[];
}

/** What a test result needs of a report. */
export interface TestTerms {
  scope: Pick<Report['scope'], 'strict'>;
  target: Pick<Report['target'], 'baseUrl'>;
  knownFailures: Pick<Report['knownFailures'], 'toChange'>;
}

/** What the outcome of a requirement makes of its test. Pure. */
export function testResult(one: ReportedRequirement, { scope, target, knownFailures }: TestTerms): TestResult {
  const { id, level, outcome, sentence, source, reason, exchanges } = one;
  if (outcome === 'passed') {
    const stale = knownFailures.toChange.find(({ slug }) => slug === id);
    return { state: stale ? 'fails' : 'passes', message: stale?.message ?? '', details: [] };
  }
  const effect = effectOf(one, scope.strict);
  if (outcome === 'failed') {
    const line = repeat(exchanges, new URL(target.baseUrl).origin);
    const details = [`source: ${source.text}`, reason, ...(line ? [`repeat: ${line}`] : [])];
    return { state: effect === 'warns' ? 'warns' : 'fails', message: `${level} not met: ${sentence}`, details };
  }
  const message = `${outcome.replace('-', ' ')}: ${reason}`;
  return { state: effect === 'leaves open' ? 'is open' : 'skips', message, details: [] };
}
