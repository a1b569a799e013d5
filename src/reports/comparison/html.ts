import { counted } from '../../verdict/verdict.ts';
import { type Html, html, type Value } from '../html.ts';
import { VERDICTS } from '../look.ts';
import { documentOf } from '../page/document.ts';
import { breakable, changesPart, table, withCode } from '../page/parts.ts';
import { chaptersOf, type Report, type ReportedRequirement, score, verdictText } from '../report.ts';
import type { Row } from '../side-by-side.ts';
import { dateText } from '../text.ts';
import { type Comparison, outcomeLook, type RequirementRow } from './comparison.ts';

/** The comparison as one page that stands alone, differences first. Reports are not trusted: all of them is escaped. */
export function comparisonHtml(comparison: Comparison): string {
  const { reports, requirements: rows, changes, choices, names } = comparison;
  const having = (differs: boolean) => rows.filter((row) => row.differs === differs && row.failed);
  const [differing, failed, held] = [having(true), having(false), rows.filter((row) => !row.failed)];
  const isMixed = ({ values }: Row<string[]>) => new Set(values.map((one) => JSON.stringify(one))).size > 1;
  const sameChoices = choices.filter((row) => !isMixed(row));
  const folded = (summary: string, content: Value) =>
    html`<details><summary>${summary}</summary>\n${content}</details>\n`;
  return documentOf(
    'Conformance comparison',
    html`<main>
<h1>Conformance comparison</h1>
<p class="note">User Management Service interface: ${counted(reports.length, 'implementation')}, ${counted(rows.length, 'requirement')}, ${rows.filter(({ differs }) => differs).length} with different outcomes</p>
${changes && reports[1] && changesPart(changes, reports[1], `From ${names[0]} to ${names[1]}`)}
<h2>Overview</h2>
${overview(comparison)}
<h2>Differences</h2>
<p class="note">Open an outcome to see why.</p>
${differing.length > 0 ? chapterTable(comparison, differing) : html`<p>No requirement fails in one and holds in another.</p>`}
${failed.length > 0 && html`<h2>Failed by all</h2>\n${chapterTable(comparison, failed)}`}
<h2>Without failures</h2>
${folded(counted(held.length, 'requirement'), chapterTable(comparison, held))}
<h2>Choices</h2>
<p class="note">What the interface leaves open, and what each implementation does.</p>
${choiceTable(comparison, choices.filter(isMixed))}${folded(`${counted(sameChoices.length, 'choice')} in common`, choiceTable(comparison, sameChoices))}</main>`,
  );
}

/** A row with a value of each implementation. */
function valueRow({ name, values }: Row<Value>, names: string[]): Html {
  const cells = values.map((value, at) => html`<td data-name="${names[at]}">${value}</td>`);
  return html`<tr><th scope="row">${name}</th>${cells}</tr>\n`;
}

/** The runs: their verdicts, and how many requirements passed of those that are applicable. */
function overview({ reports, names, links }: Comparison): Html {
  const verdicts = reports.map(
    (report, at) =>
      html`<strong class="${VERDICTS[report.verdict].style}">${verdictText(report)}</strong>${links[at] !== undefined && html` <a href="${links[at]}">report</a>`}`,
  );
  const row = (name: string, of: (report: Report) => Value) => ({ name, values: reports.map(of) });
  const rows = [
    { name: 'verdict', values: verdicts },
    row('reason', ({ because }) => because),
    row('MUST passed', (report) => score(report, 'MUST')),
    row('SHOULD passed', (report) => score(report, 'SHOULD')),
    row('base address', ({ target }) => target.baseUrl),
    row('date', ({ start }) => dateText(start)),
    row('suite version', ({ suite }) => suite.version),
    row('requirement set', ({ suite }) => suite.requirementSet),
  ];
  const lines = rows.map((one) => valueRow(one, names));
  return table(['', ...names], lines, 'comparison');
}

function chapterTable(comparison: Comparison, rows: RequirementRow[]): Html {
  const { reports, names } = comparison;
  const head = ({ name, level, sentence }: RequirementRow) =>
    html`<th scope="row">${level} <code>${breakable(name)}</code><span class="value">${withCode(sentence)}</span></th>`;
  const chapters = chaptersOf(rows).map(
    ([title, own]) => html`<tr><td colspan="${reports.length + 1}"><h3>${title}</h3></td></tr>
${own.map(
  (row) => html`<tr id="${row.name}">
${head(row)}${reports.map((report, at) => outcomeCell(row.values[at], outcomeLook(row.values[at], report), names[at] ?? ''))}
</tr>
`,
)}`,
  );
  return table(['', ...names], chapters, 'comparison');
}

function outcomeCell(
  value: ReportedRequirement | undefined,
  { symbol, style, words }: ReturnType<typeof outcomeLook>,
  name: string,
): Html {
  const { expected, got, reason = '' } = value ?? {};
  const why =
    expected === undefined ? html`<p>${reason}</p>` : html`<p><b>expected</b> ${expected}</p><p><b>got</b> ${got}</p>`;
  const content =
    reason === '' ? `${symbol} ${words}` : html`<details><summary>${symbol} ${words}</summary>${why}</details>`;
  return html`<td class="${style}" data-name="${name}">${content}</td>`;
}

function choiceTable(comparison: Comparison, rows: Comparison['choices']): Html | false {
  const shown = (seen: string[]) =>
    seen.length === 0
      ? html`<span class="note">not seen</span>`
      : seen.map((one) => html`<span class="value">${one}</span>`);
  const all = rows.map(({ name, values }) => valueRow({ name, values: values.map(shown) }, comparison.names));
  return rows.length > 0 && table(['', ...comparison.names], all, 'comparison');
}
