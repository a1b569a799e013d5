import { join, relative } from 'node:path';
import type { ShownExchange } from '../http/exchange.ts';
import { HEADER_VALUE } from '../http/key.ts';
import { cutMiddle } from '../http/value.ts';
import { appearanceOf, countKinds, countsText, VERDICTS } from './appearance.ts';
import type { Changes } from './changed.ts';
import { changeRows, changesText } from './changes.ts';
import { bodyBeginning, repeatCommands } from './exchange-text.ts';
import { commandLine, explainLine, type NextCommand, separateReports } from './next-command.ts';
import type { Report, ReportedRequirement } from './report.ts';
import {
  depthRows,
  findingRows,
  HEADINGS,
  linesToChange,
  notVerifiedReasons,
  numberRows,
} from './rows.ts';
import { type Screen, wrap } from './screen.ts';
import {
  chaptersOf,
  dependentsText,
  findingsOf,
  openRequirements,
  selectedRequirements,
} from './selection.ts';
import { abbreviateList, sanitizeLine } from './text.ts';

/** The parts of a run to print: chapters with findings, all requirements, or only the verdict. */
export type Detail = 'chapters' | 'all' | 'verdict';

/** Returns the end of a run: its chapters, the numbers and the verdict. */
export function closingText(
  report: Report,
  reportDir: string,
  screen: Screen,
  detail: Detail = 'chapters',
  command?: NextCommand,
): string {
  const parts: string[] = [];
  if (detail !== 'verdict') {
    parts.push(chaptersText(report, screen, detail, command));
    parts.push(section(HEADINGS.notVerified, notVerifiedText(report, screen), screen));
  }
  parts.push(section(HEADINGS.knownFailures, toChangeText(report, screen), screen));
  if (detail !== 'verdict') parts.push(numbersText(report, reportDir, screen));
  // A user must not mistake this verdict for that of their own service.
  if (report.target.embeddedReference) parts.push(wrap(EMBEDDED, screen.width, 0));
  // The verdict is last, because people read the end of a log first.
  parts.push(verdictLine(report, screen));
  return parts.filter((part) => part !== '').join('\n\n');
}

const EMBEDDED =
  'This was the embedded reference service: set BASE_URL and API_KEY to judge yours.';

const section = (title: string, text: string, { paint }: Screen): string =>
  text === '' ? '' : `${paint('bold', title)}\n${text}`;

/** Returns the chapters, those with findings first. */
function chaptersText(
  report: Report,
  screen: Screen,
  detail: Detail,
  command: NextCommand | undefined,
): string {
  const open = openRequirements(report);
  // A chapter is omitted if the reason of the verdict also explains all its outcomes.
  const isShown = (requirement: ReportedRequirement) =>
    requirement.outcome !== 'not-verified' || open.includes(requirement) || !report.obstacle;
  const rows = new Set([...findingsOf(report), ...selectedRequirements(report)]);
  const chapters = chaptersOf([...rows]).filter(([, requirements]) => requirements.some(isShown));
  const texts = chapters.map(([title, requirements]) => {
    const head = chapterLine(title, requirements, report.scope.strict, screen);
    return [head, ...requirementLines(requirements, report, screen, detail, command)].join('\n');
  });
  return texts.join('\n').trimEnd();
}

/** Returns the findings of a chapter and, with all details, a line for each other requirement. */
function requirementLines(
  requirements: readonly ReportedRequirement[],
  report: Report,
  screen: Screen,
  detail: Detail,
  command: NextCommand | undefined,
): string[] {
  const findings = new Set(findingsOf(report));
  const lines: string[] = [];
  for (const requirement of requirements) {
    if (!findings.has(requirement)) {
      if (detail === 'all') lines.push(requirementLine(requirement, report, screen));
    } else if (detail === 'chapters' && isWarning(requirement, report)) {
      lines.push(warningText(requirement, report, screen));
    } else {
      lines.push(findingText(requirement, report, screen, command));
    }
  }
  // A blank line separates findings from the next chapter.
  if (requirements.some((requirement) => findings.has(requirement))) lines.push('');
  return lines;
}

const isWarning = (requirement: ReportedRequirement, { scope }: Report): boolean =>
  appearanceOf(requirement, scope.strict).kind === 'warning';

