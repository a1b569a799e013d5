import { join, relative } from 'node:path';
import type { ShownExchange } from '../http/exchange.ts';
import { HEADER_VALUE } from '../http/key.ts';
import { cutMiddle } from '../http/value.ts';
import { lineToChange } from '../verdict/verdict.ts';
import type { Changes } from './changed.ts';
import { changeRows, changesText } from './changes.ts';
import { beginning, repeatLines } from './exchange-text.ts';
import {
  depthRows,
  findingRows,
  look,
  notVerified,
  numbers,
  type Screen,
  tally,
  VERDICTS,
  wrap,
} from './look.ts';
import { commandLine, explainLine, type NextCommand, startsService } from './next-command.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { chaptersOf, findingsOf, openOf, selectedOf, waitingFor } from './report.ts';
import { inertLine, some } from './text.ts';

/** How much of a run is printed: chapters with their findings; all requirements; or the verdict alone. */
export type Detail = 'chapters' | 'all' | 'verdict';

/** What closes a run: its chapters, those with findings first, then the numbers, and the verdict last. */
export function closing(
  report: Report,
  reportDir: string,
  screen: Screen,
  detail: Detail = 'chapters',
  command?: NextCommand,
): string {
  const open = headed('Not verified', notVerifiedText(report, screen), screen);
  const known = headed('Known failures to update', toChange(report, screen), screen);
  const parts =
    detail === 'verdict'
      ? [known]
      : [
          chapters(report, screen, detail, command),
          open,
          known,
          summary(report, reportDir, screen),
        ];
  // Nobody is to take this verdict for that of a service of their own.
  const embedded =
    'This was the embedded reference service: set BASE_URL and API_KEY to judge yours.';
  if (report.target.embeddedReference) parts.push(wrap(embedded, screen.width, 0));
  // The last lines of a log are read first.
  parts.push(verdictLine(report, screen));
  return parts.filter((part) => part !== '').join('\n\n');
}

const headed = (title: string, text: string, { paint }: Screen) =>
  text === '' ? '' : `${paint('bold', title)}\n${text}`;

function chapters(
  report: Report,
  screen: Screen,
  detail: Detail,
  command: NextCommand | undefined,
): string {
  const { strict } = report.scope;
  const findings = findingsOf(report);
  const open = openOf(report);
  // Where nothing of a chapter could be judged for the reason of the verdict, it is silent.
  const isTold = (one: ReportedRequirement) =>
    one.outcome !== 'not-verified' || open.includes(one) || !report.obstacle;
  const told = chaptersOf([...new Set([...findings, ...selectedOf(report)])]).filter(([, rows]) =>
    rows.some(isTold),
  );
  const blocks = told.map(([title, rows]) => {
    const opened = rows
      .filter((one) => findings.includes(one))
      .map((one) => {
        const isBrief = detail === 'chapters' && look(one, strict).kind === 'warning';
        return isBrief ? warning(one, report, screen) : finding(one, report, screen, command);
      });
    const others = detail === 'all' ? rows.slice(opened.length) : [];
    const lines = [...opened, ...others.map((one) => requirementLine(one, strict, screen))];
    return [
      chapterLine(title, rows, strict, screen),
      ...lines,
      ...(opened.length > 0 ? [''] : []),
    ].join('\n');
  });
  return blocks.join('\n').trimEnd();
}

/** `✓ Authentication 25`, or `✗ Authentication 1 failed, 24 passed`. */
function chapterLine(
  title: string,
  rows: ReportedRequirement[],
  strict: boolean,
  { paint }: Screen,
): string {
  const counts = tally(rows, strict);
  const [worst] = counts as [(typeof counts)[number]];
  const isPassed = worst.kind === 'passed' && counts.length === 1;
  const text = isPassed
    ? paint('green', `${worst.count}`)
    : paint('gray', counts.map((one) => one.text).join(', '));
  return `${paint(worst.style, worst.symbol)} ${paint('bold', inertLine(title))} ${text}`;
}

/** A failed SHOULD that does not fail the run, in one line; below it, what waits for it. */
function warning(one: ReportedRequirement, report: Report, { paint, width }: Screen): string {
  const { symbol, style } = look(one, report.scope.strict);
  const name = `  ${symbol} ${one.level} ${one.id}`;
  const room = Math.min(110, width - name.length - 2);
  const why = inertLine(one.reason);
  const shown = why.length <= room ? why : `${why.slice(0, Math.max(0, room - 1)).trimEnd()}…`;
  return [
    `${paint(style, name)}  ${paint('gray', shown)}`.trimEnd(),
    ...waitingFor(one, report).map((text) => `    ${paint('cyan', wrap(text, width, 4))}`),
  ].join('\n');
}

/** The line of one requirement. */
function requirementLine(
  one: ReportedRequirement,
  strict: boolean,
  { paint, width }: Screen,
): string {
  const { symbol, style } = look(one, strict);
  const name = `  ${symbol} ${one.level.padEnd(6)} ${one.id}`;
  if (one.outcome === 'passed') return paint(style, name);
  const why = cutMiddle(inertLine(one.reason), 110);
  const isLong = name.length + why.length + 2 > width;
  return `${paint(style, name)}${isLong ? '\n      ' : '  '}${paint('gray', isLong ? wrap(why, width, 6) : why)}`;
}

/** Which known failures to change. Each begins a line, where terminals and editors make a link of a file and a line. */
export const toChange = ({ knownFailures }: Report, { width }: Screen) =>
  knownFailures.toChange.map((entry) => wrap(inertLine(lineToChange(entry)), width, 4)).join('\n');

