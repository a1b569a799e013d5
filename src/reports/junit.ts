import { evidenceTimes } from './evidence-times.ts';
import { html } from './html.ts';
import { chaptersOf, type Report, type ReportedRequirement } from './report.ts';
import type { TracedExchange } from './run-result.ts';
import { testResult } from './test-result.ts';
import { inert } from './text.ts';

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
