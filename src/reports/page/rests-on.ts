import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { depthRows } from '../depth.ts';
import { html } from '../html.ts';
import { OUTCOMES, type Report } from '../report.ts';
import type { Bounds } from './bounds.ts';
import type { Part } from './document.ts';
import { milliseconds } from './units.ts';

/** A row of a table of facts. */
type Fact = [name: string, value: string | number];

/** How far the run went: what a reader asks who wonders how much a verdict is worth. */
export function depthOf(report: Report): Fact[] {
  const { scope, requests, users, duration, requirements } = report;
  const judged = requirements.filter(({ outcome }) => ['passed', 'failed', 'known-failure'].includes(outcome)).length;
  const limits = [
    ...(scope.partial ? ['a part of the requirements'] : []),
    ...(scope.readOnly ? ['read-only: nothing was created'] : []),
  ];
  return [
    ['requirements judged', `${judged} of ${requirements.length}`],
    ['requests', requests],
    [
      'users created',
      users.created === 0 || users.tag === '' ? users.created : `${users.created}, with ${users.tag} in their email`,
    ],
    ['duration', milliseconds(duration)],
    ['what fails the run', scope.strict ? 'a failed MUST or SHOULD (strict)' : 'a failed MUST'],
    ...(report.coverage ? depthRows(report.coverage) : []),
    ...(limits.length > 0 ? ([['limited to', limits.join(', ')]] satisfies Fact[]) : []),
  ];
}

/** What the verdict rests on: the counts, the depth of the run, and the freedoms that the target was seen to use. */
export function restsOnPart(report: Report, bounds: Bounds): Part {
  return html`<div class="columns">
<div><h3>Outcomes</h3>${countsTable(report)}</div>
<div><h3>Depth</h3>${facts(depthOf(report))}</div>
</div>
<h3>Freedoms used</h3>
<p class="note">What the interface leaves open, and what the service makes of it. No requirement judges it.</p>
${freedoms(report, bounds)}
`;
}

export function facts(rows: readonly Fact[]): Part {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function countsTable({ counts }: Report): Part {
  const row = (name: (typeof OUTCOMES)[number]) =>
    html`<tr><th scope="row">${name.replace('-', ' ')}</th><td>${counts.MUST[name]}</td><td>${counts.SHOULD[name]}</td></tr>`;
  return html`<table class="counts"><thead><tr><td></td><th scope="col">MUST</th><th scope="col">SHOULD</th></tr></thead>
<tbody>${OUTCOMES.map(row)}</tbody></table>`;
}

function freedoms({ observations }: Report, bounds: Bounds): Part {
  const all = Object.entries(observations);
  if (all.length === 0) return html`<p>None was seen.</p>`;
  const value = (text: string) => html`<li>${shorten(text, Math.min(200, bounds.text))}</li>`;
  const row = ([name, values]: [string, string[]]) => {
    const left = values.length - bounds.values;
    return html`<tr><th scope="row">${name}</th><td><ul>${values.slice(0, bounds.values).map(value)}${
      left > 0 && html`<li class="note">${counted(left, 'further value')}: conformance.json</li>`
    }</ul></td></tr>`;
  };
  return html`<table class="freedoms"><tbody>${all.map(row)}</tbody></table>`;
}
