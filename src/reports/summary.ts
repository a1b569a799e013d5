import type { OutcomeName } from '../requirement/outcome.ts';
import { SUMMARY_LIMIT } from '../settings/limits.ts';
import { type EntryToChange, lineToChange } from '../verdict/entries-to-change.ts';
import { counted } from '../verdict/verdict.ts';
import { depthRows } from './depth.ts';
import { seenText } from './how-often.ts';
import { failures, openOf, type Report, type ReportedRequirement, seenIn } from './report.ts';
import { changeRows, changesText, sinceText } from './since.ts';
import { exchangeText, inert, inertLine } from './text.ts';

/** Rows of a list that a reader takes in at a glance; a longer one is folded. */
const GLANCE = 10;

const LEFT_OUT = 'The exchanges are left out here, because the summary would be too large: conformance.json has them.';

/**
 * The report as Markdown, for people and for the job summary of a CI, in no more than `limit` bytes: exchanges are left
 * out first, those of the least telling findings before others. Empty when not even the verdict fits.
 */
export function markdown(report: Report, limit = SUMMARY_LIMIT): string {
  const origin = new URL(report.target.baseUrl).origin;
  let room = limit - Buffer.byteLength(whole(report, () => LEFT_OUT));
  const text = whole(report, ({ exchanges }) => {
    if (exchanges.length === 0) return '';
    const shown = folded('Exchanges', exchanges.map((exchange) => fenced(exchangeText(exchange, origin))).join('\n\n'));
    if (Buffer.byteLength(shown) > room) return LEFT_OUT;
    room -= Buffer.byteLength(shown);
    return shown;
  });
  return [text, joined(head(report))].find((one) => Buffer.byteLength(one) <= limit) ?? '';
}

function whole(report: Report, evidence: (one: ReportedRequirement) => string): string {
  const { failing, warnings } = failures(report);
  const of = (outcome: OutcomeName) => report.requirements.filter((one) => one.outcome === outcome);
  return joined([
    ...head(report),
    ...changes(report),
    table([...failing, ...warnings]),
    ...details('Failed', failing, report, evidence),
    ...details('Warnings', warnings, report, evidence),
    ...reasons('Known failures', of('known-failure'), report),
    ...toChange(report.knownFailures.toChange),
    ...reasons('Not verified', openOf(report), report),
    ...reasons('Not applicable', of('not-applicable'), report),
    ...observations(report),
    ...depth(report),
  ]);
}

