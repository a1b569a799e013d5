import { shorten } from '../../http/value.ts';
import { html } from '../html.ts';
import { type MergedRun, verdictText } from '../report.ts';
import type { Part } from './document.ts';

/** Runs that are shown: more than a matrix of most CI systems has jobs. */
const SHOWN = 256;

/** The runs of a merged report, a row each. */
export function runsPart(runs: readonly MergedRun[]): Part {
  const heads = ['report', 'seed', 'verdict', 'date', 'base address'];
  const row = ({ from, seed, verdict, start, baseUrl }: MergedRun) =>
    html`<tr><td>${shorten(from, 80)}</td><td>${seed ?? ''}</td><td>${verdictText({ verdict, title: verdict })}</td><td>${start.slice(0, 10)} ${start.slice(11, 19)} UTC</td><td>${shorten(baseUrl, 80)}</td></tr>\n`;
  return html`<p>Each of them has a page of its own, with all of its requests.</p>
<table class="requests">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${runs.slice(0, SHOWN).map(row)}</tbody>
</table>
${runs.length > SHOWN && html`<p class="note">${runs.length - SHOWN} more: conformance.json has them.</p>`}`;
}
