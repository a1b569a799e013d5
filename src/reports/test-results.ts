import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { effectOf } from '../verdict/verdict.ts';
import { kindText } from './appearance.ts';
import { exchangeText, exchangeTitle, repeatCommands } from './exchange-text.ts';
import { explainLine } from './next-command.ts';
import type { Report, ReportedRequirement } from './report.ts';
import type { RunResult, TracedExchange } from './run-result.ts';
import { chaptersOf } from './selection.ts';
import { type Html, html, sanitize, sanitizeLine } from './text.ts';

/** The result of the test of a requirement. */
export interface TestResult {
  state: 'passes' | 'fails' | 'is open' | 'warns' | 'skips';
  /** One line; empty if the test passes. */
  message: string;
  /** The source, the finding, and commands to repeat and explain it, for a requirement not met. */
  details: string[];
}

/** Returns the result of the test of a requirement, for reports that show a run as tests. */
export function testResult(requirement: ReportedRequirement, report: Report): TestResult {
  const { id, level, outcome, sentence, source, reason, exchanges } = requirement;
  const { scope, target, knownFailures } = report;
  if (outcome === 'passed') {
    const stale = knownFailures.toChange.find(({ slug }) => slug === id);
    if (stale === undefined) return { state: 'passes', message: '', details: [] };
    return { state: 'fails', message: stale.message, details: [] };
  }
  const effect = effectOf(requirement, scope.strict);
  if (outcome !== 'failed') {
    const state = effect === 'leaves open' ? 'is open' : 'skips';
    return { state, message: `${kindText(outcome)}: ${reason}`, details: [] };
  }
  const commands = repeatCommands(exchanges, target.baseUrl);
  return {
    state: effect === 'warns' ? 'warns' : 'fails',
    message: `${level} not met: ${sentence}`,
    details: [
      `source: ${source.text}`,
      reason,
      ...commands.map((command) => `repeat: ${command}`),
      `explain: ${explainLine(id)}`,
    ],
  };
}

/** The element of JUnit for each state; a passed test has none. */
const ELEMENTS = {
  passes: '',
  fails: 'failure',
  'is open': 'error',
  warns: 'skipped',
  skips: 'skipped',
};

/** A test case of JUnit. */
interface JunitCase {
  id: string;
  chapter: string;
  element: string;
  message: string;
  details: string[];
}

/**
 * Returns a run as the XML of JUnit: a suite for each chapter, a test case for each requirement. A
 * requirement that could not be verified is an error, but only the first with the same reason: the
 * others, and those that depend on another requirement, are skipped. One fault is then one error.
 * Pure.
 */
export function junit(report: Report, traced: TracedExchange[]): string {
  // Packages for this format bring a megabyte of dependencies. XML has the entities of HTML.
  const times = evidenceTimes(report, traced);
  const cases = junitCases(report);
  const time = (subset: readonly JunitCase[]) => {
    const sum = subset.reduce((total, { id }) => total + (times.get(id) ?? 0), 0);
    return html`time="${(sum / 1000).toFixed(3)}"`;
  };
  const attributes = (name: string, subset: readonly JunitCase[]) => {
    const elements = subset.map(({ element }) => element);
    const count = (kind: string) => elements.filter((element) => element === kind).length;
    return html`name="${name}" tests="${subset.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" ${time(subset)} timestamp="${report.start}"`;
  };
  const testCase = (junitCase: JunitCase): Html => {
    const { chapter, id, element, message, details } = junitCase;
    const head = html`    <testcase classname="${chapter}" name="${id}" ${time([junitCase])}`;
    if (element === '') return html`${head}/>\n`;
    const content = details.length === 0 ? html`/>` : html`>${details.join('\n')}</${element}>`;
    return html`${head}>\n      <${element} message="${message}"${content}\n    </testcase>\n`;
  };
  const suites = chaptersOf(cases).map(
    ([chapter, chapterCases]) =>
      html`  <testsuite ${attributes(chapter, chapterCases)}>\n${chapterCases.map(testCase)}  </testsuite>\n`,
  );
  const name = report.scope.partial ? `${report.suite.name} (partial)` : report.suite.name;
  const head = html`<testsuites ${attributes(name, cases)}>`;
  return sanitize(
    String(html`<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites}</testsuites>\n`),
  );
}

