import { cutMiddle } from '../http/value.ts';
import { lineToChange } from '../verdict/accept.ts';
import { effectOf } from '../verdict/verdict.ts';
import { asSentence, capitalize } from './advice.ts';
import { kindText } from './appearance.ts';
import { exchangeRows, type FindingRow, findingRows, type RowOptions } from './finding-rows.ts';
import { rowsText } from './finding-text.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { PLAIN } from './screen.ts';
import { sanitizeLine } from './text.ts';

/** The result of the test of a requirement. */
export interface TestResult {
  state: 'passes' | 'fails' | 'is open' | 'warns' | 'skips';
  /** One line; empty if the test passes. */
  message: string;
  /** The same at length, with the rows of the finding. */
  text: string;
}

/** The most characters of a reason in a message. */
const MAX_REASON = 400;

/** Returns the result of the test of a requirement, for reports that show a run as tests. */
export function testResult(
  requirement: ReportedRequirement,
  report: Report,
  options: RowOptions = {},
): TestResult {
  const { id, level, outcome, sentence, reason, needs } = requirement;
  if (outcome === 'passed') {
    const stale = report.knownFailures.toChange.find(({ slug }) => slug === id);
    const message = stale ? sanitizeLine(lineToChange(stale)) : '';
    return { state: stale ? 'fails' : 'passes', message, text: message };
  }
  const effect = effectOf(requirement, report.scope.strict);
  if (outcome !== 'failed') {
    const state = effect === 'leaves open' ? 'is open' : 'skips';
    const message = sanitizeLine(`${kindText(outcome)}: ${reason}`);
    // A requirement that needs another has no requests of its own.
    const rows = state === 'is open' && needs === undefined ? exchangeRows(requirement) : [];
    return { state, message, text: [message, ...linesOf(rows)].join('\n') };
  }
  const title = `${level} not met: ${sentence}`;
  return {
    state: effect === 'warns' ? 'warns' : 'fails',
    message: sanitizeLine(`${title} ${asSentence(capitalize(cutMiddle(reason, MAX_REASON)))}`),
    text: [title, ...linesOf(findingRows(requirement, report, options))].join('\n'),
  };
}

const linesOf = (rows: readonly FindingRow[]): string[] =>
  rows.length === 0 ? [] : [rowsText(rows, PLAIN, 0)];
