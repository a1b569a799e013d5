import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { type Html, html, type Value } from '../html.ts';
import { tally, VERDICTS } from '../look.ts';
import { depthRows, numbers } from '../numbers.ts';
import { type MergedRun, type Report, verdictText } from '../report.ts';
import { type Room, roomOf } from '../room.ts';
import { sinceText } from '../since.ts';
import { dateText } from '../text.ts';
import { documentOf } from './document.ts';
import { findingsPart } from './findings.ts';
import { changesPart, facts } from './parts.ts';
import { chaptersPart } from './requirements.ts';

/** Bytes of a page that what a target sent may take: a page of a usual run needs half of it. */
const ROOM = 160_000;

/** Values of one choice, and runs of a merged report, that are shown. */
const [VALUES, RUNS] = [20, 256];

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
${report.runs && html`<h3>Runs</h3>${facts(runRows(report.runs))}`}
<h3>Choices of the service</h3>
<p class="note">What the interface leaves open, and what this service does. No requirement depends on it.</p>
${chosen}
</section>
<section><h2 id="requirements">Requirements</h2>
${chaptersPart(report, room)}</section>
</main>`,
  );
}

function head(report: Report, name: string): Html {
  const { target, start, suite, verdict, because, requirements } = report;
  const counts = tally(requirements, report.scope.strict);
  return html`<header>
<p class="note">User Management Service interface: conformance</p>
<h1>${name}</h1>
<p class="verdict ${VERDICTS[verdict].style}"><strong>${verdictText(report)}</strong> <span>${because}</span></p>
<p class="row">${counts.map(({ style, symbol, text }) => html`<strong class="${style}">${symbol} ${text}</strong> `)}</p>
<p class="note">${shorten(target.baseUrl, 200)}${target.embeddedReference && ' (the embedded reference service)'}, ${dateText(start)}, suite ${suite.version}, requirement set ${suite.requirementSet}</p>
<nav class="row" aria-label="Parts of the page"><a href="#rests-on">Coverage and choices</a> <a href="#requirements">Requirements</a></nav>
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

function runRows(runs: readonly MergedRun[]): (readonly [Value, Value])[] {
  return runs.slice(0, RUNS).map(({ from, seed, verdict, start }) => {
    const seeded = seed === undefined ? '' : `, seed ${seed}`;
    return [shorten(from, 80), `${verdictText({ verdict, title: verdict })}${seeded}, ${dateText(start)}`];
  });
}
