import type { RowOptions } from './finding-rows.ts';
import { type Html, html } from './html.ts';
import type { Report } from './report.ts';
import { chaptersOf } from './selection.ts';
import { testResult } from './test-result.ts';
import { sanitize } from './text.ts';

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
  text: string;
}

/**
 * Returns a run as the XML of JUnit: a suite for each chapter, a test case for each requirement. A
 * requirement that could not be verified is an error, but only the first with the same reason: the
 * others, and those that depend on another requirement, are skipped. One fault is then one error.
 * Pure.
 */
export function junit(report: Report, options: RowOptions = {}): string {
  // Packages for this format bring a megabyte of dependencies. XML has the entities of HTML.
  const cases = junitCases(report, options);
  const attributes = (name: string, subset: readonly JunitCase[]) => {
    const elements = subset.map(({ element }) => element);
    const count = (kind: string) => elements.filter((element) => element === kind).length;
    return html`name="${name}" tests="${subset.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" timestamp="${report.start}"`;
  };
  const testCase = (junitCase: JunitCase): Html => {
    const { chapter, id, element, message, text } = junitCase;
    const head = html`    <testcase classname="${chapter}" name="${id}"`;
    if (element === '') return html`${head}/>\n`;
    const content = text === message ? html`/>` : html`>${text}</${element}>`;
    return html`${head}>\n      <${element} message="${message}"${content}\n    </testcase>\n`;
  };
  const suites = chaptersOf(cases).map(
    ([chapter, chapterCases]) =>
      html`  <testsuite ${attributes(chapter, chapterCases)}>\n${chapterCases.map(testCase)}  </testsuite>\n`,
  );
  const name = report.scope.partial ? `${report.suite.name} (partial)` : report.suite.name;
  const seconds = (report.duration / 1000).toFixed(3);
  const head = html`<testsuites ${attributes(name, cases)} time="${seconds}">`;
  return sanitize(
    String(html`<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites}</testsuites>\n`),
  );
}

function junitCases(report: Report, options: RowOptions): JunitCase[] {
  const reasons = new Set<string>();
  return report.requirements.map((requirement) => {
    const { id, chapter, needs, reason } = requirement;
    const { state, message, text } = testResult(requirement, report, options);
    const isRepeated = state === 'is open' && (needs !== undefined || reasons.has(reason));
    if (isRepeated) return { id, chapter, element: 'skipped', message, text: message };
    if (state === 'is open') reasons.add(reason);
    return { id, chapter, element: ELEMENTS[state], message, text };
  });
}
