import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shorten } from '../http/value.ts';
import { attempt } from '../settings/files.ts';
import type { RowOptions } from './finding-rows.ts';
import type { Report, ReportedRequirement } from './report.ts';
import { dependentsText, failures } from './selection.ts';
import { markdown, SUMMARY_LIMIT } from './summary.ts';
import { sanitize, sanitizeLine } from './text.ts';

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
    errors.push({ title: `Conformance: ${report.title}`, text: report.because });
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
export function writeToGitHub(
  report: Report,
  reportDir: string,
  { command, hasFault }: RowOptions & { hasFault: boolean },
): string[] {
  const { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env;
  return [
    ...attempt('The job summary', () => {
      if (!GITHUB_STEP_SUMMARY) return;
      // The limit applies to a step, which may run the command several times.
      const used = statSync(GITHUB_STEP_SUMMARY, { throwIfNoEntry: false })?.size ?? 0;
      appendFileSync(GITHUB_STEP_SUMMARY, markdown(report, { command }, SUMMARY_LIMIT - used));
    }),
    ...attempt("The step's output", () => {
      if (GITHUB_OUTPUT && !hasFault) appendFileSync(GITHUB_OUTPUT, outputs(report, reportDir));
    }),
  ];
}
