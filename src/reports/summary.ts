import { byteBudget } from './budget.ts';
import { changeList, changesText, sinceText } from './changes.ts';
import type { RowOptions } from './finding-rows.ts';
import { findingText } from './finding-text.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { depthRows, HEADINGS, numberRows, targetNote } from './rows.ts';
import { plainScreen } from './screen.ts';
import { findingsOf } from './selection.ts';
import { notVerifiedText, toChangeText } from './terminal.ts';
import { codeBlock, inlineCode, markdownList, markdownTable, markdownText } from './text.ts';

/** Bytes of the summary: GitHub discards a job summary of more than 1 MiB as a whole. */
export const SUMMARY_LIMIT = 1_000_000;

/** The screen of findings in a block of code. */
const SCREEN = plainScreen(120);

/**
 * Returns the report as Markdown, for people and for the job summary of a CI, in at most `limit`
 * bytes. Each finding is folded and has the text of the terminal. The least important parts are
 * omitted first; the summary is empty if not even the verdict fits. Pure.
 */
export function markdown(report: Report, options: RowOptions = {}, limit = SUMMARY_LIMIT): string {
  const head = headParts(report);
  const overview = [...head, ...findingsTable(report)];
  const budget = byteBudget(limit - Buffer.byteLength(joinParts(overview)));
  const details = [
    ...section(HEADINGS.knownFailures, toChangeText(report, SCREEN)),
    ...findingsOf(report).map((finding) => foldedFinding(finding, report, options)),
    ...section(HEADINGS.notVerified, notVerifiedText(report, SCREEN)),
  ].filter((part) => budget(`${part}\n\n`, '') !== '');
  const texts = [joinParts([...overview, ...details]), joinParts(head)];
  return texts.find((text) => Buffer.byteLength(text) <= limit) ?? '';
}

const joinParts = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`;

function headParts(report: Report): string[] {
  const { target, suite, changes } = report;
  const rows = [...numberRows(report), ...depthRows(report)];
  const parts = [
    `# Conformance of ${inlineCode(target.name)}: ${report.title}`,
    `${markdownText(report.because)} Target: ${inlineCode(target.baseUrl)}${targetNote(target)}. Suite ${suite.version}, requirement set ${suite.requirementSet}.`,
    markdownList(rows.map(({ label, text }) => `${label}: ${inlineCode(text)}`)),
  ];
  if (changes) {
    parts.push(`**${markdownText(sinceText(changes))}:** ${changesText(changes)}`);
    parts.push(changeList(changes));
  }
  return parts.filter((part) => part !== '');
}

/** Returns the table of findings. It has no text of a target. */
function findingsTable(report: Report): string[] {
  const rows = findingsOf(report).map(({ level, id, sentence }) => [
    level,
    id,
    sentence.replaceAll('|', '\\|'),
  ]);
  if (rows.length === 0) return [];
  return [markdownTable(['level', 'requirement', 'what does not hold'], rows)];
}

function foldedFinding(finding: ReportedRequirement, report: Report, options: RowOptions): string {
  const text = codeBlock(findingText(finding, report, SCREEN, options));
  return `<details><summary>${finding.level} ${finding.id}</summary>\n\n${text}\n\n</details>`;
}

const section = (title: string, text: string): string[] =>
  text === '' ? [] : [`## ${title}\n\n${codeBlock(text)}`];
