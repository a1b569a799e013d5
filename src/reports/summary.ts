import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { shorten } from '../http/value.ts';
import { changeList, changesText, sinceText } from './changes.ts';
import { depthRows, numbers } from './look.ts';
import {
  failures,
  findingsOf,
  openOf,
  type Report,
  type ReportedRequirement,
  score,
  waitingFor,
} from './report.ts';
import { attempt } from './report-dir.ts';
import { finding, notVerifiedText, toChange } from './terminal.ts';
import { code, fenced, inert, inertLine, list, prose, roomOf, some, table } from './text.ts';

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
  // In our own words alone: what a target sent stands below.
  const rows = found.map(({ level, id, sentence }) => [level, id, sentence.replaceAll('|', '\\|')]);
  const overview = table(['level', 'requirement', 'what does not hold'], rows);
  const glance = [...head(report), ...(found.length > 0 ? [overview] : [])];
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

const section = (title: string, text: string) =>
  text === '' ? [] : [`## ${title}\n\n${fenced(text)}`];

function head(report: Report): string[] {
  const { target, suite, changes } = report;
  const embedded = target.embeddedReference ? ' (the embedded reference service)' : '';
  return [
    `# Conformance of ${code(target.name)}: ${report.title}`,
    `${prose(report.because)} Target: ${code(target.baseUrl)}${embedded}. Suite ${suite.version}, requirement set ${suite.requirementSet}.`,
    list(
      [...numbers(report), ...depthRows(report)].map(([name, value]) => `${name}: ${code(value)}`),
    ),
    ...(changes
      ? [`**${prose(sinceText(changes))}:** ${changesText(changes)}`, changeList(changes)]
      : []),
  ].filter((part) => part !== '');
}

/** Failed requirements that the badge names: it is one line, often beside others. */
const BADGE_NAMES = 3;

/**
 * What shields.io makes a badge of (its "endpoint badge"). Pure. Yellow: it conforms but for failures that are known.
 */
export function badge(report: Report) {
  const levels = report.scope.strict ? (['MUST', 'SHOULD'] as const) : (['MUST'] as const);
  const scores = levels.map((level) => `${score(report, level)} ${level}`);
  const failing = failures(report).failing.map(({ id }) => id);
  const names = some(failing, BADGE_NAMES);
  const known = Object.values(report.counts).some((count) => count['known-failure'] > 0);
  const colors = {
    conformant: known ? 'yellow' : 'green',
    'non-conformant': 'red',
    inconclusive: 'lightgrey',
  };
  return {
    schemaVersion: 1,
    label: 'User Management conformance',
    message: [report.title, ...scores, ...(failing.length > 0 ? [`failed: ${names}`] : [])].join(
      ', ',
    ),
    color: colors[report.verdict],
  };
}

/** Annotations on one run of GitHub Actions: it shows no more than ten of a kind in a step. */
const MOST = 10;

/** Characters of a reason; the summary holds it whole. */
const REASON = 1000;

/**
 * The findings of a report as GitHub's workflow commands, the most telling first: errors for what fails the run,
 * warnings for the rest. What a target sent can begin no command of its own.
 */
export function annotations(report: Report): string[] {
  const { failing, warnings } = failures(report);
  // Where the file is part of the repository, GitHub shows them there.
  const entries = report.knownFailures.toChange.map(({ slug, file, line, message }) => {
    return { file, line, title: `Known failure ${slug}`, text: message };
  });
  // One for each root: what could not be verified because of it is counted there, and has none of its own.
  const annotation = (one: ReportedRequirement) => {
    const text = `${one.sentence} ${shorten(one.reason, REASON)}`;
    return { title: `${one.level} ${one.id}`, text: [text, ...waitingFor(one, report)].join('; ') };
  };
  const errors: Annotation[] = [...entries, ...failing.map(annotation)];
  // A target that does not answer fails the job, too.
  if (errors.length === 0 && report.verdict !== 'conformant') errors.push(verdict(report));
  return [...commands('error', errors), ...commands('warning', warnings.map(annotation))];
}

function verdict(report: Report) {
  const open = openOf(report).find(({ needs }) => needs === undefined);
  const why =
    report.verdict === 'inconclusive' && open ? ` ${open.id}: ${shorten(open.reason, REASON)}` : '';
  return { title: `Conformance: ${report.title}`, text: `${report.because}${why}` };
}

type Annotation = Record<'title' | 'text', string>;

function commands(kind: 'error' | 'warning', rows: Annotation[]): string[] {
  const shown = rows.length > MOST ? rows.slice(0, MOST - 1) : rows;
  const more = rows.length - shown.length;
  const rest =
    more > 0 ? [{ title: 'Conformance', text: `and ${more} more: see the summary` }] : [];
  return [...shown, ...rest].map(({ text, ...properties }) => {
    const property = (value: unknown) =>
      escaped(`${value}`).replaceAll(':', '%3A').replaceAll(',', '%2C');
    const given = Object.entries(properties).map(([name, value]) => `${name}=${property(value)}`);
    return `::${kind} ${given.join(',')}::${escaped(text)}`;
  });
}

const escaped = (text: string) => inert(text).replaceAll('%', '%25').replaceAll('\n', '%0A');

/**
 * A run as the outputs of a step of GitHub Actions, a line each for the file that GITHUB_OUTPUT names. No value can add
 * a line.
 */
export function outputs(report: Report, reportDir: string): string {
  const { failing, warnings } = failures(report);
  const slugs = (rows: { id: string }[]) => rows.map(({ id }) => id).join(' ');
  const counts = Object.entries(report.counts).flatMap(([level, outcomes]) =>
    Object.entries(outcomes).map(
      ([outcome, count]) => [`${level.toLowerCase()}-${outcome}`, `${count}`] as const,
    ),
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
