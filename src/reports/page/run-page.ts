import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { type Html, html } from '../html.ts';
import { tally, VERDICTS } from '../look.ts';
import { depthRows, numbers } from '../numbers.ts';
import { type MergedRun, type Report, verdictText } from '../report.ts';
import { type Room, roomOf } from '../room.ts';
import { sinceText } from '../since.ts';
import { dateText } from '../text.ts';
import { documentOf } from './document.ts';
import { findingsPart } from './findings.ts';
import { changesPart, facts, table } from './parts.ts';
import { chaptersPart } from './requirements.ts';

/** Bytes of a page that what a target sent may take: a page of a usual run needs half of it. */
const ROOM = 160_000;

/** Runs that are shown, more than a matrix of most CI systems has jobs; and values of one choice. */
const [RUNS, VALUES] = [256, 20];

/** A run as one page for people, `report.html`: it stands alone, and stays small whatever a target sends. */
export function runPage(report: Report): string {
  const room = roomOf(ROOM);
  const name = shorten(report.target.name, 120);
  const chosen = choices(report, room);
  return documentOf(
    `${verdictText(report)}: ${name}`,
    html`<main>
${head(report, name)}
${report.changes && changesPart(report.changes, report, sinceText(report.changes))}
${findingsPart(report, room)}
<section><h2 id="rests-on">Coverage and choices</h2>
${facts([...numbers(report), ...depthRows(report)])}
<h3>Choices of the service</h3>
<p class="note">What the interface leaves open, and what this service does. No requirement depends on it.</p>
${chosen}
</section>
<section><h2 id="requirements">Requirements</h2>
${chaptersPart(report, room)}</section>
${report.runs && runsPart(report.runs)}
</main>`,
  );
}

function head(report: Report, name: string): Html {
  const { target, start, suite, verdict, because, requirements, runs } = report;
  const counts = tally(requirements, report.scope.strict);
  const links = {
    ...(counts.some(({ kind }) => kind !== 'passed' && kind !== 'not-applicable') && { findings: 'Findings' }),
    'rests-on': 'Coverage and choices',
    requirements: 'Requirements',
    ...(runs && { runs: 'Runs' }),
  };
  return html`<header>
<p class="note">User Management Service interface: conformance</p>
<h1>${name}</h1>
<p class="verdict ${VERDICTS[verdict].style}"><strong>${verdictText(report)}</strong> <span>${because}</span></p>
<p class="row">${counts.map(({ style, symbol, text }) => html`<strong class="${style}">${symbol} ${text}</strong> `)}</p>
<p class="note">${shorten(target.baseUrl, 200)}${target.embeddedReference && ' (the embedded reference service)'}, ${dateText(start)}, suite ${suite.version}, requirement set ${suite.requirementSet}</p>
<nav class="row" aria-label="Parts of the page">${Object.entries(links).map(([id, text]) => html`<a href="#${id}">${text}</a> `)}</nav>
</header>`;
}

function choices({ observations }: Report, room: Room): Html {
  const rows = Object.entries(observations).map(([name, values]) => {
    const left = values.length - VALUES;
    const shown = values.slice(0, VALUES).map((one) => html`<span class="value">${shorten(one, 200)}</span>`);
    const more = left > 0 && html`<span class="note">${counted(left, 'more value')}: see conformance.json</span>`;
    return [name, room(html`${shown}${more}`, `${counted(values.length, 'value')}: see conformance.json`)] as const;
  });
  return rows.length === 0 ? html`<p>None was seen.</p>` : facts(rows);
}

/** The runs of a merged report, a row each. */
function runsPart(runs: readonly MergedRun[]): Html {
  const row = ({ from, seed, verdict, start, baseUrl }: MergedRun) =>
    html`<tr><td>${shorten(from, 80)}</td><td>${seed}</td><td>${verdictText({ verdict, title: verdict })}</td><td>${dateText(start)}</td><td>${shorten(baseUrl, 80)}</td></tr>\n`;
  const left = runs.length - RUNS;
  return html`<section class="requests"><h2 id="runs">Runs</h2>
<p>${counted(runs.length, 'run')}. Each has its own report with all of its requests.</p>
${table(['report', 'seed', 'verdict', 'date', 'base address'], runs.slice(0, RUNS).map(row), '')}
${left > 0 && html`<p class="note">${left} more: see conformance.json.</p>`}</section>`;
}
