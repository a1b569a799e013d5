import { join, relative } from 'node:path';
import { styleText } from 'node:util';
import type { Coverage } from '../conduct/coverage.ts';
import type { ShownExchange } from '../http/exchange.ts';
import { HEADER_VALUE } from '../http/key.ts';
import { shorten } from '../http/value.ts';
import type { OutcomeName } from '../requirement/outcome.ts';
import type { Level } from '../requirement/requirement.ts';
import { type EntryToChange, lineToChange } from '../verdict/entries-to-change.ts';
import { counted } from '../verdict/verdict.ts';
import { depthRows } from './depth.ts';
import { seenText } from './how-often.ts';
import { failures, openOf, type Report, type ReportedRequirement, seenIn } from './report.ts';
import { bodyText, curl, inertLine } from './text.ts';

type Style = 'red' | 'green' | 'yellow' | 'cyan' | 'gray' | 'bold';
export type Paint = (style: Style, text: string) => string;

/** Colours where the terminal has them; none in a file, or with NO_COLOR. */
export function painter(stream: NodeJS.WriteStream): Paint {
  const colours = stream.isTTY === true && stream.hasColors();
  return (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text);
}

const LOOKS: Record<OutcomeName, { symbol: string; style: Style }> = {
  passed: { symbol: '✓', style: 'green' },
  failed: { symbol: '✗', style: 'red' },
  'not-applicable': { symbol: '–', style: 'gray' },
  'not-verified': { symbol: '?', style: 'cyan' },
  'known-failure': { symbol: '~', style: 'yellow' },
};

/** How an outcome looks: a failed SHOULD is a warning, unless the run is strict. */
export function look({ outcome, level }: { outcome: OutcomeName; level: Level }, strict: boolean) {
  const warning = outcome === 'failed' && level === 'SHOULD' && !strict;
  return warning ? { symbol: '!', style: 'yellow' as const } : LOOKS[outcome];
}

type Line = Pick<ReportedRequirement, 'id' | 'level' | 'outcome' | 'reason'>;

/** The line of one requirement, as soon as it is judged. */
export function progressLine(one: Line, strict: boolean, paint: Paint): string {
  const { symbol, style } = look(one, strict);
  const why = one.outcome === 'passed' ? '' : paint('gray', `  ${shorten(inertLine(one.reason), 110)}`);
  return `  ${paint(style, `${symbol} ${one.level.padEnd(6)} ${one.id}`)}${why}`;
}