/** Returns `✓ Authentication 25` or `✗ Authentication 1 failed, 24 passed`. */
function chapterLine(
  title: string,
  requirements: readonly ReportedRequirement[],
  strict: boolean,
  { paint }: Screen,
): string {
  const counts = countKinds(requirements, strict);
  // The most important kind is first.
  const [symbol] = counts.map((count) => paint(count.style, count.symbol));
  const isPassed = counts.every(({ kind }) => kind === 'passed');
  const text = isPassed
    ? paint('green', `${requirements.length}`)
    : paint('gray', countsText(requirements, strict));
  return `${symbol} ${paint('bold', sanitizeLine(title))} ${text}`;
}

/** The most characters of a reason on the line of its requirement. */
const MAX_REASON = 110;

/** Returns the line of a failed SHOULD that does not fail the run, and its dependents below it. */
function warningText(requirement: ReportedRequirement, report: Report, screen: Screen): string {
  const { paint, width } = screen;
  const { symbol, style } = appearanceOf(requirement, report.scope.strict);
  const name = `  ${symbol} ${requirement.level} ${requirement.id}`;
  const limit = Math.min(MAX_REASON, width - name.length - 2);
  const { expected = '', got } = requirement;
  // A long expected value would leave no place for the received one.
  const isLong = got !== undefined && expected.length + got.length > limit;
  const reason = sanitizeLine(isLong ? `got ${got}` : requirement.reason);
  const shown =
    reason.length <= limit ? reason : `${reason.slice(0, Math.max(0, limit - 1)).trimEnd()}…`;
  const line = `${paint(style, name)}  ${paint('gray', shown)}`.trimEnd();
  return [line, ...dependentsLines(requirement, report, screen)].join('\n');
}

/** Returns the line of a requirement without its details. */
function requirementLine(
  { level, id, outcome, reason }: ReportedRequirement,
  { scope }: Report,
  { paint, width }: Screen,
): string {
  const { symbol, style } = appearanceOf({ level, outcome }, scope.strict);
  const name = `  ${symbol} ${level.padEnd(6)} ${id}`;
  if (outcome === 'passed') return paint(style, name);
  const shown = cutMiddle(sanitizeLine(reason), MAX_REASON);
  if (name.length + shown.length + 2 > width)
    return `${paint(style, name)}\n      ${paint('gray', wrap(shown, width, 6))}`;
  return `${paint(style, name)}  ${paint('gray', shown)}`;
}

/**
 * Returns a line for each known failure that is out of date. It begins with the file and the line,
 * which terminals and editors then show as a link.
 */
export const toChangeText = (report: Report, { width }: Screen): string =>
  linesToChange(report)
    .map((line) => wrap(sanitizeLine(line), width, 4))
    .join('\n');

/** Returns the reasons for which requirements could not be verified, each with their slugs. */
export function notVerifiedText(report: Report, { paint, width }: Screen): string {
  const reasons = notVerifiedReasons(report).map(([reason, slugs]) => {
    const names = paint('gray', wrap(abbreviateList(slugs), width, 4));
    return `  ${paint('cyan', `? ${wrap(sanitizeLine(reason), width, 4)}`)}\n    ${names}`;
  });
  return reasons.join('\n');
}

function numbersText(report: Report, reportDir: string, { width }: Screen): string {
  const depth = depthRows(report).map((row) => row.join(' '));
  const rows = numberRows(report);
  if (depth.length > 0) rows.push(['thorough', depth.join('; ')]);
  rows.push(['reports', sanitizeLine(join(relative(process.cwd(), reportDir), 'report.html'))]);
  return rows.map(([label, value]) => `  ${label.padEnd(8)} ${wrap(value, width, 11)}`).join('\n');
}

function verdictLine(report: Report, { paint, width }: Screen): string {
  const head = `Verdict: ${report.title}`;
  const line = wrap(`${head}. ${sanitizeLine(report.because)}`, width, 2);
  const title = paint(VERDICTS[report.verdict].style, paint('bold', report.title));
  return `${paint('bold', 'Verdict:')} ${title}${line.slice(head.length)}`;
}

/** Returns the changes since an earlier run: all new failures, and some of the others. */
export function changesSummary(
  title: string,
  changes: Changes,
  { paint, width }: Screen,
  detail: Detail,
): string {
  const head = `${paint('bold', `${sanitizeLine(title)}:`)} ${changesText(changes)}`;
  if (detail === 'verdict') return head;
  const rows = changeRows(changes).flatMap(({ name, slugs, style }) => {
    const names = name === 'new failure' ? slugs.join(', ') : abbreviateList(slugs);
    return [`  ${paint(style, name)}`, `    ${wrap(sanitizeLine(names), width, 4)}`];
  });
  return [head, ...rows].join('\n');
}

