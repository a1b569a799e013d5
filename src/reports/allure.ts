import { randomUUID } from 'node:crypto';
import { kindText } from './appearance.ts';
import { exchangeText, exchangeTitle } from './exchange-text.ts';
import type { RowOptions } from './finding-rows.ts';
import { html } from './html.ts';
import type { Report, ReportedRequirement } from './report.ts';
import type { RunResult } from './run-result.ts';
import { testResult } from './test-result.ts';
import { sanitize, sanitizeLine } from './text.ts';

/** The status of Allure for each state; `broken` is a warning. */
const STATUSES = {
  passes: 'passed',
  fails: 'failed',
  'is open': 'unknown',
  warns: 'broken',
  skips: 'skipped',
};

/** The most attachments of a run. Many small files would take longer than its requests. */
const MAX_ATTACHMENTS = 100;

/** The results of a run for Allure. */
export interface AllureResults {
  /** The results by slug, in the order of the report, without the `uuid` that names their file. */
  results: Map<string, object>;
  /** The contents of the attachments by file name. */
  files: Map<string, string>;
}

/** Returns the results of a run for Allure, and the files that they attach. Pure. */
export function allureResults(report: Report, options: RowOptions = {}): AllureResults {
  const withEvidence = report.requirements.filter(({ exchanges }) => exchanges.length > 0).length;
  const limit = Math.max(1, Math.floor(MAX_ATTACHMENTS / withEvidence));
  const files = new Map<string, string>();
  const results = report.requirements.map((requirement, index) => {
    const { id, exchanges } = requirement;
    const attachments = exchanges.slice(-limit).map((exchange) => {
      // Allure 3 shows an attachment only in the first result that names its file.
      const source = `${id}-${exchange.id}-attachment.txt`;
      files.set(source, exchangeText(exchange));
      const name = sanitizeLine(`#${exchange.id} ${exchangeTitle(exchange)}`);
      return { name, source, type: 'text/plain' };
    });
    // Allure sorts results by their start.
    const start = Date.parse(report.start) + index;
    const fields = resultFields(requirement, report, options);
    return [id, { ...fields, start, stop: start, attachments }] as const;
  });
  return { results: new Map(results), files };
}

/** Returns a result without its times and attachments. */
function resultFields(
  requirement: ReportedRequirement,
  report: Report,
  options: RowOptions,
): object {
  const { id, sentence, chapter, level, source, link, outcome, reason } = requirement;
  const { state, text } = testResult(requirement, report, options);
  const isOpen = outcome === 'not-verified';
  const labels = [
    { name: 'parentSuite', value: chapter },
    { name: 'epic', value: sanitizeLine(report.target.name) },
    { name: 'feature', value: chapter },
    { name: 'severity', value: level === 'MUST' ? 'critical' : 'minor' },
    { name: 'tag', value: level },
  ];
  if (state === 'skips' && !isOpen) labels.push({ name: 'tag', value: kindText(outcome) });
  const links = [
    source.url ? { name: source.text, url: source.url } : [],
    link ? { name: sanitizeLine(link), url: sanitizeLine(link), type: 'issue' } : [],
  ].flat();
  // Allure shows no message for the status `unknown`, so the description has the reason.
  const notVerified = isOpen && html`<p>Not verified; ${reason}</p>`;
  const description = html`${notVerified}<p>Source: ${source.text}</p><p>exchanges.har has every request of the run.</p>`;
  return {
    name: `${sentence} (${level} ${id})`,
    fullName: id,
    titlePath: [chapter],
    // The slug alone continues the history of a requirement after a new installation.
    testCaseId: id,
    historyId: id,
    status: isOpen ? 'unknown' : STATUSES[state],
    statusDetails: text === '' ? {} : { message: sanitize(text) },
    stage: 'finished',
    descriptionHtml: sanitize(`${description}`),
    labels,
    links,
    parameters: [],
    steps: [],
  };
}

/**
 * Returns the files for Allure by name: the attachments, and the results unless another reporter
 * writes them.
 */
export function allureFiles(
  { report }: RunResult,
  hasAllure: boolean,
  options: RowOptions,
): Map<string, string> {
  const { files, results } = allureResults(report, options);
  if (hasAllure) return files;
  for (const result of results.values()) {
    const uuid = randomUUID();
    files.set(allureName(uuid), JSON.stringify({ uuid, ...result }));
  }
  return files;
}

/** Returns the name of the file of a result. */
export const allureName = (uuid: string): string => `${uuid}-result.json`;
