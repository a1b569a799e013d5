import type { ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { appearanceOf } from '../appearance.ts';
import type { ByteBudget } from '../budget.ts';
import { exchangeTitle, requestLines, responseLines } from '../exchange-text.ts';
import { exchangeRows, type FindingRow, reasonRows, repeatRows } from '../finding-rows.ts';
import { type Html, html, type Value } from '../html.ts';
import type { NextCommand } from '../next-command.ts';
import type { Report, ReportedRequirement } from '../report.ts';
import { dependentsText } from '../selection.ts';
import { findValue, valuesNamedIn } from '../wrong-part.ts';
import { breakable, linkTo, symbolAndText, table, withCode } from './parts.ts';

/** The parts of a requirement that only findings have. */
interface FindingParts {
  /** The command that makes the run again. */
  command: NextCommand;
  guide: Html | undefined;
}

/** Returns a requirement with its reason, its dependents and its requests. */
export function requirementPart(
  requirement: ReportedRequirement,
  report: Report,
  budget: ByteBudget,
  finding?: FindingParts,
): Html {
  const { id, level, sentence, outcome, needs } = requirement;
  const { text, url, rule } = requirement.source;
  const appearance = appearanceOf(requirement, report.scope.strict);
  const source = url === undefined ? text : html`<a href="${url}">${text}</a>`;
  const rows =
    outcome !== 'passed' && table(cellsOf(requirement, report, budget, finding?.command));
  const dependents = dependentsText(requirement, report);
  // A requirement that needs another has no requests of its own: the other one shows them.
  const exchanges = needs === undefined && exchangesPart(requirement, budget);
  return html`<li class="requirement ${appearance.kind} ${level}" id="${id}">
<p>${symbolAndText(appearance)} ${withCode(sentence)}</p>
<p class="note">${level} <code>${breakable(id)}</code> · ${source}${rule !== undefined && html`: ${withCode(rule)}`}</p>
${rows}${dependents !== '' && html`<p class="cyan">${dependents}</p>\n`}${finding?.guide}${exchanges}</li>
`;
}

/** Returns the rows of a requirement that did not pass as cells of a table. */
function cellsOf(
  requirement: ReportedRequirement,
  report: Report,
  budget: ByteBudget,
  command: NextCommand | undefined,
): Value[][] {
  const { link, needs } = requirement;
  if (needs !== undefined) return [['needs', linkTo(needs)]];
  const rows = reasonRows(requirement, report);
  if (command)
    rows.push(...exchangeRows(requirement), ...repeatRows(requirement, report, { command }));
  const cells: Value[][] = rows.map((row) => [
    row.label,
    budget(rowPart(row), 'see conformance.json'),
  ]);
  if (link) cells.push(['link', html`<a href="${new URL(link).href}">${link}</a>`]);
  return cells;
}

/** Returns the text of a row: a code with its wrong part marked, or values on lines of their own. */
function rowPart({ text, mark, isCode }: FindingRow): Html {
  if (isCode) return html`<code>${marked(text, mark)}</code>`;
  // The separators stay, because a body may contain one.
  const parts = shorten(text, 2000).split(/(?<=; )/);
  // Values of a service are in quotes. In a part without any, backticks are the suite's own.
  const lines = parts.map((part) => html`<div>${part.includes('"') ? part : withCode(part)}</div>`);
  return html`${lines}`;
}

const marked = (text: string, [start, end]: FindingRow['mark'] = [0, 0]): Value =>
  end === 0
    ? text
    : html`${text.slice(0, start)}<mark>${text.slice(start, end)}</mark>${text.slice(end)}`;

/** The most exchanges of a requirement; conformance.json has all. */
const MAX_EXCHANGES = 4;

function exchangesPart({ exchanges, got }: ReportedRequirement, budget: ByteBudget): Html[] {
  const values = valuesNamedIn(got);
  return exchanges.slice(-MAX_EXCHANGES).map((exchange) => {
    const note = html`<p class="note">Request ${exchange.id}: see conformance.json.</p>`;
    return budget(exchangePart(exchange, values), note);
  });
}

/** Returns a whole request and its response, with the wrong part marked. */
function exchangePart(exchange: ShownExchange, values: ReadonlySet<string>): Html {
  const { id, request, at, duration, attempts } = exchange;
  return html`<details class="exchange"><summary>Request ${id}: ${exchangeTitle(exchange)}</summary>
<p class="note">${at} ms after the start, took ${duration} ms${attempts > 1 && `, sent ${attempts} times`}</p>
<div class="row">${linesPart(requestLines(request))}${linesPart(responseLines(exchange), values)}</div>
</details>
`;
}

/** Returns lines of plain text with some values marked. */
const linesPart = (lines: readonly string[], values: ReadonlySet<string> = new Set()): Html =>
  html`<pre tabindex="0">${lines.map((line, index) => html`${index > 0 && '\n'}${markedLine(line, values)}`)}</pre>`;

/** Marks a line that begins with one of the values as a status, or the first value as JSON in it. */
function markedLine(line: string, values: ReadonlySet<string>): Value {
  const isStatus = values.has(/^\d{3}(?= |$)/.exec(line)?.[0] ?? '');
  return marked(line, isStatus ? [0, line.length] : findValue(line, values));
}
