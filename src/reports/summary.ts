import type { OutcomeName } from '../requirement/outcome.ts';
import { SUMMARY_LIMIT } from '../settings/limits.ts';
import { lineToChange } from '../verdict/entries-to-change.ts';
import { counted } from '../verdict/verdict.ts';
import { depthRows } from './depth.ts';
import { findingRows, seenIn } from './finding.ts';
import { inWords } from './look.ts';
import { code, fenced, folded, list, prose, table } from './markdown.ts';
import { failures, OUTCOMES, openOf, type Report, type ReportedRequirement } from './report.ts';
import { roomOf } from './room.ts';
import { changeList, changesText, sinceText } from './since.ts';
import { exchangeText, inert, secondsText } from './text.ts';

/** Rows of a list that a reader takes in at a glance; a longer one is folded. */
const GLANCE = 10;

const LEFT_OUT = 'The summary has no room for these requests: see conformance.json.';

/**
 * The report as Markdown, for people and for the job summary of a CI, in no more than `limit` bytes: requests are left
 * out first, those of the least telling findings before others. Empty when not even the verdict fits.
 */
export function markdown(report: Report, limit = SUMMARY_LIMIT): string {
  const origin = new URL(report.target.baseUrl).origin;
  const room = roomOf(limit - Buffer.byteLength(whole(report, () => LEFT_OUT)));
  const text = whole(report, ({ exchanges }) => {
    if (exchanges.length === 0) return '';
    const shown = folded('Requests', exchanges.map((exchange) => fenced(exchangeText(exchange, origin))).join('\n\n'));
    return room(shown, LEFT_OUT);
  });
  return [text, joined(head(report))].find((one) => Buffer.byteLength(one) <= limit) ?? '';
}

function whole(report: Report, evidence: (one: ReportedRequirement) => string): string {
  const { changes, knownFailures, observations, coverage } = report;
  const { failing, warnings } = failures(report);
  const having = (outcome: OutcomeName) => report.requirements.filter((one) => one.outcome === outcome);
  const reasons = (rows: ReportedRequirement[]) => rows.map((one) => reason(one, report));
  const details = (rows: ReportedRequirement[]) => rows.flatMap((one) => [...finding(one, report), evidence(one)]);
  return joined([
    ...head(report),
    ...(changes ? [`**${prose(sinceText(changes))}:** ${changesText(changes)}`, changeList(changes)] : []),
    findings([...failing, ...warnings]),
    ...section('Failed', details(failing)),
    ...section('Warnings', details(warnings)),
    ...section('Known failures', items(reasons(having('known-failure')))),
    ...section('Known failures to update', items(knownFailures.toChange.map((one) => code(lineToChange(one))))),
    ...section('Not verified', items(reasons(openOf(report)))),
    ...section('Not applicable', items(reasons(having('not-applicable')))),
    ...section(
      'Choices of the service',
      items(Object.entries(observations).map(([name, values]) => `${code(name)}: ${values.map(code).join(', ')}`)),
    ),
    ...section('Depth', items(coverage ? depthRows(coverage).map(([name, value]) => `${name}: ${code(value)}`) : [])),
  ]);
}

function joined(parts: string[]): string {
  return parts
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function section(title: string, parts: string[]): string[] {
  return parts.length === 0 ? [] : [`## ${title}`, ...parts];
}

function items(rows: string[]): string[] {
  if (rows.length === 0) return [];
  return [rows.length > GLANCE ? folded(`${rows.length} rows`, list(rows)) : list(rows)];
}

function head(report: Report): string[] {
  const { target, users, counts, runs, suite } = report;
  const tag = users.tag && users.created ? ` (tag ${code(users.tag)})` : '';
  const inRuns = runs ? ` in ${counted(runs.length, 'run')}` : '';
  return [
    `# Conformance of ${code(target.name)}: ${report.title}`,
    `${prose(report.because)} Target: ${code(target.baseUrl)}${target.embeddedReference ? ' (the embedded reference service)' : ''}.`,
    table(
      ['level', ...OUTCOMES.map(inWords)],
      (['MUST', 'SHOULD'] as const).map((level) => [level, ...OUTCOMES.map((name) => counts[level][name])]),
    ),
    `${counted(report.requests, 'request')}, ${counted(users.created, 'user')} created${tag}${inRuns}, ${secondsText(report.duration)}, suite ${suite.version}, requirement set ${suite.requirementSet}.`,
  ];
}

/** All findings at a glance, in our own words alone: what a target sent stands below. */
function findings(rows: ReportedRequirement[]): string {
  if (rows.length === 0) return '';
  return table(
    ['level', 'requirement', 'what does not hold'],
    rows.map(({ level, id, sentence }) => [level, id, sentence.replaceAll('|', '\\|')]),
  );
}

function finding(one: ReportedRequirement, report: Report): string[] {
  const { id, level, sentence, source } = one;
  return [
    `### ${id} (${level})`,
    `${sentence} — ${source.url ? `[${source.text}](${source.url})` : source.text}`,
    list(findingRows(one, report).map(([name, value]) => `${name}: ${code(value)}`)),
  ];
}

function reason(one: ReportedRequirement, report: Report): string {
  const runs = seenIn(one, report);
  // As URL writes an address, nothing in it can end the angle brackets.
  const link = one.link ? ` <${inert(new URL(one.link).href)}>` : '';
  return `${one.level} ${one.id}: ${code(one.reason)}${link}${runs === undefined ? '' : ` (${code(runs)})`}`;
}
