import { counted } from '../../verdict/verdict.ts';
import { html } from '../html.ts';
import { changesPart } from '../page/changes.ts';
import { asset, documentOf, type Part } from '../page/document.ts';
import { breakable, withCode } from '../page/parts.ts';
import { type Report, type ReportedRequirement, score, verdictText } from '../report.ts';
import { type Comparison, outcomeLook, type RequirementRow } from './comparison.ts';

const STYLE = asset(new URL('./style.css', import.meta.url));

/** The comparison as one page that stands alone, differences first. Reports are not trusted: all of them is escaped. */
export function comparisonHtml(comparison: Comparison): string {
  const { reports, names, chapters, notices, changes, freedoms } = comparison;
  const rows = chapters.flatMap((chapter) => chapter.rows);
  const differing = rows.filter((row) => row.differs && row.failed);
  const open = rows.filter((row) => row.differs && !row.failed);
  const failed = rows.filter((row) => !row.differs && row.failed);
  const same = rows.filter((row) => !row.differs && !row.failed);
  const [otherFreedoms, sameFreedoms] = [freedoms.filter(isMixed), freedoms.filter((row) => !isMixed(row))];
  return documentOf({
    title: 'Conformance comparison',
    styles: [STYLE, stacked(reports.length)],
    body: html`<main>
<h1>Conformance comparison</h1>
<p class="note">User Management Service interface: ${counted(reports.length, 'implementation')}, ${counted(rows.length, 'requirement')}, ${differing.length + open.length} with different outcomes</p>
${notices.map((notice) => html`<p class="notice">${notice}</p>`)}
${reports[1] && changes && changesPart(changes, reports[1], `From ${names[0]} to ${names[1]}`)}
<h2>Overview</h2>
${table(comparison, verdictRows(comparison))}<h2>Differences</h2>
<p class="note">Open an outcome to see why. A failed SHOULD has the sign ! where it is a warning and does not fail the run.</p>
${differing.length > 0 ? chapterTable(comparison, differing) : html`<p>No requirement fails in one and holds in another.</p>`}
${failed.length > 0 && html`<h2>Failed by all</h2>\n${chapterTable(comparison, failed)}`}
<h2>Without failures</h2>
${open.length > 0 && html`<details><summary>${counted(open.length, 'requirement')} with different outcomes: some do not apply, or could not be verified</summary>\n${chapterTable(comparison, open)}</details>`}
<details><summary>${counted(same.length, 'requirement')} with the same outcome</summary>
${chapterTable(comparison, same)}</details>
<h2>Freedoms</h2>
<p class="note">What the interface leaves open, and what each implementation makes of it.</p>
${otherFreedoms.length > 0 && freedomTable(comparison, otherFreedoms)}
<details><summary>${counted(sameFreedoms.length, 'freedom')} used in the same way</summary>
${freedomTable(comparison, sameFreedoms)}</details>
<h2>Runs</h2>
${table(comparison, factRows(comparison))}</main>`,
  });
}

function isMixed({ values }: { values: string[][] }): boolean {
  return new Set(values.map((one) => JSON.stringify(one))).size > 1;
}

/** Where the columns are too many for the window, the values of a row stand below one another, with their names. */
function stacked(columns: number): string {
  return `@media (max-width: ${18 + columns * 9}rem) {
table, tbody, tr, tbody th, tbody td { display: block; width: auto; border: 0 }
tr > :first-child { width: auto; padding-right: 0 }
tbody tr { padding-bottom: 0.375rem; border-bottom: 1px solid var(--line) }
thead { display: none }
tbody td { padding: 0.125rem 0.5rem 0.125rem 1.5rem }
td[data-name]::before { content: attr(data-name) ": "; color: var(--muted) }
}`;
}

function table({ names }: Comparison, bodies: Part | Part[]): Part {
  return html`<table>
<thead><tr><td></td>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
${bodies}
</table>
`;
}

/** The verdicts, and how many requirements passed of those that are applicable. */
function verdictRows({ reports, names, links }: Comparison): Part {
  const verdicts = reports.map(
    (report, at) =>
      html`<td data-name="${names[at]}"><strong class="${report.verdict}">${verdictText(report)}</strong>${links[at] !== undefined && html` <a href="${links[at]}">report</a>`}</td>`,
  );
  const passed = (level: 'MUST' | 'SHOULD') =>
    valueRow({ name: `${level} passed`, values: reports.map((report) => score(report, level)) }, names);
  return html`<tbody><tr><th scope="row">verdict</th>${verdicts}</tr>\n${passed('MUST')}${passed('SHOULD')}</tbody>`;
}

function factRows({ facts, totals, names }: Comparison): Part {
  return html`<tbody>${[...facts, ...totals].map((row) => valueRow(row, names))}</tbody>`;
}

function valueRow({ name, values }: { name: string; values: (string | number)[] }, names: string[]): Part {
  const cells = values.map((value, at) => html`<td data-name="${names[at]}">${value}</td>`);
  return html`<tr><th scope="row">${name}</th>${cells}</tr>\n`;
}

function chapterTable(comparison: Comparison, shown: RequirementRow[]): Part {
  const { chapters, reports, names } = comparison;
  const bodies = chapters.flatMap(({ title, rows }) => {
    const own = rows.filter((row) => shown.includes(row));
    if (own.length === 0) return [];
    return html`<tbody>
<tr class="heading"><th scope="rowgroup" colspan="${reports.length + 1}">${title}</th></tr>
${own.map((row) => requirementRow(row, reports, names))}</tbody>
`;
  });
  return table(comparison, bodies);
}

function requirementRow({ name, level, sentence, values }: RequirementRow, reports: Report[], names: string[]): Part {
  return html`<tr id="${name}">
<th scope="row"><span class="level ${level}">${level}</span> <code>${breakable(name)}</code><span class="sentence">${withCode(sentence)}</span></th>
${reports.map(({ scope }, index) => outcomeCell(values[index], scope.strict, names[index] ?? ''))}
</tr>
`;
}

function outcomeCell(value: ReportedRequirement | undefined, strict: boolean, implementation: string): Part {
  const { symbol, style, words } = outcomeLook(value, strict);
  const outcome = html`<span class="symbol">${symbol} </span>${words}`;
  const cell = (content: Part) => html`<td class="${style}" data-name="${implementation}">${content}</td>`;
  if (value === undefined || value.reason === '') return cell(outcome);
  const { expected, got, reason } = value;
  const why =
    value.outcome === 'failed' && expected !== undefined
      ? html`<p><b>expected</b> ${expected}</p><p><b>got</b> ${got}</p>`
      : html`<p>${reason}</p>`;
  return cell(html`<details><summary>${outcome}</summary><div class="why">${why}</div></details>`);
}

function freedomTable(comparison: Comparison, shown: Comparison['freedoms']): Part {
  const { names } = comparison;
  const cell = (seen: string[], at: number) =>
    seen.length === 0
      ? html`<td class="gray" data-name="${names[at]}">not seen</td>`
      : html`<td data-name="${names[at]}">${seen.map((one) => html`<span class="value">${one}</span>`)}</td>`;
  const rows = shown.map(({ name, values }) => html`<tr><th scope="row">${name}</th>${values.map(cell)}</tr>\n`);
  return table(comparison, html`<tbody>${rows}</tbody>`);
}
