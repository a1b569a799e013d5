import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { effectOf } from '../verdict/verdict.ts';
import { brief, exchangeText, repeatLines } from './exchange-text.ts';
import { inWords } from './look.ts';
import { explainLine } from './next-command.ts';
import { chaptersOf, type Report, type ReportedRequirement } from './report.ts';
import type { RunResult, TracedExchange } from './run-result.ts';
import { html, inert, inertLine } from './text.ts';

/**
 * The element in JUnit for what becomes of a requirement's test, and the status in Allure, which has `broken` for a
 * warning.
 */
const ELEMENTS = {
  passes: '',
  fails: 'failure',
  'is open': 'error',
  warns: 'skipped',
  skips: 'skipped',
};
const STATUSES = {
  passes: 'passed',
  fails: 'failed',
  'is open': 'unknown',
  warns: 'broken',
  skips: 'skipped',
};

/**
 * What becomes of the test of a requirement, where a run is shown as tests; `details` are of what does not hold: its
 * source, the finding, and the lines that repeat and explain it.
 */
export function testResult(one: ReportedRequirement, { scope, target, knownFailures }: Report) {
  const { id, level, outcome, sentence, source, reason, exchanges } = one;
  const result = (state: keyof typeof ELEMENTS, message = '', details: string[] = []) => ({
    state,
    message,
    details,
  });
  if (outcome === 'passed') {
    const stale = knownFailures.toChange.find(({ slug }) => slug === id);
    return result(stale ? 'fails' : 'passes', stale?.message);
  }
  const effect = effectOf(one, scope.strict);
  if (outcome === 'failed') {
    const lines = repeatLines(exchanges, target.baseUrl);
    const details = [
      `source: ${source.text}`,
      reason,
      ...lines.map((line) => `repeat: ${line}`),
      `explain: ${explainLine(id)}`,
    ];
    return result(effect === 'warns' ? 'warns' : 'fails', `${level} not met: ${sentence}`, details);
  }
  return result(effect === 'leaves open' ? 'is open' : 'skips', `${inWords(outcome)}: ${reason}`);
}

/**
 * A run as JUnit's XML: a suite for each chapter, a test case for each requirement. What fails the run is a failure.
 * What could not be verified is an error once for each reason, and skipped where it needs another requirement or only
 * says the same again: one fault, one red line. Pure.
 */
export function junit(report: Report, traced: TracedExchange[]): string {
  // By hand: what the registry has for it brings a megabyte of helpers along. XML has the entities of HTML.
  const times = evidenceTimes(report, traced);
  const said = new Set<string>();
  const cases = report.requirements.map((one) => {
    const { state, message, details } = testResult(one, report);
    const isAgain = state === 'is open' && (one.needs !== undefined || said.has(one.reason));
    if (state === 'is open') said.add(one.reason);
    return { ...one, message, details, element: isAgain ? 'skipped' : ELEMENTS[state] };
  });
  const time = (some: { id: string }[]) =>
    html`time="${(some.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0) / 1000).toFixed(3)}"`;
  const attributes = (name: string, some: typeof cases) => {
    const count = (element: string) => some.filter((one) => one.element === element).length;
    return html`name="${name}" tests="${some.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" ${time(some)} timestamp="${report.start}"`;
  };
  const testCase = (one: (typeof cases)[number]) => {
    const { chapter, id, element, message, details } = one;
    const head = html`    <testcase classname="${chapter}" name="${id}" ${time([one])}`;
    if (element === '') return html`${head}/>\n`;
    const content = details.length === 0 ? html`/>` : html`>${details.join('\n')}</${element}>`;
    return html`${head}>\n      <${element} message="${message}"${content}\n    </testcase>\n`;
  };
  const chapters = chaptersOf(cases).map(
    ([chapter, own]) =>
      html`  <testsuite ${attributes(chapter, own)}>\n${own.map(testCase)}  </testsuite>\n`,
  );
  const name = report.scope.partial ? `${report.suite.name} (partial)` : report.suite.name;
  const head = html`<testsuites ${attributes(name, cases)}>`;
  return inert(
    String(html`<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${chapters}</testsuites>\n`),
  );
}

