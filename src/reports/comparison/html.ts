import { counted } from '../../verdict/verdict.ts';
import { type Html, html, type Value } from '../html.ts';
import { documentOf } from '../page/document.ts';
import { breakable, changesPart, withCode } from '../page/parts.ts';
import type { Report, ReportedRequirement } from '../report.ts';
import { type Comparison, failedRows, outcomeLook } from './comparison.ts';

/** The comparison as one page that stands alone, differences first. Reports are not trusted: all of them is escaped. */
export function comparisonHtml(comparison: Comparison): string {
  const { reports, names, links, facts, changes, requirements, choices } = comparison;
  /** A table with a column for each implementation. */
  const columns = (rows: readonly { name: Value; values: readonly Value[] }[]) =>
    html`<table class="comparison"><thead><tr><td></td>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map(({ name, values }) => html`<tr><th scope="row">${name}</th>${values.map((one) => html`<td>${one}</td>`)}</tr>\n`)}</tbody></table>`;
  const outcomes = (rows: Comparison['requirements']) =>
    columns(
      rows.map(({ name, level, sentence, values }) => ({
        name: html`${level} <code id="${name}">${breakable(name)}</code><span class="value">${withCode(sentence)}</span>`,
        values: values.map((one, at) => outcome(one, reports[at])),
      })),
    );
  const chosen = (isWanted: boolean) =>
    choices
      .filter(({ differs }) => differs === isWanted)
      .map(({ name, values }) => ({ name, values: values.map((seen) => seen.join(', ') || 'not seen') }));
  const failed = failedRows(comparison);
  const held = requirements.filter((row) => !row.failed);
  const common = chosen(false);
  const folded = (summary: string, content: Html) =>
    html`<details><summary>${summary}</summary>\n${content}</details>\n`;
  const linked = links.map((link) => link !== undefined && html`<a href="${link}">report</a>`);
  return documentOf(
    'Conformance comparison',
    html`<main>
<h1>Conformance comparison</h1>
<p class="note">User Management Service interface: ${counted(reports.length, 'implementation')}, ${counted(requirements.length, 'requirement')}, ${requirements.filter(({ differs }) => differs).length} with different outcomes</p>
${changes && reports[1] && changesPart(changes, reports[1], `From ${names[0]} to ${names[1]}`)}
<h2>Overview</h2>
${columns([...facts, ...(linked.some(Boolean) ? [{ name: 'report', values: linked }] : [])])}
<h2>Failures</h2>
<p class="note">What fails in one of them, differences first. Open an outcome to see why.</p>
${failed.length > 0 ? outcomes(failed) : html`<p>None.</p>`}
<h2>Without failures</h2>
${folded(counted(held.length, 'requirement'), outcomes(held))}
<h2>Choices</h2>
<p class="note">What the interface leaves open, and what each implementation does.</p>
${columns(chosen(true))}${folded(`${counted(common.length, 'choice')} in common`, columns(common))}</main>`,
  );
}

function outcome(value: ReportedRequirement | undefined, report: Report | undefined): Html {
  const { symbol, style, words } = outcomeLook(value, report);
  const { expected, got, reason = '' } = value ?? {};
  const shown = html`<strong class="${style}">${symbol} ${words}</strong>`;
  if (reason === '') return shown;
  const why =
    expected === undefined ? html`<p>${reason}</p>` : html`<p><b>expected</b> ${expected}</p><p><b>got</b> ${got}</p>`;
  return html`<details><summary>${shown}</summary>${why}</details>`;
}
