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
 * Returns the ends of the tests that Vitest carries out, by slug. Each requirement that fails the run is one failed
 * test. A requirement that could not be verified is skipped, unless no test would fail then: one of them fails and
 * says why the run is inconclusive. Pure.
 */
export function testEnds(
  report: Report,
  isCarriedOut: (slug: string) => boolean,
  fault?: string,
): ReadonlyMap<string, TestEnd> {
  const rows = selectedRequirements(report).filter(({ id }) => isCarriedOut(id));
  const ends = new Map(rows.map((row) => [row.id, endOf(row, report)]));
  if ([...ends.values()].some(({ state }) => state === 'fails')) return ends;
  const isOpen = (row: ReportedRequirement) => effectOf(row, report.scope.strict) === 'leaves open';
  const open = rows.filter(isOpen);
  const isNothingJudged =
    report.verdict === 'inconclusive' && !report.requirements.some((row) => isOpen(row));
  const [first] = [
    ...open.filter(({ needs }) => needs === undefined),
    ...open,
    ...(isNothingJudged || fault !== undefined ? rows : []),
  ];
  if (first !== undefined) {
    const reason = fault === undefined ? inconclusive(first, report) : suiteFailed(fault);
    ends.set(first.id, failing(reason));
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
    return state === 'fails' ? failing(message) : skipping(sanitizeLine(message));
  const text = sanitize([message, ...evidence(row, report)].join('\n'));
  if (state === 'fails') return failing(text);
  return { state: 'warns', reason: sanitizeLine(`${message} ${row.reason}`), message: text };
}

const failing = (message: string): TestEnd => ({
  state: 'fails',
  reason: sanitizeLine(message),
  message: sanitize(message),
});

const skipping = (reason: string): TestEnd => ({ state: 'skips', reason, message: reason });

/** What a requirement failed by: the values, its source, a request and its response, and a command. */
function evidence(
  { reason, got, source, exchanges }: ReportedRequirement,
  report: Report,
): string[] {
  const named = valuesNamedIn(got ?? '');
  const showing = exchanges.findLastIndex(({ response }) => named.has(`${response?.status}`));
  const sent = showing < 0 ? exchanges : exchanges.slice(0, showing + 1);
  const last = sent.at(-1);
  const lines = repeatCommands(sent, report.target.baseUrl);
  return [
    reason,
    `source: ${source.text}`,
    ...(last ? ['', ...exchangeLines(last)] : []),
    ...(lines.length > 0 ? [''] : []),
    ...lines.map((line) => `repeat: ${line}`),
  ];
}

/** Headers of HTTP's own, by which no requirement fails. */
const USUAL_HEADER = /^(connection|date|keep-alive|transfer-encoding|user-agent)$/i;

function exchangeLines(exchange: ShownExchange): string[] {
  const { request, response } = exchange;
  const headers = Object.entries(request.headers).filter(([name]) => !USUAL_HEADER.test(name));
  const shown = response && {
    ...response,
    headers: response.headers.filter(([name]) => !USUAL_HEADER.test(name)),
  };
  return [
    ...requestLines({ ...request, headers: Object.fromEntries(headers) }),
    '',
    ...responseLines({ ...exchange, ...(shown && { response: shown }) }),
  ];
}

/** Why a run without a failed test has no verdict. */
function inconclusive({ reason, needs }: ReportedRequirement, report: Report): string {
  if (report.verdict !== 'inconclusive') return `Not verified: ${reason}`;
  const reasons = report.obstacle
    ? []
    : notVerifiedReasons(report).map(([why, slugs]) => `${why}: ${abbreviateList(slugs)}`);
  return [
    `Inconclusive: ${report.because}`,
    ...reasons,
    ...(needs === undefined ? [] : [`not verified: ${reason}`]),
  ].join('\n');
}