function joined(parts: string[]): string {
  return parts
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function head(report: Report): string[] {
  const { target, users } = report;
  return [
    `# Conformance of ${code(target.name)}: ${report.title}`,
    `${prose(report.because)} Target: ${code(target.baseUrl)}${target.embeddedReference ? ' (the embedded reference service)' : ''}.`,
    counts(report),
    `${counted(report.requests, 'request')}, ${counted(users.created, 'user')} created${users.tag && users.created ? ` (tag ${code(users.tag)})` : ''}${report.runs ? ` in ${counted(report.runs.length, 'run')}` : ''}, ${(report.duration / 1000).toFixed(1)} s, suite ${report.suite.version}, requirement set ${report.suite.requirementSet}.`,
    answers(report),
  ];
}

/** What has changed since the baseline. */
function changes({ changes }: Report): string[] {
  if (changes === undefined) return [];
  const rows = changeRows(changes).map(({ name, slugs }) => `- ${name}: ${slugs.map(code).join(', ')}`);
  return [`**${prose(sinceText(changes))}:** ${changesText(changes)}`, rows.join('\n')];
}

function counts({ counts }: Report): string {
  const outcomes = Object.keys(counts.MUST) as OutcomeName[];
  const row = (level: 'MUST' | 'SHOULD') => `| ${level} | ${outcomes.map((name) => counts[level][name]).join(' | ')} |`;
  return [
    `| level | ${outcomes.map((name) => name.replace('-', ' ')).join(' | ')} |`,
    `| --- |${' ---: |'.repeat(outcomes.length)}`,
    row('MUST'),
    row('SHOULD'),
  ].join('\n');
}

function answers({ answerTimes: { median, quiet, slowest } }: Report): string {
  if (median === undefined) return '';
  const rows = slowest.map(({ exchange, duration }) => `${duration} ms ${code(exchange)}`);
  const few = quiet ? ` (${quiet.median} ms where few were under way)` : '';
  return `Answers took ${median} ms in the median${few}; the slowest: ${rows.join(', ')}.`;
}

/** All findings at a glance, in our own words alone: what a target sent stands below. */
function table(rows: ReportedRequirement[]): string {
  if (rows.length === 0) return '';
  return [
    '| level | requirement | what does not hold |',
    '| --- | --- | --- |',
    ...rows.map(({ level, id, sentence }) => `| ${level} | ${id} | ${sentence.replaceAll('|', '\\|')} |`),
  ].join('\n');
}

function details(
  title: string,
  rows: ReportedRequirement[],
  report: Report,
  evidence: (one: ReportedRequirement) => string,
): string[] {
  if (rows.length === 0) return [];
  const all = rows.flatMap((one) => [
    `### ${one.id} (${one.level})`,
    `${one.sentence} — ${one.source.url ? `[${one.source.text}](${one.source.url})` : one.source.text}`,
    [
      `- expected: ${code(one.expected ?? '')}`,
      `- got: ${code(one.got ?? one.reason)}`,
      ...[seenIn(one, report)].flatMap((seen) => (seen === undefined ? [] : [`- seen in ${code(seen)}`])),
      ...(seenText(one) ? [`- seen: ${code(seenText(one))}`] : []),
    ].join('\n'),
    evidence(one),
  ]);
  return [`## ${title}`, ...all];
}

function reasons(title: string, rows: ReportedRequirement[], report: Report): string[] {
  const seen = (one: ReportedRequirement) => {
    const text = seenIn(one, report);
    return text === undefined ? '' : ` (${code(text)})`;
  };
  return list(
    title,
    rows.map(
      (one) => `${one.level} ${one.id}: ${code(one.reason)}${one.link ? ` ${autolink(one.link)}` : ''}${seen(one)}`,
    ),
  );
}

function toChange(entries: EntryToChange[]): string[] {
  return list(
    'Known failures to change',
    entries.map((one) => code(lineToChange(one))),
  );
}

function observations({ observations }: Report): string[] {
  return list(
    'Observations',
    Object.entries(observations).map(([name, values]) => `${code(name)}: ${values.map(code).join(', ')}`),
  );
}

/** How deep a thorough run looked. */
function depth({ coverage }: Report): string[] {
  return coverage
    ? list(
        'Depth',
        depthRows(coverage).map(([label, value]) => `${label}: ${code(value)}`),
      )
    : [];
}

function list(title: string, rows: string[]): string[] {
  if (rows.length === 0) return [];
  const text = rows.map((row) => `- ${row}`).join('\n');
  return [`## ${title}`, rows.length > GLANCE ? folded(`${rows.length} rows`, text) : text];
}

/** What is shown when a reader asks for it. */
function folded(title: string, text: string): string {
  return `<details><summary>${title}</summary>\n\n${text}\n\n</details>`;
}

/** An address as a link: as URL writes it, nothing in it can end the angle brackets. */
function autolink(address: string): string {
  return `<${inert(new URL(address).href)}>`;
}

/** A sentence of ours that may name what a file says: Markdown and HTML in it stay text. */
export function prose(text: string): string {
  return inertLine(text).replace(/[\\`*_[\]<>|~&]/g, '\\$&');
}

/** Inline code that no content can end: Markdown and HTML in it stay text. */
export function code(text: string): string {
  const line = inert(text).replace(/\s*\n\s*/g, ' ');
  const fence = '`'.repeat(longestRun(line) + 1);
  return `${fence} ${line} ${fence}`;
}

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