function junitCases(report: Report): JunitCase[] {
  const reasons = new Set<string>();
  return report.requirements.map((requirement) => {
    const { id, chapter, needs, reason } = requirement;
    const { state, message, details } = testResult(requirement, report);
    if (state !== 'is open') return { id, chapter, element: ELEMENTS[state], message, details };
    const isRepeated = needs !== undefined || reasons.has(reason);
    reasons.add(reason);
    return { id, chapter, element: isRepeated ? 'skipped' : ELEMENTS[state], message, details };
  });
}

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
  /** The results by slug, in the order of the report. */
  results: Map<string, AllureResult>;
  /** The contents of the attachments by file name. */
  files: Map<string, string>;
}

/** A result of Allure without its `uuid`, by which a reporter names its file. */
export interface AllureResult {
  name: string;
  fullName: string;
  titlePath: string[];
  testCaseId: string;
  historyId: string;
  start: number;
  stop: number;
  status: string;
  statusDetails: { message?: string };
  stage: string;
  descriptionHtml: string;
  labels: { name: string; value: string }[];
  links: { name: string; url: string; type?: string }[];
  parameters: never[];
  steps: never[];
  attachments: { name: string; source: string; type: string }[];
}

/** Returns the results of a run for Allure, and the files that they attach. Pure. */
export function allureResults(report: Report, traced: TracedExchange[]): AllureResults {
  const withEvidence = report.requirements.filter(({ exchanges }) => exchanges.length > 0).length;
  const limit = Math.max(1, Math.floor(MAX_ATTACHMENTS / withEvidence));
  const times = evidenceTimes(report, traced);
  const files = new Map<string, string>();
  const results = new Map<string, AllureResult>();
  for (const [index, requirement] of report.requirements.entries()) {
    const { id, exchanges } = requirement;
    const attachments = exchanges.slice(-limit).map((exchange) => {
      // Allure 3 shows an attachment only in the first result that names its file.
      const source = `${id}-${exchange.id}-attachment.txt`;
      files.set(source, exchangeText(exchange, report.target.baseUrl));
      const name = sanitizeLine(`#${exchange.id} ${exchangeTitle(exchange)}`);
      return { name, source, type: 'text/plain' };
    });
    // Allure sorts results by their start.
    const start = Date.parse(report.start) + index;
    const stop = start + Math.round(times.get(id) ?? 0);
    results.set(id, allureResult(requirement, report, { start, stop, attachments }));
  }
  return { results, files };
}

function allureResult(
  requirement: ReportedRequirement,
  report: Report,
  { start, stop, attachments }: Pick<AllureResult, 'start' | 'stop' | 'attachments'>,
): AllureResult {
  const { id, sentence, chapter, level, source, link, outcome, reason } = requirement;
  const { state, message, details } = testResult(requirement, report);
  const isOpen = outcome === 'not-verified';
  const labels = [
    { name: 'parentSuite', value: chapter },
    { name: 'epic', value: sanitizeLine(report.target.name) },
    { name: 'feature', value: chapter },
    { name: 'severity', value: level === 'MUST' ? 'critical' : 'minor' },
    { name: 'tag', value: level },
  ];
  if (state === 'skips' && !isOpen) labels.push({ name: 'tag', value: kindText(outcome) });
  const links: AllureResult['links'] = [];
  if (source.url) links.push({ name: source.text, url: source.url });
  if (link) links.push({ name: sanitizeLine(link), url: sanitizeLine(link), type: 'issue' });
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
    start,
    stop,
    status: isOpen ? 'unknown' : STATUSES[state],
    statusDetails: message === '' ? {} : { message: sanitize([message, ...details].join('\n')) },
    stage: 'finished',
    descriptionHtml: sanitize(`${description}`),
    labels,
    links,
    parameters: [],
    steps: [],
    attachments,
  };
}

/**
 * Writes the attachments into a folder, and the results unless another reporter writes them: all
 * files or none. Throws the error of the system.
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
    if (hasAllure) return;
    for (const result of results.values()) {
      const uuid = randomUUID();
      writeFileSync(join(directory, `${uuid}-result.json`), JSON.stringify({ uuid, ...result }));
    }
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Returns the share of each requirement in the duration of a run, in milliseconds, by slug. A share
 * is proportional to the duration of the exchanges of its evidence. Requirements with the same
 * exchange split its duration, so that the shares add up to the run. Pure.
 */
function evidenceTimes({ duration }: Report, traced: TracedExchange[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { exchange, requirements } of traced) {
    const share = exchange.duration / requirements.length;
    for (const slug of requirements) shares.set(slug, (shares.get(slug) ?? 0) + share);
  }
  const total = [...shares.values()].reduce((sum, share) => sum + share, 0);
  return new Map(
    [...shares].map(([slug, share]) => [slug, total === 0 ? 0 : (share / total) * duration]),
  );
}
