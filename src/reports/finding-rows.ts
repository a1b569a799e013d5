import type { ShownExchange } from '../http/exchange.ts';
import { HEADER_VALUE } from '../http/key.ts';
import { type Excerpt, excerptOf } from './exchange-text.ts';
import {
  commandFor,
  commandLine,
  explainLine,
  type NextCommand,
  separateReports,
  shellWord,
} from './next-command.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { valuesNamedIn } from './wrong-part.ts';

/** A row of a finding: a label and its text on one line. */
export interface FindingRow extends Excerpt {
  label: string;
  /** Whether the text is a part of a request or response, or a command. */
  isCode?: true;
  /** Whether the text is a command, which is neither wrapped nor shortened, so that people copy it. */
  isCommand?: true;
}

/** The parts of a report that the rows of a finding need. */
export type FindingContext = Pick<Report, 'target' | 'scope' | 'requirements'> &
  Partial<Pick<Report, 'knownFailures'>>;

/** What the rows of a finding name besides the report. */
export interface RowOptions {
  /** The command that makes the run again. */
  command?: NextCommand | undefined;
  /** The test file with whose tests the service ends. */
  testFile?: string | undefined;
}

/**
 * Returns the rows of a requirement that did not pass: why, the requests and responses that show
 * it, and the commands that repeat and explain it. The terminal, the summary, JUnit, Allure and
 * Vitest print these rows; the page prints most of them.
 */
export function findingRows(
  requirement: ReportedRequirement,
  report: FindingContext,
  options: RowOptions = {},
): FindingRow[] {
  const { id, source } = requirement;
  return [
    ...reasonRows(requirement, report),
    ...exchangeRows(requirement),
    ...repeatRows(requirement, report, options),
    { label: 'source', text: source.text },
    commandRow('explain', explainLine(id, options.command?.program)),
  ];
}

/** Returns the rows that say why a requirement did not pass. */
export function reasonRows(
  { id, reason, expected, got, seen }: ReportedRequirement,
  { knownFailures }: FindingContext,
): FindingRow[] {
  const rows: FindingRow[] = [];
  const known = knownFailures?.listed.find(({ slug }) => slug === id);
  if (known) rows.push({ label: 'known failure', text: known.reason });
  if (expected === undefined) rows.push({ label: 'why', text: reason });
  else rows.push({ label: 'expected', text: expected });
  if (expected !== undefined && got !== undefined) rows.push({ label: 'got', text: got });
  if (seen && seen.of > 1)
    rows.push({ label: 'failed', text: `${seen.times} of ${seen.of} times` });
  return rows;
}

/**
 * Returns the rows of the requests and responses of a finding. Equal requests in a row are shown
 * once, and of their responses with a wrong part only the last.
 */
export function exchangeRows({ exchanges, got }: ReportedRequirement): FindingRow[] {
  const values = valuesNamedIn(got);
  const rows: FindingRow[] = [];
  let request = '';
  for (const exchange of exchanges) {
    const text = requestText(exchange);
    const response: FindingRow = {
      label: 'response',
      ...excerptOf(exchange, values),
      isCode: true,
    };
    if (text !== request) rows.push({ label: 'request', text, isCode: true });
    else if (rows.at(-1)?.text === response.text || (rows.at(-1)?.mark && response.mark))
      rows.pop();
    rows.push(response);
    request = text;
  }
  return rows;
}

/** Headers that do not distinguish one case from another. */
const USUAL_HEADERS = ['accept', 'content-type', 'user-agent'];

/** Returns a request on one line, with the headers that distinguish its case. */
function requestText({ request: { method, path, headers, body } }: ShownExchange): string {
  const distinctive = Object.entries(headers).filter(
    ([name, value]) => !USUAL_HEADERS.includes(name) && value !== HEADER_VALUE,
  );
  const parts = [`${method} ${path}`, ...distinctive.map(([name, value]) => `${name}: ${value}`)];
  if (body) parts.push(body);
  return parts.join('  ');
}

/**
 * Returns the rows of the commands that repeat a failure: requests that show it against a service
 * that was just started, or else a run, which sends all that the failure may need.
 */
export function repeatRows(
  requirement: ReportedRequirement,
  { target, scope }: FindingContext,
  { command, testFile }: RowOptions,
): FindingRow[] {
  const { id, repeat = [] } = requirement;
  if (testFile !== undefined) {
    const line = `npx vitest run ${shellWord(testFile)} -t ${shellWord(`${id}$`)}`;
    return [{ label: 'repeat', text: ENDED }, commandRow('again', line)];
  }
  const rows = repeat.map((text, index) => commandRow(index === 0 ? 'repeat' : 'and then', text));
  if (rows.length > 0 && !command?.stopsService) return rows;
  const by = command ?? commandFor({ target, scope });
  const changes = { only: id, 'all-requests': true as const, ...separateReports(by) };
  if (command?.stopsService) rows.push({ label: 'stopped', text: STOPPED });
  return [...rows, commandRow('again', commandLine(by, changes))];
}

const ENDED = 'the service ends with the tests; this runs them again for this requirement:';

const STOPPED = 'the service was stopped after the run; this command starts it and tests it again:';

const commandRow = (label: string, text: string): FindingRow => ({
  label,
  text,
  isCode: true,
  isCommand: true,
});
