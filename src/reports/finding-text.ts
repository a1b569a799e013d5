import { cutMiddle } from '../http/value.ts';
import { appearanceOf } from './appearance.ts';
import {
  type FindingContext,
  type FindingRow,
  findingRows,
  type RowOptions,
} from './finding-rows.ts';
import type { ReportedRequirement } from './report.ts';
import { type Screen, wrap } from './screen.ts';
import { dependentsText } from './selection.ts';
import { sanitizeLine } from './text.ts';

/** Returns the text of a finding: its head, its rows and its dependents. */
export function findingText(
  requirement: ReportedRequirement,
  report: FindingContext,
  screen: Screen,
  options: RowOptions = {},
): string {
  const { level, id, outcome, reason, link, sentence } = requirement;
  const { paint, width } = screen;
  const { style, symbol } = appearanceOf(requirement, report.scope.strict);
  const head = `  ${paint(style, `${symbol} ${level} ${id}`)}`;
  const dependents = dependentsLines(requirement, report, screen);
  if (outcome === 'known-failure') {
    const lines = [wrap(sanitizeLine(reason), width, 4), ...(link ? [sanitizeLine(link)] : [])];
    return [head, ...lines.map((line) => `    ${line}`), ...dependents].join('\n');
  }
  const rows = rowsText(findingRows(requirement, report, options), screen);
  return [head, `    ${paint('bold', wrap(sentence, width, 4))}`, rows, ...dependents].join('\n');
}

/** The most characters of a value; the reports have more. */
const MAX_VALUE = 400;

/** Returns rows as lines of text. */
export function rowsText(rows: readonly FindingRow[], screen: Screen, indent = 4): string {
  return rows.map((row) => rowText(row, screen, indent)).join('\n');
}

function rowText(
  { label, text, mark, isCommand }: FindingRow,
  { paint, width }: Screen,
  indent: number,
): string {
  const head = `${' '.repeat(indent)}${paint('gray', label.padEnd(9))} `;
  if (isCommand) return `${head}${sanitizeLine(text)}`;
  const value = wrap(cutMiddle(sanitizeLine(text), MAX_VALUE), width, indent + 10);
  const wrong = mark ? sanitizeLine(text.slice(...mark)) : '';
  // A line break may split the wrong part, and the same text may also be right elsewhere.
  const [before, after, ...more] = wrong === '' ? [value] : value.split(wrong);
  if (after === undefined || more.length > 0) return `${head}${value}`;
  return `${head}${before}${paint('bold', wrong)}${after}`;
}

/** Returns the line on the requirements that depend on one, if there are any. */
export function dependentsLines(
  requirement: ReportedRequirement,
  report: FindingContext,
  { paint, width }: Screen,
): string[] {
  const text = dependentsText(requirement, report);
  return text === '' ? [] : [`    ${paint('cyan', wrap(text, width, 4))}`];
}