/** What could not be verified for another reason than a failure, by its reason. */
export function notVerifiedText(report: Report, { paint, width }: Screen): string {
  const rows = notVerified(report).map(([reason, slugs]) => {
    const named = paint('gray', wrap(some(slugs), width, 4));
    return `  ${paint('cyan', `? ${wrap(inertLine(reason), width, 4)}`)}\n    ${named}`;
  });
  return rows.join('\n');
}

function verdictLine(report: Report, { paint, width }: Screen): string {
  const because = wrap(`Verdict: ${report.title}. ${inertLine(report.because)}`, width, 2);
  const rest = because.slice(`Verdict: ${report.title}`.length);
  return `${paint('bold', 'Verdict:')} ${paint(VERDICTS[report.verdict].style, paint('bold', report.title))}${rest}`;
}

function summary(report: Report, reportDir: string, screen: Screen): string {
  const page = inertLine(join(relative(process.cwd(), reportDir), 'report.html'));
  const depth = depthRows(report).map((one) => one.join(' '));
  const rows = numbers(report);
  if (depth.length > 0) rows.push(['thorough', depth.join('; ')]);
  rows.push(['reports', page]);
  const lines = rows.map(([name, value]) => `  ${name.padEnd(8)} ${wrap(value, screen.width, 11)}`);
  return lines.join('\n');
}

/** What has changed since an earlier run, for the terminal: all new failures, and some of the rest. */
export function changesSummary(
  title: string,
  changes: Changes,
  { paint, width }: Screen,
  detail: Detail,
): string {
  const head = `${paint('bold', `${inertLine(title)}:`)} ${changesText(changes)}`;
  if (detail === 'verdict') return head;
  const rows = changeRows(changes).flatMap(({ name, slugs, style }) => {
    const named = name === 'new failure' ? slugs.join(', ') : some(slugs);
    return [`  ${paint(style, name)}`, `    ${wrap(inertLine(named), width, 4)}`];
  });
  return [head, ...rows].join('\n');
}

/** Characters of a value, of a body, and of a line to repeat, in the terminal; the reports hold more. */
const [VALUE, BODY, LINE] = [400, 200, 4000];

/** What of a report a finding needs. */
type Shown = Pick<Report, 'target' | 'scope' | 'requirements'> &
  Partial<Pick<Report, 'knownFailures'>>;

/**
 * One finding: what was expected, what came, what shows it, the command that explains it, and how many could not be
 * verified because of it. `command` makes the run again.
 */
export function finding(
  one: ReportedRequirement,
  report: Shown,
  { paint, width }: Screen,
  command?: NextCommand,
): string {
  const { target, scope } = report;
  const { style, symbol } = look(one, scope.strict);
  const row = (name: string, value: string) =>
    `    ${paint('gray', name.padEnd(9))} ${wrap(cutMiddle(inertLine(value), VALUE), width, 14)}`;
  const rowsOf = ({ request, response, failure }: ShownExchange) => {
    const came = response
      ? `${response.status} ${beginning(response, BODY).join('')}`
      : (failure ?? 'no response');
    return [row('request', sentText(request)), row('response', came)].join('\n');
  };
  const lines = repeatLines(one.exchanges, target.baseUrl);
  const isPrintable = lines.length > 0 && lines.every(({ length }) => length <= LINE);
  const tooLong = `the request is too long to print: "--only ${one.id} --repeat 10" sends it again`;
  const curlLines = isPrintable ? lines : [tooLong];
  const details = () => [
    `    ${paint('bold', wrap(one.sentence, width, 4))}`,
    ...findingRows(one, report).map(([name, value]) => row(name, value)),
    ...one.exchanges.map(rowsOf).filter((text, at, all) => text !== all[at - 1]),
    // Not wrapped: it is there to be copied.
    ...(one.exchanges.length > 0 ? curlLines : []).map((line, at) => {
      const title = (at === 0 ? 'repeat' : 'and then').padEnd(9);
      return `    ${paint('gray', title)} ${inertLine(line)}`;
    }),
    ...(command && startsService(command)
      ? [
          row('stopped', STOPPED),
          `${' '.repeat(14)}${inertLine(commandLine(command, { only: one.id }))}`,
        ]
      : []),
    row('source', one.source.text),
    `    ${paint('gray', 'explain'.padEnd(9))} ${inertLine(explainLine(one.id, command?.program))}`,
  ];
  const accepted = () => [
    `    ${wrap(inertLine(one.reason), width, 4)}`,
    ...(one.link ? [`    ${inertLine(one.link)}`] : []),
  ];
  return [
    `  ${paint(style, `${symbol} ${one.level} ${one.id}`)}`,
    ...(one.outcome === 'known-failure' ? accepted() : details()),
    ...waitingFor(one, report).map((text) => `    ${paint('cyan', wrap(text, width, 4))}`),
  ].join('\n');
}

const STOPPED = 'the service was stopped after the run; this command starts it and tests it again:';

const USUAL = ['accept', 'content-type', 'user-agent'];

/** A request in one line, with the headers that tell one case from another. */
function sentText({ method, path, headers, body }: ShownExchange['request']): string {
  const telling = Object.entries(headers).filter(
    ([name, value]) => !USUAL.includes(name) && value !== HEADER_VALUE,
  );
  const parts = [
    `${method} ${path}`,
    ...telling.map(([name, value]) => `${name}: ${value}`),
    body ?? '',
  ];
  return parts.filter((part) => part !== '').join('  ');
}
