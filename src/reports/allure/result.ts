import type { Attachment, Label, Stage, Status, TestResult } from 'allure-js-commons';
import { findingRows } from '../finding.ts';
import { html } from '../html.ts';
import { inWords } from '../look.ts';
import type { Report, ReportedRequirement } from '../report.ts';
import { testResult } from '../test-result.ts';
import { inert, inertLine, repeat } from '../text.ts';

/** What reporters give a result themselves: where it is written, and by what. */
export type AllureResult = Omit<TestResult, 'uuid'>;

/**
 * Makes the result of a requirement, which the exchanges are attached to that show why it did not pass. Readers show results in
 * the order in which they are said to have begun: `start`, milliseconds since 1970. `duration` is how much of the run it took, in
 * milliseconds. Pure.
 */
export function allureResult(
  requirement: ReportedRequirement,
  { attachments, start, duration }: { attachments: Attachment[]; start: number; duration: number },
  report: Report,
): AllureResult {
  const { id, sentence, chapter, level, source, link } = requirement;
  const { status, title, tags } = inAllure(requirement, report);
  const label = (name: string, value: string): Label => ({ name, value });
  return {
    name: `${sentence} (${level} ${id})`,
    fullName: id,
    titlePath: [chapter],
    // The history of a requirement goes on when the suite is installed elsewhere.
    testCaseId: id,
    historyId: id,
    start,
    stop: start + Math.round(duration),
    status,
    statusDetails: status === 'passed' ? {} : { message: inert(message(title, requirement, report)) },
    stage: 'finished' as Stage,
    descriptionHtml: description(requirement),
    labels: [
      label('parentSuite', chapter),
      label('epic', inertLine(report.target.name)),
      label('feature', chapter),
      label('severity', level === 'MUST' ? 'critical' : 'minor'),
      ...tags.map((tag) => label('tag', tag)),
    ],
    links: [
      ...(source.url ? [{ name: source.text, url: source.url }] : []),
      ...(link ? [{ name: inertLine(link), url: inertLine(link), type: 'issue' }] : []),
    ],
    parameters: [],
    steps: [],
    attachments,
  };
}

/** Allure's status of what is no failure. It has no warning: yellow is `broken`. Only what passed is green. */
const STATUS = { passes: 'passed', fails: 'failed', 'is open': 'unknown', warns: 'broken', skips: 'skipped' } as const;

/** Allure's status, and the outcome in words. */
function inAllure(requirement: ReportedRequirement, report: Report) {
  const { level, outcome } = requirement;
  const { state } = testResult(requirement, report);
  const titles = {
    passed: state === 'fails' ? `${level} met: take it off the known failures` : '',
    failed: `${level} not met${state === 'warns' ? ', a warning' : ''}`,
    'known-failure': `${level} not met, a known failure`,
    'not-applicable': 'not applicable',
    'not-verified': '',
  };
  const isOpen = outcome === 'not-verified';
  const status = (isOpen ? 'unknown' : STATUS[state]) as Status;
  return { status, title: titles[outcome], tags: [level, ...(state === 'skips' && !isOpen ? [inWords(outcome)] : [])] };
}

/** Why a requirement is not passed; the first line tells the essence. A finding comes with a way to see it again. */
function message(title: string, requirement: ReportedRequirement, report: Report): string {
  const { reason, expected, exchanges } = requirement;
  const line = expected === undefined ? undefined : repeat(exchanges, new URL(report.target.baseUrl).origin);
  const rows = findingRows(requirement, report).flatMap(([name, value]) => (name === 'why' ? [] : [row(name, value)]));
  return [
    expected === undefined ? [title, reason].filter((part) => part !== '').join(': ') : title,
    ...rows,
    ...(line === undefined ? [] : ['', 'repeat it:', line]),
  ].join('\n');
}

/** A value behind its name; the findings of several cases stand one below the other. */
function row(name: string, value: string): string {
  return `${name.padEnd(14)}${value.replaceAll('; ', `\n${' '.repeat(14)}`)}`;
}

/** Where a requirement comes from. Allure shows no message with what is `unknown`, so the reason stands here. */
function description({ source, outcome, reason }: ReportedRequirement): string {
  const why = outcome === 'not-verified' && html`<p>Not verified; ${reason}</p>`;
  return inert(`${html`${why}<p>Source: ${source.text}</p><p>exchanges.har has every request of the run.</p>`}`);
}
