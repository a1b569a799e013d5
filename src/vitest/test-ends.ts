import type { ShownExchange } from '../http/exchange.ts';
import {
  repeatCommands,
  requestLines,
  responseLines,
  valuesNamedIn,
} from '../reports/exchange-text.ts';
import type { Report, ReportedRequirement } from '../reports/report.ts';
import { notVerifiedReasons, SUITE_FAILED } from '../reports/rows.ts';
import { selectedRequirements } from '../reports/selection.ts';
import { testResult } from '../reports/test-results.ts';
import { abbreviateList, sanitize, sanitizeLine } from '../reports/text.ts';
import { effectOf, lineToChange } from '../verdict/verdict.ts';

/** The end of the test of a requirement. */
export interface TestEnd {
  state: 'passes' | 'fails' | 'warns' | 'skips';
  /** One line; empty if the test passes. */
  reason: string;
  /** The message of a test that fails or warns. */
  message: string;
}

/**
 * Returns the ends of the tests that Vitest runs, by slug. Each requirement that fails the run is
 * one failed test. An unverified requirement is a skipped test. If no test fails but the run is
 * inconclusive, one test fails with the reason. Pure.
 */
export function testEnds(
  report: Report,
  isRunnable: (slug: string) => boolean,
  fault?: string,
): ReadonlyMap<string, TestEnd> {
  const rows = selectedRequirements(report).filter(({ id }) => isRunnable(id));
  const ends = new Map(rows.map((row) => [row.id, endOf(row, report)]));
  if ([...ends.values()].some(({ state }) => state === 'fails')) return ends;
  const isOpen = (row: ReportedRequirement) => effectOf(row, report.scope.strict) === 'leaves open';
  const open = rows.filter(isOpen);
  const isNothingJudged =
    report.verdict === 'inconclusive' && !report.requirements.some((row) => isOpen(row));
  const candidates = isNothingJudged || fault !== undefined ? [...open, ...rows] : open;
  const chosen = open.find(({ needs }) => needs === undefined) ?? candidates[0];
  if (chosen !== undefined) {
    const message = fault === undefined ? inconclusiveText(chosen, report) : suiteFailed(fault);
    ends.set(chosen.id, makeFailure(message));
  }
  return ends;
}

export const suiteFailed = (fault: string): string => `${SUITE_FAILED} ${fault}`;

function endOf(row: ReportedRequirement, report: Report): TestEnd {
  const toChange = report.knownFailures.toChange.map((entry) => ({
    ...entry,
    message: lineToChange(entry),
  }));
  const knownFailures = { ...report.knownFailures, toChange };
  const { state, message } = testResult(row, { ...report, knownFailures });
  if (state === 'passes') return { state, reason: '', message: '' };
  if (row.outcome !== 'failed')
    return state === 'fails' ? makeFailure(message) : makeSkip(sanitizeLine(message));
  const text = sanitize([message, ...evidenceLines(row, report)].join('\n'));
  if (state === 'fails') return makeFailure(text);
  return { state: 'warns', reason: sanitizeLine(`${message} ${row.reason}`), message: text };
}

const makeFailure = (message: string): TestEnd => ({
  state: 'fails',
  reason: sanitizeLine(message),
  message: sanitize(message),
});

const makeSkip = (reason: string): TestEnd => ({ state: 'skips', reason, message: reason });

/** Returns the reason, the source, an exchange and commands that repeat it. */
function evidenceLines(
  { reason, got, source, exchanges }: ReportedRequirement,
  report: Report,
): string[] {
  const statuses = valuesNamedIn(got ?? '');
  const index = exchanges.findLastIndex(({ response }) => statuses.has(`${response?.status}`));
  const relevant = index < 0 ? exchanges : exchanges.slice(0, index + 1);
  const last = relevant.at(-1);
  const lines = [reason, `source: ${source.text}`];
  if (last) lines.push('', ...exchangeLines(last));
  const commands = repeatCommands(relevant, report.target.baseUrl);
  if (commands.length > 0) lines.push('', ...commands.map((command) => `repeat: ${command}`));
  return lines;
}

/** Headers that are the reason of no failure. */
const IRRELEVANT_HEADER = /^(connection|date|keep-alive|transfer-encoding|user-agent)$/i;

function exchangeLines(exchange: ShownExchange): string[] {
  const { request, response } = exchange;
  const headers = Object.entries(request.headers).filter(([name]) => !IRRELEVANT_HEADER.test(name));
  const shown = response && {
    ...response,
    headers: response.headers.filter(([name]) => !IRRELEVANT_HEADER.test(name)),
  };
  return [
    ...requestLines({ ...request, headers: Object.fromEntries(headers) }),
    '',
    ...responseLines({ ...exchange, ...(shown && { response: shown }) }),
  ];
}

/** Says why a run without a failed test has no verdict. */
function inconclusiveText({ reason, needs }: ReportedRequirement, report: Report): string {
  if (report.verdict !== 'inconclusive') return `Not verified: ${reason}`;
  const lines = [`Inconclusive: ${report.because}`];
  if (!report.obstacle) {
    for (const [why, slugs] of notVerifiedReasons(report))
      lines.push(`${why}: ${abbreviateList(slugs)}`);
  }
  if (needs !== undefined) lines.push(`not verified: ${reason}`);
  return lines.join('\n');
}