/**
 * The results of a run for Allure, by slug in the order of the report, and the files that they attach, by their names;
 * reporters themselves say where a result is written. Pure.
 */
export function allureResults(report: Report, traced: TracedExchange[]) {
  // About a hundred. What passed has none: `exchanges.har` has them all, and so many small files would take longer than
  // the requests.
  const telling = report.requirements.filter(({ exchanges }) => exchanges.length > 0).length;
  const most = Math.max(1, Math.floor(100 / telling));
  const times = evidenceTimes(report, traced);
  const files = new Map<string, string>();
  const results = report.requirements.map((requirement, order) => {
    const { id, sentence, chapter, level, source, link, outcome, reason, exchanges } = requirement;
    const { state, message, details } = testResult(requirement, report);
    const isOpen = outcome === 'not-verified';
    const labels = [
      ['parentSuite', chapter],
      ['epic', inertLine(report.target.name)],
      ['feature', chapter],
      ['severity', level === 'MUST' ? 'critical' : 'minor'],
      ['tag', level],
      ...(state === 'skips' && !isOpen ? [['tag', inWords(outcome)]] : []),
    ];
    // Readers show results in the order in which they are said to have begun.
    const start = Date.parse(report.start) + order;
    // Allure shows no message with what is `unknown`, so the reason stands here.
    const why = isOpen && html`<p>Not verified; ${reason}</p>`;
    const description = html`${why}<p>Source: ${source.text}</p><p>exchanges.har has every request of the run.</p>`;
    const result = {
      name: `${sentence} (${level} ${id})`,
      fullName: id,
      titlePath: [chapter],
      // The history of a requirement goes on when the suite is installed elsewhere.
      testCaseId: id,
      historyId: id,
      start,
      stop: start + Math.round(times.get(id) ?? 0),
      status: isOpen ? 'unknown' : STATUSES[state],
      statusDetails: message === '' ? {} : { message: inert([message, ...details].join('\n')) },
      stage: 'finished',
      descriptionHtml: inert(`${description}`),
      labels: labels.map(([name, value]) => ({ name, value })),
      links: [
        ...(source.url ? [{ name: source.text, url: source.url }] : []),
        ...(link ? [{ name: inertLine(link), url: inertLine(link), type: 'issue' }] : []),
      ],
      parameters: [],
      steps: [],
      attachments: exchanges.slice(-most).map((exchange) => {
        // A file of its own for each result: Allure 3 shows an attachment only in the first that names it.
        const file = `${id}-${exchange.id}-attachment.txt`;
        files.set(file, exchangeText(exchange, report.target.baseUrl));
        return {
          name: inertLine(`#${exchange.id} ${brief(exchange)}`),
          source: file,
          type: 'text/plain',
        };
      }),
    };
    return [id, result] as const;
  });
  return { results: new Map(results), files };
}

/**
 * Writes the files into a folder, and the results unless another reporter does: all, or nothing. Throws what the system
 * says.
 */
export function writeAllure(
  { report, traced }: RunResult,
  directory: string,
  hasAllure: boolean,
): void {
  const { files, results } = allureResults(report, traced);
  try {
    mkdirSync(directory, { recursive: true });
    for (const [name, content] of files) writeFileSync(join(directory, name), content);
    for (const result of hasAllure ? [] : results.values()) {
      const uuid = randomUUID();
      writeFileSync(join(directory, `${uuid}-result.json`), JSON.stringify({ uuid, ...result }));
    }
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/**
 * How much of a run each requirement took, in milliseconds, by slug. The run is shared out by how
 * long the exchanges of the evidence took; an exchange that several requirements look at counts for
 * each of them in part. All of it adds up to the run. Pure.
 */
function evidenceTimes({ duration }: Report, traced: TracedExchange[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { exchange, requirements } of traced) {
    const share = exchange.duration / requirements.length;
    for (const slug of requirements) shares.set(slug, (shares.get(slug) ?? 0) + share);
  }
  const all = [...shares.values()].reduce((sum, share) => sum + share, 0);
  return new Map(
    [...shares].map(([slug, share]) => [slug, all === 0 ? 0 : (share / all) * duration]),
  );
}
