import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { html } from '../html.ts';
import { type Report, verdictText } from '../report.ts';
import { some } from '../text.ts';
import type { TracedExchange } from '../traced.ts';
import { BOUNDS, type Bounds, PAGE_LIMIT } from './bounds.ts';
import { changesPart } from './changes.ts';
import { asset, documentOf, type Part } from './document.ts';
import { findingsPart } from './findings.ts';
import { chosen } from './lanes.ts';
import { chaptersPart, FILTER_STYLE, filterPart, tallyPart } from './requirements.ts';
import { facts, restsOnPart } from './rests-on.ts';
import { runsPart } from './runs.ts';
import { requestTable, timelinePart } from './timeline.ts';
import { timesOf, timesPart } from './times.ts';

const STYLE = asset(new URL('./run-page.css', import.meta.url));
const SCRIPT = asset(new URL('./run-page.script.js', import.meta.url));

/**
 * A run as one page for people, `report.html`: it stands alone, in no more than PAGE_LIMIT bytes. Where all that there is
 * to show would be more, less of it is shown, and the page says so.
 */
export function runPage(report: Report, traced: readonly TracedExchange[]): string {
  let page = '';
  for (const bounds of BOUNDS) {
    page = within(report, traced, bounds);
    if (Buffer.byteLength(page) <= PAGE_LIMIT) break;
  }
  return page;
}

function within(report: Report, traced: readonly TracedExchange[], bounds: Bounds): string {
  const { target } = report;
  const record = traced.map(({ exchange }) => exchange);
  const telling = new Set(report.requirements.flatMap(({ exchanges }) => exchanges.map(({ id }) => id)));
  const byId = new Map(traced.map((one) => [one.exchange.id, one]));
  const shown = chosen(record, bounds.requests, telling).flatMap(({ id }) => byId.get(id) ?? []);
  const ids = new Set(shown.map(({ exchange }) => exchange.id));
  const name = shorten(target.name, 120);
  return documentOf({
    title: `${verdictText(report)}: ${name}`,
    styles: [STYLE, FILTER_STYLE],
    script: SCRIPT,
    body: html`<main>
${head(report, name)}
${changesPart(report.changes, report)}
${findingsPart(report, bounds)}
<section><h2 id="rests-on">What the verdict rests on</h2>
${restsOnPart(report, bounds)}</section>
<section><h2 id="requirements">Requirements</h2>
${filterPart(report)}${chaptersPart(report, bounds)}<p class="nothing">No requirement has this outcome and this level.</p></section>
${
  report.runs
    ? html`<section><h2 id="runs">Runs</h2>\n${runsPart(report.runs)}</section>`
    : html`<section><h2 id="run">The run in time</h2>
${timelinePart(shown, record)}${requestTable(shown, traced.length)}</section>
<section><h2 id="times">Answer times</h2>
${timesPart(timesOf(record, new URL(target.baseUrl).pathname), ids)}</section>`
}
</main>`,
  });
}

function head(report: Report, name: string): Part {
  const { target, start, suite, verdict, because, requirements } = report;
  const links = {
    ...(requirements.some((one) => !['passed', 'not-applicable'].includes(one.outcome)) && { findings: 'Findings' }),
    'rests-on': 'What the verdict rests on',
    requirements: 'Requirements',
    ...(report.runs ? { runs: 'Runs' } : { run: 'The run in time', times: 'Answer times' }),
  };
  return html`<header>
<p class="note">User Management Service interface: conformance</p>
<h1>${name}</h1>
<p class="verdict ${verdict}"><strong>${verdictText(report)}</strong> <span>${because}</span></p>
${tallyPart(report)}${facts([
  [
    'base address',
    `${shorten(target.baseUrl, 200)}${target.embeddedReference ? ' (the embedded reference service)' : ''}`,
  ],
  ['date', `${start.slice(0, 10)} ${start.slice(11, 19)} UTC`],
  ['suite', `${suite.version}, requirement set ${suite.requirementSet}`],
  ...thorough(report),
])}
<nav aria-label="Parts of the page"><ul>${Object.entries(links).map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>
</header>`;
}

/** The seed of a thorough run, and how deep it looked, in one line. */
function thorough({ coverage, requests }: Report): [string, string][] {
  if (coverage === undefined) return [];
  const { seeds, rounds, users, mostAtOnce } = coverage;
  const depth = `${counted(requests, 'request')}, ${counted(users, 'user')}, ${mostAtOnce} at once, ${counted(rounds, 'round')}`;
  return [['thorough', `${seeds.length === 1 ? 'seed' : 'seeds'} ${some(seeds.map(String))}; ${depth}`]];
}