/** The most characters of a value in the terminal; the reports have more. */
const MAX_VALUE = 400;

/** The most characters of a body. */
const MAX_BODY = 200;

/** The most characters of a command to repeat a request. */
const MAX_COMMAND = 4000;

/** The parts of a report that the text of a finding needs. */
type FindingContext = Pick<Report, 'target' | 'scope' | 'requirements'> &
  Partial<Pick<Report, 'knownFailures'>>;

/**
 * Returns the text of a finding: the expected and the actual value, the exchanges that show it, the
 * commands that repeat and explain it, and its dependents. `command` makes the run again.
 */
export function findingText(
  requirement: ReportedRequirement,
  report: FindingContext,
  screen: Screen,
  command?: NextCommand,
): string {
  const { style, symbol } = appearanceOf(requirement, report.scope.strict);
  const head = `  ${screen.paint(style, `${symbol} ${requirement.level} ${requirement.id}`)}`;
  const details =
    requirement.outcome === 'known-failure'
      ? acceptedLines(requirement, screen)
      : detailLines(requirement, report, screen, command);
  return [head, ...details, ...dependentsLines(requirement, report, screen)].join('\n');
}

function acceptedLines({ reason, link }: ReportedRequirement, { width }: Screen): string[] {
  const lines = [`    ${wrap(sanitizeLine(reason), width, 4)}`];
  if (link) lines.push(`    ${sanitizeLine(link)}`);
  return lines;
}

function detailLines(
  requirement: ReportedRequirement,
  report: FindingContext,
  screen: Screen,
  command: NextCommand | undefined,
): string[] {
  const { id, sentence, source, exchanges } = requirement;
  const { paint, width } = screen;
  const label = (name: string) => `    ${paint('gray', name.padEnd(9))}`;
  const row = (name: string, value: string) =>
    `${label(name)} ${wrap(cutMiddle(sanitizeLine(value), MAX_VALUE), width, 14)}`;
  // A command is not wrapped, so that people can copy it.
  const commandRow = (name: string, line: string) => `${label(name)} ${sanitizeLine(line)}`;
  const lines = [`    ${paint('bold', wrap(sentence, width, 4))}`];
  for (const [name, value] of findingRows(requirement, report)) lines.push(row(name, value));
  const pairs = exchanges.map(
    (exchange) =>
      `${row('request', requestText(exchange))}\n${row('response', responseText(exchange))}`,
  );
  lines.push(...pairs.filter((pair, index) => pair !== pairs[index - 1]));
  for (const [index, line] of shortCommands(requirement, report).entries())
    lines.push(commandRow(index === 0 ? 'repeat' : 'and then', line));
  if (command?.stopsService) {
    const again = commandLine(command, { only: id, ...separateReports(command) });
    lines.push(row('stopped', STOPPED), `${' '.repeat(14)}${sanitizeLine(again)}`);
  }
  lines.push(row('source', source.text));
  lines.push(commandRow('explain', explainLine(id, command?.program)));
  return lines;
}

const STOPPED = 'the service was stopped after the run; this command starts it and tests it again:';

/** Returns the commands that repeat a failure, or a note if they are too long. */
function shortCommands(
  { id, exchanges }: ReportedRequirement,
  { target }: FindingContext,
): string[] {
  if (exchanges.length === 0) return [];
  const commands = repeatCommands(exchanges, target.baseUrl);
  if (commands.length > 0 && commands.every(({ length }) => length <= MAX_COMMAND)) return commands;
  return [`the request is too long to print: "--only ${id} --repeat 10" sends it again`];
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

function responseText({ response, failure = 'no response' }: ShownExchange): string {
  if (response === undefined) return failure;
  const { text, omission } = bodyBeginning(response, MAX_BODY);
  return `${response.status} ${text}${omission}`;
}

function dependentsLines(
  requirement: ReportedRequirement,
  report: FindingContext,
  { paint, width }: Screen,
): string[] {
  const text = dependentsText(requirement, report);
  return text === '' ? [] : [`    ${paint('cyan', wrap(text, width, 4))}`];
}
