import type { Attachment, Label, Stage, Status, TestResult } from 'allure-js-commons';
import { html } from '../html.ts';
import { inWords } from '../look.ts';
import type { Report, ReportedRequirement } from '../report.ts';
import { testResult } from '../test-result.ts';
import { inert, inertLine } from '../text.ts';

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
  const { id, sentence, chapter, level, source, link, outcome } = requirement;
  const { state, message, details } = testResult(requirement, report);
  const isOpen = outcome === 'not-verified';
  const tags = [level, ...(state === 'skips' && !isOpen ? [inWords(outcome)] : [])];
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
    status: (isOpen ? 'unknown' : STATUS[state]) as Status,
    statusDetails: message === '' ? {} : { message: inert([message, ...details].join('\n')) },
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

/** Where a requirement comes from. Allure shows no message with what is `unknown`, so the reason stands here. */
function description({ source, outcome, reason }: ReportedRequirement): string {
  const why = outcome === 'not-verified' && html`<p>Not verified; ${reason}</p>`;
  return inert(`${html`${why}<p>Source: ${source.text}</p><p>exchanges.har has every request of the run.</p>`}`);
}