/** What closes a run: the findings one by one, then the verdict and the numbers. */
export function closing(report: Report, reportDir: string, paint: Paint): string {
  const { requirements } = report;
  const { failing: failed, warnings } = failures(report);
  const known = requirements.filter(({ outcome }) => outcome === 'known-failure');
  const detail = (one: ReportedRequirement) => finding(one, report, paint);
  return [
    section('Failed', failed, detail, paint),
    section('Warnings (recommended, not required)', warnings, detail, paint),
    section('Known failures', known, knownFailure, paint),
    toChange(report.knownFailures.toChange, paint),
    notVerified(openOf(report), report, paint),
    summary(report, reportDir, paint),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function section<T>(title: string, rows: T[], render: (row: T) => string, paint: Paint): string {
  return rows.length === 0 ? '' : [paint('bold', title), ...rows.map(render)].join('\n\n');
}

function knownFailure({ id, reason, link }: ReportedRequirement): string {
  return [`${id}: ${inertLine(reason)}`, ...(link ? [`  ${inertLine(link)}`] : [])].join('\n');
}

/** Each at the beginning of a line, where terminals and editors make a link of a file and a line. */
function toChange(entries: EntryToChange[], paint: Paint): string {
  const rows = entries.map((entry) => inertLine(lineToChange(entry)));
  return rows.length === 0 ? '' : [paint('bold', 'Known failures to change'), ...rows].join('\n');
}

function notVerified(open: ReportedRequirement[], report: Report, paint: Paint): string {
  const reasonOf = (one: ReportedRequirement) => [one.reason, seenIn(one, report)].filter(Boolean).join('; ');
  const reasons = [...new Set(open.map(reasonOf))];
  const rows = reasons.map((reason) => {
    const ids = open.filter((one) => reasonOf(one) === reason).map(({ id }) => id);
    const shown = ids.length > 4 ? `${ids.slice(0, 4).join(', ')} and ${ids.length - 4} more` : ids.join(', ');
    return `  ${paint('cyan', `? ${inertLine(reason)}`)}\n    ${paint('gray', shown)}`;
  });
  return rows.length === 0 ? '' : [paint('bold', 'Not verified'), ...rows].join('\n');
}

/** Characters of a value in the terminal; the reports hold more. */
const VALUE = 400;

/** One failure: what was expected, what came, and what shows it. */
export function finding(
  one: ReportedRequirement,
  report: Pick<Report, 'target' | 'scope' | 'runs'>,
  paint: Paint,
): string {
  const { target, scope } = report;
  const seen = seenIn(one, report);
  const { style, symbol } = look(one, scope.strict);
  const origin = new URL(target.baseUrl).origin;
  const row = (name: string, value: string) =>
    `    ${paint('gray', name.padEnd(9))} ${shorten(inertLine(value), VALUE + 100)}`;
  const last = one.exchanges.at(-1);
  return [
    `  ${paint(style, `${symbol} ${one.level} ${one.id}`)}`,
    `    ${paint('bold', one.sentence)}`,
    row('source', one.source.text),
    row('expected', one.expected ?? ''),
    row('got', one.got ?? one.reason),
    ...(seen === undefined ? [] : [row('seen in', seen)]),
    ...(seenText(one) ? [row('seen', seenText(one))] : []),
    ...one.exchanges.map(({ request, response, failure }) => {
      const answer = response ? `${response.status} ${bodyText(response, VALUE)}` : (failure ?? 'no answer');
      return [row('sent', sentText(request)), row('answer', answer)].join('\n');
    }),
    ...(last ? [`    ${paint('gray', 'repeat'.padEnd(9))} ${inertLine(curl(last, origin))}`] : []),
  ].join('\n');
}

const USUAL = ['accept', 'content-type', 'user-agent'];

/** A request in one line, with the headers that tell one case from another. */
function sentText({ method, path, headers, body }: ShownExchange['request']): string {
  const telling = Object.entries(headers).filter(([name, value]) => !USUAL.includes(name) && value !== HEADER_VALUE);
  const parts = [`${method} ${path}`, ...telling.map(([name, value]) => `${name}: ${value}`), body ?? ''];
  return parts.filter((part) => part !== '').join('  ');
}

function summary(report: Report, reportDir: string, paint: Paint): string {
  const style = { conformant: 'green', 'non-conformant': 'red', inconclusive: 'cyan' } as const;
  const count = (level: Level) =>
    Object.entries(report.counts[level])
      .filter(([, number]) => number > 0)
      .map(([outcome, number]) => `${number} ${outcome.replace('-', ' ')}`)
      .join(', ');
  const users = report.users.created
    ? `${counted(report.users.created, 'user')} created${report.users.tag && ` (tag ${report.users.tag})`}`
    : 'no users created';
  const { median, quiet, slowest } = report.answerTimes;
  const all = quiet ? `${median} ms with many` : `${median} ms in the median`;
  const few = quiet ? `${quiet.median} ms in the median with few under way, ` : '';
  const own = report.ownTime === undefined ? '' : `, ${(report.ownTime / 1000).toFixed(1)} s of it the suite's own`;
  const slow = slowest.map(({ exchange, duration }) => `${duration} ms ${inertLine(exchange)}`).join(', ');
  return [
    `${paint('bold', 'Verdict:')} ${paint(style[report.verdict], paint('bold', report.title))}. ${inertLine(report.because)}`,
    `  MUST     ${count('MUST')}`,
    `  SHOULD   ${count('SHOULD')}`,
    `  ${counted(report.requests, 'request')}, ${users}, ${(report.duration / 1000).toFixed(1)} s${own}`,
    ...(report.coverage ? depthLines(report.coverage) : []),
    ...(median === undefined ? [] : [`  answers  ${few}${all}; the slowest: ${slow}`]),
    `  reports  ${inertLine(join(relative(process.cwd(), reportDir), 'report.html'))}, and beside it conformance.json, summary.md, badge.json, exchanges.har, junit.xml, allure-results/`,
    ...(report.target.embeddedReference ? [EMBEDDED] : []),
  ].join('\n');
}

/** Nobody is to take this verdict for that of a service of their own. */
const EMBEDDED = '\nThis was the embedded reference service: set BASE_URL and API_KEY to judge yours.';

function depthLines(coverage: Coverage): string[] {
  const rows = depthRows(coverage).map(([label, value]) => `${label} ${value}`);
  return [`  thorough ${rows.slice(0, 2).join('; ')}`, `           ${rows.slice(2).join('; ')}`];
}
