import { counted } from '../../verdict/verdict.ts';
import { html } from '../html.ts';
import { asset, documentOf, type Part } from '../page/document.ts';
import { breakable, choice, withCode } from '../page/parts.ts';
import { type Report, type ReportedRequirement, verdictText } from '../report.ts';
import { type Comparison, outcomeLook, type RequirementRow } from './comparison.ts';

const STYLE = asset(new URL('./style.css', import.meta.url));

/** The comparison as one page that stands alone. Reports are not trusted: all of them is escaped. */
export function comparisonHtml(comparison: Comparison): string {
  const { reports, chapters, notices } = comparison;
  const rows = chapters.flatMap((chapter) => chapter.rows);
  return documentOf({
    title: 'Conformance comparison',
    styles: [STYLE, widths(reports.length)],
    body: html`<main>
<h1>Conformance comparison</h1>
<p class="note">User Management Service interface: ${counted(reports.length, 'implementation')}, ${counted(rows.length, 'requirement')}</p>
${notices.map((notice) => html`<p class="notice">${notice}</p>`)}
<h2>Overview</h2>
${overview(comparison)}
<h2>Requirements</h2>
<p class="note">Open an outcome to see why. A failed SHOULD has the sign ! where it is a warning and does not fail the run.</p>
${filter(rows)}
${chapterTable(comparison)}
<h2>Freedoms</h2>
<p class="note">What the interface leaves open, and what each implementation makes of it.</p>
${freedomTable(comparison)}
</main>`,
  });
}

/**
 * The style that depends on the number of implementations. Where the tables are no wider than the window they need not
 * scroll on their own, and their heads stay in view.
 */
function widths(columns: number): string {
  return `:root { --columns: ${columns} }
@media (min-width: ${27 + columns * 11.5}rem) { .scroll { overflow: visible; max-height: none } }`;
}

function table(title: string, { names, reports }: Comparison, bodies: Part | Part[]): Part {
  const heads = reports.map(
    (report, index) =>
      html`<th scope="col">${names[index]}<span class="verdict ${report.verdict}">${verdictText(report)}</span></th>`,
  );
  return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0">
<table>
<thead><tr><td></td>${heads}</tr></thead>
${bodies}
</table>
</div>`;
}

function overview(comparison: Comparison): Part {
  const row = ({ name, values }: { name: string; values: (string | number)[] }) =>
    html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>\n`;
  const { facts, totals } = comparison;
  return table('Overview', comparison, html`<tbody>${facts.map(row)}${totals.map(row)}</tbody>`);
}

function filter(rows: RequirementRow[]): Part {
  const count = (which: 'differs' | 'failed') => rows.filter((row) => row[which]).length;
  return html`<fieldset aria-label="Requirements to show">
${choice('show', 'all', `all ${rows.length}`, true)}
${choice('show', 'differences', `only differences (${count('differs')})`)}
${choice('show', 'failures', `only failures (${count('failed')})`)}
</fieldset>`;
}

function chapterTable(comparison: Comparison): Part {
  const { chapters, reports } = comparison;
  const bodies = chapters.map(
    ({ title, rows }) => html`<tbody class="chapter">
<tr class="heading"><th scope="rowgroup">${title}</th><td colspan="${reports.length}"></td></tr>
${rows.map((row) => requirementRow(row, reports))}</tbody>
`,
  );
  return table('Requirements', comparison, bodies);
}

function requirementRow({ name, level, sentence, values, differs, failed }: RequirementRow, reports: Report[]): Part {
  return html`<tr class="requirement${differs && ' differs'}${failed && ' failed'}">
<th scope="row"><span class="level ${level}">${level}</span> <code>${breakable(name)}</code><span class="sentence">${withCode(sentence)}</span></th>
${reports.map(({ scope }, index) => outcomeCell(values[index], scope.strict))}
</tr>
`;
}

function outcomeCell(value: ReportedRequirement | undefined, strict: boolean): Part {
  const { symbol, style, words } = outcomeLook(value, strict);
  const outcome = html`<span class="symbol">${symbol} </span>${words}`;
  if (value === undefined || value.reason === '') return html`<td class="${style}">${outcome}</td>`;
  const { expected, got, reason } = value;
  const why =
    value.outcome === 'failed' && expected !== undefined
      ? html`<p><b>expected</b> ${expected}</p><p><b>got</b> ${got}</p>`
      : html`<p>${reason}</p>`;
  return html`<td class="${style}"><details><summary>${outcome}</summary><div class="why">${why}</div></details></td>`;
}

function freedomTable(comparison: Comparison): Part {
  const cell = (seen: string[]) =>
    seen.length === 0
      ? html`<td class="gray">not seen</td>`
      : html`<td>${seen.map((one) => html`<span class="value">${one}</span>`)}</td>`;
  const rows = comparison.freedoms.map(
    ({ name, values }) => html`<tr><th scope="row">${name}</th>${values.map(cell)}</tr>\n`,
  );
  return table('Freedoms', comparison, html`<tbody>${rows}</tbody>`);
}
