import { changeList, changesText, sinceText } from './changes.ts';
import { depthRows, numbers } from './facts.ts';
import { findingsOf, type Report, type ReportedRequirement, roomOf, score } from './report.ts';
import { finding, notVerifiedText, toChange } from './terminal.ts';
import { code, fenced, list, prose, table } from './text.ts';

/** Bytes of the summary: GitHub drops a job summary of more than 1 MiB as a whole. */
export const SUMMARY_LIMIT = 1_000_000;

/** How findings are shown in a block of code. */
const SCREEN = { paint: (_: string, text: string) => text, width: 120 };

/**
 * The report as Markdown, for people and for the job summary of a CI, in no more than `limit` bytes: each finding
 * folded, as the terminal shows it. What has no room is left out, the least telling first. Empty when not even the
 * verdict fits.
 */
export function markdown(report: Report, limit = SUMMARY_LIMIT): string {
  const found = findingsOf(report);
  const glance = [...head(report), ...findings(found)];
  const room = roomOf(limit - Buffer.byteLength(joined(glance)));
  const details = [
    ...section('Known failures to update', toChange(report, SCREEN)),
    ...found.map((one) => {
      const text = fenced(finding(one, report, SCREEN));
      return `<details><summary>${one.level} ${one.id}</summary>\n\n${text}\n\n</details>`;
    }),
    ...section('Not verified', notVerifiedText(report, SCREEN)),
  ].filter((part) => room(`${part}\n\n`, '') !== '');
  const texts = [[...glance, ...details], head(report)].map(joined);
  return texts.find((one) => Buffer.byteLength(one) <= limit) ?? '';
}

const joined = (parts: string[]) => `${parts.join('\n\n')}\n`;

function section(title: string, text: string): string[] {
  return text === '' ? [] : [`## ${title}\n\n${fenced(text)}`];
}

function head(report: Report): string[] {
  const { target, suite, changes } = report;
  const embedded = target.embeddedReference ? ' (the embedded reference service)' : '';
  return [
    `# Conformance of ${code(target.name)}: ${report.title}`,
    `${prose(report.because)} Target: ${code(target.baseUrl)}${embedded}. Suite ${suite.version}, requirement set ${suite.requirementSet}.`,
    list([...numbers(report), ...depthRows(report)].map(([name, value]) => `${name}: ${code(value)}`)),
    ...(changes ? [`**${prose(sinceText(changes))}:** ${changesText(changes)}`, changeList(changes)] : []),
  ].filter((part) => part !== '');
}

/** All findings at a glance, in our own words alone: what a target sent stands below. */
function findings(rows: ReportedRequirement[]): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ level, id, sentence }) => [level, id, sentence.replaceAll('|', '\\|')]);
  return [table(['level', 'requirement', 'what does not hold'], cells)];
}

/** What shields.io makes a badge of (its "endpoint badge"). Pure. Yellow: it conforms but for failures that are known. */
export function badge(report: Report) {
  const levels = report.scope.strict ? (['MUST', 'SHOULD'] as const) : (['MUST'] as const);
  const known = Object.values(report.counts).some((count) => count['known-failure'] > 0);
  const colors = { conformant: known ? 'yellow' : 'green', 'non-conformant': 'red', inconclusive: 'lightgrey' };
  return {
    schemaVersion: 1,
    label: 'User Management conformance',
    message: [report.title, ...levels.map((level) => `${score(report, level)} ${level}`)].join(', '),
    color: colors[report.verdict],
  };
}
