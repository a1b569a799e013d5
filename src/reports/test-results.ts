import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Attachment, Label, Stage, Status, TestResult } from 'allure-js-commons';
import { effectOf } from '../verdict/verdict.ts';
import { brief, exchangeText, repeat } from './exchange-text.ts';
import { inWords } from './look.ts';
import { chaptersOf, type Report, type ReportedRequirement } from './report.ts';
import type { TracedExchange } from './run-result.ts';
import { html, inert, inertLine } from './text.ts';

/** What a test result needs of a report. */
export interface TestTerms {
  scope: Pick<Report['scope'], 'strict'>;
  target: Pick<Report['target'], 'baseUrl'>;
  knownFailures: Pick<Report['knownFailures'], 'toChange'>;
}

/**
 * What becomes of the test of a requirement, where a run is shown as tests; `details` are of what does not hold: its source, the
 * finding, and the line that repeats it. Pure.
 */
export function testResult(
  one: ReportedRequirement,
  { scope, target, knownFailures }: TestTerms,
): { state: 'passes' | 'fails' | 'is open' | 'warns' | 'skips'; message: string; details: string[] } {
  const { id, level, outcome, sentence, source, reason, exchanges } = one;
  if (outcome === 'passed') {
    const stale = knownFailures.toChange.find(({ slug }) => slug === id);
    return { state: stale ? 'fails' : 'passes', message: stale?.message ?? '', details: [] };
  }
  const effect = effectOf(one, scope.strict);
  if (outcome === 'failed') {
    const line = repeat(exchanges, new URL(target.baseUrl).origin);
    const details = [`source: ${source.text}`, reason, ...(line ? [`repeat: ${line}`] : [])];
    return { state: effect === 'warns' ? 'warns' : 'fails', message: `${level} not met: ${sentence}`, details };
  }
  const message = `${outcome.replace('-', ' ')}: ${reason}`;
  return { state: effect === 'leaves open' ? 'is open' : 'skips', message, details: [] };
}

// By hand: what the registry has for it brings a megabyte of helpers along. XML has the entities of HTML.

const ELEMENTS = { passes: '', fails: 'failure', 'is open': 'error', warns: 'skipped', skips: 'skipped' };

/**
 * A run as JUnit's XML: a suite for each chapter, a test case for each requirement. What fails the run is a failure. What could
 * not be verified is an error once for each reason, and skipped where it needs another requirement or only says the same
 * again: one fault, one red line. Pure.
 */
export function junit(report: Report, traced: TracedExchange[]): string {
  const times = evidenceTimes(report, traced);
  const seconds = (rows: ReportedRequirement[]) =>
    (rows.reduce((sum, { id }) => sum + (times.get(id) ?? 0), 0) / 1000).toFixed(3);
  const said = new Set<string>();
  const cases = report.requirements.map((one) => {
    const result = testResult(one, report);
    const isAgain = result.state === 'is open' && (one.needs !== undefined || said.has(one.reason));
    if (result.state === 'is open') said.add(one.reason);
    return { one, chapter: one.chapter, ...result, element: isAgain ? 'skipped' : ELEMENTS[result.state] };
  });
  const attributes = (name: string, some: typeof cases) => {
    const count = (element: string) => some.filter((one) => one.element === element).length;
    return html`name="${name}" tests="${some.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds(some.map(({ one }) => one))}" timestamp="${report.start}"`;
  };
  const testCase = ({ one, chapter, element, message, details }: (typeof cases)[number]) => {
    const head = html`    <testcase classname="${chapter}" name="${one.id}" time="${seconds([one])}"`;
    if (element === '') return html`${head}/>\n`;
    const ending = html`      <${element} message="${message}"`;
    const shown = details.length === 0 ? html`${ending}/>` : html`${ending}>${details.join('\n')}</${element}>`;
    return html`${head}>\n${shown}\n    </testcase>\n`;
  };
  const chapters = chaptersOf(cases).map(
    ([chapter, own]) => html`  <testsuite ${attributes(chapter, own)}>\n${own.map(testCase)}  </testsuite>\n`,
  );
  const name = report.scope.partial ? `${report.suite.name} (partial)` : report.suite.name;
  const head = html`<testsuites ${attributes(name, cases)}>`;
  return inert(String(html`<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${chapters}</testsuites>\n`));
}

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

/**
 * How much of a run each requirement took, in milliseconds, by slug. The run is shared out by how long the exchanges of the
 * evidence took; an exchange that several requirements look at counts for each of them in part. Merged reports hold the
 * exchanges of failures alone, so there each requirement has the same share. All of it adds up to the run. Pure.
 */
export function evidenceTimes(
  { duration, runs, requirements: rows }: Pick<Report, 'duration' | 'runs' | 'requirements'>,
  traced: TracedExchange[],
): Map<string, number> {
  if (runs !== undefined) return new Map(rows.map(({ id }) => [id, duration / rows.length]));
  const shares = new Map<string, number>();
  for (const { exchange, requirements } of traced) {
    for (const slug of requirements) {
      shares.set(slug, (shares.get(slug) ?? 0) + exchange.duration / requirements.length);
    }
  }
  const all = [...shares.values()].reduce((sum, share) => sum + share, 0);
  return new Map([...shares].map(([slug, share]) => [slug, all === 0 ? 0 : (share / all) * duration]));
}
