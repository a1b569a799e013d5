import { shorten } from '../../http/value.ts';
import { lineToChange } from '../../verdict/entries-to-change.ts';
import { html } from '../html.ts';
import { failures, openOf, type Report, type ReportedRequirement, verdictText } from '../report.ts';
import type { TracedExchange } from '../traced.ts';
import { BOUNDS, type Bounds, PAGE_LIMIT } from './bounds.ts';
import { changesPart } from './changes.ts';
import { asset, documentOf, type Part } from './document.ts';
import { chosen } from './lanes.ts';
import { breakable, withCode } from './parts.ts';
import { chaptersPart, FILTER_STYLE, filterPart, mark } from './requirements.ts';
import { facts, restsOnPart } from './rests-on.ts';
import { runsPart } from './runs.ts';
import { requestTable, timelinePart } from './timeline.ts';
import { timesOf, timesPart } from './times.ts';

const STYLE = asset(new URL('./run-page.css', import.meta.url));
/** Requirements of one reason that are named above the list of all. */
const GLANCE = 8;

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
${findings(report)}
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
${facts([
  [
    'base address',
    `${shorten(target.baseUrl, 200)}${target.embeddedReference ? ' (the embedded reference service)' : ''}`,
  ],
  ['date', `${start.slice(0, 10)} ${start.slice(11, 19)} UTC`],
  ['suite', `${suite.version}, requirement set ${suite.requirementSet}`],
])}
<nav aria-label="Parts of the page"><ul>${Object.entries(links).map(([id, text]) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>
</header>`;
}

/** What did not pass, at a glance: each leads to its place among the requirements. */
function findings(report: Report): Part | string {
  const { failing, warnings } = failures(report);
  const having = (outcome: string) => report.requirements.filter((one) => one.outcome === outcome);
  const toChange = report.knownFailures.toChange.map(lineToChange);
  const item = (one: ReportedRequirement) =>
    html`<li>${mark(one, report)} <span class="level ${one.level}">${one.level}</span> <div>${linkTo(one)}<p>${withCode(one.sentence)}</p></div></li>\n`;
  const list = (title: string, rows: ReportedRequirement[]) =>
    rows.length > 0 && html`<h3>${title}</h3>\n<ul class="glance">\n${rows.map(item)}</ul>\n`;
  const parts = [
    list('Failed', failing),
    toChange.length > 0 &&
      html`<h3>Known failures to change</h3>\n<ul>${toChange.map((line) => html`<li>${line}</li>`)}</ul>\n`,
    list('Warnings', warnings),
    list('Known failures', having('known-failure')),
    notVerified(openOf(report)),
  ].filter((part) => part !== false);
  return parts.length === 0 ? '' : html`<section><h2 id="findings">Findings</h2>\n${parts}</section>`;
}

/** Each reason once, with the requirements that it left open: a target that is gone has one reason for all. */
function notVerified(open: ReportedRequirement[]): Part | false {
  const reasons = [...new Set(open.map(({ reason }) => reason))];
  const row = (reason: string) => {
    const rows = open.filter((one) => one.reason === reason);
    const needs = rows[0]?.needs;
    const why =
      needs === undefined ? shorten(reason, 300) : html`can be judged when <a href="#${needs}">${needs}</a> holds`;
    const left = rows.length - GLANCE;
    return html`<li>${why}: ${rows.slice(0, GLANCE).map((one, index) => html`${index > 0 && ', '}${linkTo(one)}`)}${left > 0 && ` and ${left} more`}</li>\n`;
  };
  return open.length > 0 && html`<h3>Not verified</h3>\n<ul class="open">\n${reasons.map(row)}</ul>\n`;
}

function linkTo({ id }: ReportedRequirement): Part {
  return html`<a href="#${id}">${breakable(id)}</a>`;
}
