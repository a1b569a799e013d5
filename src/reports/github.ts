import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shorten } from '../http/value.ts';
import { failures, openOf, type Report, type ReportedRequirement, waitingFor } from './report.ts';
import { attempt } from './report-dir.ts';
import { markdown, SUMMARY_LIMIT } from './summary.ts';
import { inert, inertLine } from './text.ts';

/** Annotations on one run of GitHub Actions: it shows no more than ten of a kind in a step. */
const MOST = 10;

/** Characters of a reason; the summary holds it whole. */
const REASON = 1000;

/**
 * The findings of a report as GitHub's workflow commands, the most telling first: errors for what fails the run, warnings
 * for the rest. What a target sent can begin no command of its own.
 */
export function annotations(report: Report): string[] {
  const { failing, warnings } = failures(report);
  // Where the file is part of the repository, GitHub shows them there.
  const entries = report.knownFailures.toChange.map(({ slug, file, line, message }) => {
    return { file, line, title: `Known failure ${slug}`, text: message };
  });
  // One for each root: what could not be verified because of it is counted there, and has none of its own.
  const finding = (one: ReportedRequirement) => {
    const text = `${one.sentence} ${shorten(one.reason, REASON)}`;
    return { title: `${one.level} ${one.id}`, text: [text, ...waitingFor(one, report)].join('; ') };
  };
  const errors: Annotation[] = [...entries, ...failing.map(finding)];
  // A target that does not answer fails the job, too.
  if (errors.length === 0 && report.verdict !== 'conformant') errors.push(verdict(report));
  return [...commands('error', errors), ...commands('warning', warnings.map(finding))];
}

function verdict(report: Report) {
  const open = openOf(report).find(({ needs }) => needs === undefined);
  const why = report.verdict === 'inconclusive' && open ? ` ${open.id}: ${shorten(open.reason, REASON)}` : '';
  return { title: `Conformance: ${report.title}`, text: `${report.because}${why}` };
}

type Annotation = Record<'title' | 'text', string>;

function commands(kind: 'error' | 'warning', rows: Annotation[]): string[] {
  const shown = rows.length > MOST ? rows.slice(0, MOST - 1) : rows;
  const more = rows.length - shown.length;
  const rest = more > 0 ? [{ title: 'Conformance', text: `and ${more} more: see the summary` }] : [];
  return [...shown, ...rest].map(({ text, ...properties }) => {
    const property = (value: unknown) => escaped(`${value}`).replaceAll(':', '%3A').replaceAll(',', '%2C');
    const given = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
    return `::${kind} ${given.join(',')}::${escaped(text)}`;
  });
}

function escaped(text: string): string {
  return inert(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/**
 * A run as the outputs of a step of GitHub Actions, a line each for the file that GITHUB_OUTPUT names. No value can add
 * a line.
 */
export function outputs(report: Report, reportDir: string): string {
  const { failing, warnings } = failures(report);
  const slugs = (rows: { id: string }[]) => rows.map(({ id }) => id).join(' ');
  const counts = Object.entries(report.counts).flatMap(([level, outcomes]) =>
    Object.entries(outcomes).map(([outcome, count]) => [`${level.toLowerCase()}-${outcome}`, `${count}`] as const),
  );
  const rows = [
    ['verdict', report.title],
    ['because', report.because],
    ...counts,
    ['failed', slugs(failing)],
    ['warnings', slugs(warnings)],
    ['report', join(reportDir, 'conformance.json')],
    ['report-dir', reportDir],
  ] as const;
  return rows.map(([name, value]) => `${name}=${inertLine(value)}\n`).join('');
}

/**
 * Writes the job summary and, unless the suite itself failed and so has no verdict that a later step could act on, the
 * outputs of the step to where GitHub Actions asks for them; elsewhere it does nothing.
 * Returns a sentence for each that could not be written.
 */
export function tellGitHub(report: Report, reportDir: string, suiteFailed: boolean): string[] {
  const { GITHUB_OUTPUT, GITHUB_STEP_SUMMARY } = process.env;
  return [
    ...attempt('The job summary', () => {
      if (!GITHUB_STEP_SUMMARY) return;
      // The limit is that of the step, which may run the command several times.
      const taken = statSync(GITHUB_STEP_SUMMARY, { throwIfNoEntry: false })?.size ?? 0;
      appendFileSync(GITHUB_STEP_SUMMARY, markdown(report, SUMMARY_LIMIT - taken));
    }),
    ...attempt("The step's output", () => {
      if (GITHUB_OUTPUT && !suiteFailed) appendFileSync(GITHUB_OUTPUT, outputs(report, reportDir));
    }),
  ];
}
