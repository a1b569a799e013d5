import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment, Label, Stage, Status, TestResult } from 'allure-js-commons';
import { evidenceTimes } from './evidence-times.ts';
import { exchangeText } from './exchange-text.ts';
import { html } from './html.ts';
import { inWords } from './look.ts';
import type { Report, ReportedRequirement } from './report.ts';
import type { TracedExchange } from './run-result.ts';
import { testResult } from './test-result.ts';
import { brief, inert, inertLine } from './text.ts';

/** What reporters give a result themselves: where it is written, and by what. */
type AllureResult = Omit<TestResult, 'uuid'>;

/** The results of a run for Allure, by slug in the order of the report, and the files that they attach, by their names. */
export type AllureResults = ReturnType<typeof allureResults>;

/** Files with an exchange each that a run writes, about, besides those of the results. */
const EXCHANGES = 100;

/** Makes them. Pure. */
export function allureResults(report: Report, traced: TracedExchange[]) {
  // What passed has none: `exchanges.har` has them all, and so many small files would take longer than the requests.
  const telling = report.requirements.filter(({ exchanges }) => exchanges.length > 0).length;
  const most = Math.max(1, Math.floor(EXCHANGES / telling));
  const times = evidenceTimes(report, traced);
  const began = Date.parse(report.start);
  const { origin } = new URL(report.target.baseUrl);
  const files = new Map<string, string>();
  const results = report.requirements.map((requirement, order) => {
    const { id: slug, exchanges } = requirement;
    const attachments = exchanges.slice(-most).map((exchange): Attachment => {
      // A file of its own for each result: Allure 3 shows an attachment only in the first that names it.
      const source = `${slug}-${exchange.id}-attachment.txt`;
      files.set(source, exchangeText(exchange, origin));
      return { name: inertLine(`#${exchange.id} ${brief(exchange)}`), source, type: 'text/plain' };
    });
    const timing = { start: began + order, duration: times.get(slug) ?? 0 };
    return [slug, allureResult(requirement, { attachments, ...timing }, report)] as const;
  });
  return { results: new Map(results), files };
}

/** Writes them into a folder: all of them, or none. Throws what the system says. */
export function writeAllure(all: AllureResults, directory: string): void {
  try {
    writeAttachments(all, directory);
    for (const result of all.results.values()) {
      const uuid = randomUUID();
      writeFileSync(join(directory, `${uuid}-result.json`), JSON.stringify({ uuid, ...result }));
    }
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Writes what the results attach. Throws what the system says. */
export function writeAttachments({ files }: AllureResults, directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const [name, content] of files) writeFileSync(join(directory, name), content);
}

/**
 * Makes the result of a requirement, which the exchanges are attached to that show why it did not pass. Readers show
 * results in the order in which they are said to have begun: `start`, milliseconds since 1970. `duration` is how much
 * of the run it took, in milliseconds. Pure.
 */
function allureResult(
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
