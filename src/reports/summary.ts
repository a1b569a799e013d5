import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shorten } from '../http/value.ts';
import type { Level } from '../requirement/requirement.ts';
import { changeList, changesText, sinceText } from './changes.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { attempt } from './report-dir.ts';
import { depthRows, HEADINGS, numberRows, targetNote } from './rows.ts';
import { plainScreen } from './screen.ts';
import { dependentsText, failures, findingsOf, openRequirements, score } from './selection.ts';
import { findingText, notVerifiedText, toChangeText } from './terminal.ts';
import {
  abbreviateList,
  byteBudget,
  codeBlock,
  inlineCode,
  markdownList,
  markdownTable,
  markdownText,
  sanitize,
  sanitizeLine,
} from './text.ts';

/** Bytes of the summary: GitHub discards a job summary of more than 1 MiB as a whole. */
export const SUMMARY_LIMIT = 1_000_000;

/** The screen of findings in a block of code. */
const SCREEN = plainScreen(120);

/**
 * Returns the report as Markdown, for people and for the job summary of a CI, in at most `limit`
 * bytes. Each finding is folded and has the text of the terminal. The least important parts are
 * omitted first; the summary is empty if not even the verdict fits. Pure.
 */
export function markdown(report: Report, limit = SUMMARY_LIMIT): string {
  const head = headParts(report);
  const overview = [...head, ...findingsTable(report)];
  const budget = byteBudget(limit - Buffer.byteLength(joinParts(overview)));
  const details = [
    ...section(HEADINGS.knownFailures, toChangeText(report, SCREEN)),
    ...findingsOf(report).map((finding) => foldedFinding(finding, report)),
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
    markdownList(rows.map(([label, value]) => `${label}: ${inlineCode(value)}`)),
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

function foldedFinding(finding: ReportedRequirement, report: Report): string {
  const text = codeBlock(findingText(finding, report, SCREEN));
  return `<details><summary>${finding.level} ${finding.id}</summary>\n\n${text}\n\n</details>`;
}

const section = (title: string, text: string): string[] =>
  text === '' ? [] : [`## ${title}\n\n${codeBlock(text)}`];

/** The most failed requirements that the badge names: it is a single line. */
const MAX_BADGE_NAMES = 3;

/** The data of a badge on shields.io (an "endpoint badge"). */
export interface Badge {
  schemaVersion: 1;
  label: string;
  message: string;
  color: string;
}

/** Makes the badge of a run, which is yellow if the only failures are known ones. Pure. */
export function badge(report: Report): Badge {
  const levels: Level[] = report.scope.strict ? ['MUST', 'SHOULD'] : ['MUST'];
  const parts = [report.title, ...levels.map((level) => `${score(report, level)} ${level}`)];
  const failing = failures(report).failing.map(({ id }) => id);
  if (failing.length > 0) parts.push(`failed: ${abbreviateList(failing, MAX_BADGE_NAMES)}`);
  return {
    schemaVersion: 1,
    label: 'User Management conformance',
    message: parts.join(', '),
    color: badgeColor(report),
  };
}

function badgeColor({ verdict, counts }: Report): string {
  if (verdict === 'non-conformant') return 'red';
  if (verdict === 'inconclusive') return 'lightgrey';
  const hasKnownFailure = Object.values(counts).some((count) => count['known-failure'] > 0);
  return hasKnownFailure ? 'yellow' : 'green';
}

/** The most annotations: GitHub Actions shows ten of a kind in a step. */
const MAX_ANNOTATIONS = 10;

/** The most characters of a reason in an annotation; the summary has all of it. */
const MAX_REASON = 1000;

/** A message of GitHub Actions; its place is a file of the repository. */
interface Annotation {
  file?: string;
  line?: number;
  title: string;
  text: string;
}

/**
 * Returns the findings of a report as workflow commands of GitHub, the most important first: errors
 * for failures of the run, warnings for the rest. Text of a target cannot begin another command.
 */
export function annotations(report: Report): string[] {
  const { failing, warnings } = failures(report);
  // GitHub shows an annotation at its place if the file is part of the repository.
  const toChange = report.knownFailures.toChange.map(({ slug, file, line, message }) => {
    return { file, line, title: `Known failure ${slug}`, text: message };
  });
  const failed = failing.map((requirement) => failureAnnotation(requirement, report));
  const errors: Annotation[] = [...toChange, ...failed];
  // A target that does not respond also fails the job.
  if (errors.length === 0 && report.verdict !== 'conformant')
    errors.push(verdictAnnotation(report));
  return [
    ...workflowCommands('error', errors),
    ...workflowCommands(
      'warning',
      warnings.map((requirement) => failureAnnotation(requirement, report)),
    ),
  ];
}

/** Returns the annotation of a failure. It counts the dependents, which have none of their own. */
function failureAnnotation(requirement: ReportedRequirement, report: Report): Annotation {
  const { level, id, sentence, reason } = requirement;
  const text = `${sentence} ${shorten(reason, MAX_REASON)}`;
  const dependents = dependentsText(requirement, report);
  return { title: `${level} ${id}`, text: dependents === '' ? text : `${text}; ${dependents}` };
}

function verdictAnnotation(report: Report): Annotation {
  const title = `Conformance: ${report.title}`;
  const open = openRequirements(report).find(({ needs }) => needs === undefined);
  if (report.verdict !== 'inconclusive' || !open) return { title, text: report.because };
  return { title, text: `${report.because} ${open.id}: ${shorten(open.reason, MAX_REASON)}` };
}

function workflowCommands(kind: 'error' | 'warning', rows: readonly Annotation[]): string[] {
  if (rows.length <= MAX_ANNOTATIONS) return rows.map((row) => workflowCommand(kind, row));
  const shown = rows.slice(0, MAX_ANNOTATIONS - 1);
  const text = `and ${rows.length - shown.length} more: see the summary`;
  return [...shown, { title: 'Conformance', text }].map((row) => workflowCommand(kind, row));
}

function workflowCommand(kind: string, { text, ...properties }: Annotation): string {
  const pairs = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeProperty(`${value}`)}`,
  );
  return `::${kind} ${pairs.join(',')}::${escapeData(text)}`;
}

const escapeProperty = (value: string): string =>
  escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C');

const escapeData = (text: string): string =>
  sanitize(text).replaceAll('%', '%25').replaceAll('\n', '%0A');

/**
 * Returns the outputs of a step of GitHub Actions, one line each, for the file GITHUB_OUTPUT. A
 * value cannot add a line.
 */
export function outputs(report: Report, reportDir: string): string {
  const { failing, warnings } = failures(report);
  const slugs = (rows: readonly ReportedRequirement[]) => rows.map(({ id }) => id).join(' ');
  const counts = Object.entries(report.counts).flatMap(([level, outcomes]) =>
    Object.entries(outcomes).map(([outcome, count]) => ({
      name: `${level.toLowerCase()}-${outcome}`,
      value: `${count}`,
    })),
  );
  const rows = [
    { name: 'verdict', value: report.title },
    { name: 'because', value: report.because },
    ...counts,
    { name: 'failed', value: slugs(failing) },
    { name: 'warnings', value: slugs(warnings) },
    { name: 'report', value: join(reportDir, 'conformance.json') },
    { name: 'report-dir', value: reportDir },
  ];
  return rows.map(({ name, value }) => `${name}=${sanitizeLine(value)}\n`).join('');
}

/**
 * Writes the job summary and the outputs of the step to the files of GitHub Actions; does nothing
 * elsewhere. If the suite itself failed, there is no verdict, so a later step gets no outputs.
 * Returns a sentence for each file that could not be written.
 */
export function writeToGitHub(report: Report, reportDir: string, hasFault: boolean): string[] {
  const { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env;
  return [
    ...attempt('The job summary', () => {
      if (!GITHUB_STEP_SUMMARY) return;
      // The limit applies to a step, which may run the command several times.
      const used = statSync(GITHUB_STEP_SUMMARY, { throwIfNoEntry: false })?.size ?? 0;
      appendFileSync(GITHUB_STEP_SUMMARY, markdown(report, SUMMARY_LIMIT - used));
    }),
    ...attempt("The step's output", () => {
      if (GITHUB_OUTPUT && !hasFault) appendFileSync(GITHUB_OUTPUT, outputs(report, reportDir));
    }),
  ];
}
