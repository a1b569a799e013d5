import { shorten } from '../../http/value.ts';
import { lineToChange } from '../../verdict/entries-to-change.ts';
import { html } from '../html.ts';
import { failures, openOf, type Report, type ReportedRequirement } from '../report.ts';
import type { Bounds } from './bounds.ts';
import type { Part } from './document.ts';
import { nextSteps } from './next-steps.ts';
import { breakable, withCode } from './parts.ts';
import { mark } from './requirements.ts';

/** Requirements of one reason that are named, and what came in how many cases: the list of all has the rest. */
const [GLANCE, CASES] = [8, 2];

/** What did not pass, with what came, at a glance: each leads to its place among the requirements. */
export function findingsPart(report: Report, bounds: Bounds): Part | string {
  const { failing, warnings } = failures(report);
  const known = report.requirements.filter(({ outcome }) => outcome === 'known-failure');
  const toChange = report.knownFailures.toChange.map(lineToChange);
  const item = (one: ReportedRequirement) =>
    html`<li>${mark(one, report)} <span class="level ${one.level}">${one.level}</span> <div>${linkTo(one)} <p class="came">${came(one, Math.min(160, bounds.text / 2))}</p><p class="note">${withCode(one.sentence)}</p></div></li>\n`;
  const rows = [...failing, ...warnings, ...known];
  const parts = [
    rows.length > 0 && html`<ul class="glance">\n${rows.map(item)}</ul>\n`,
    toChange.length > 0 &&
      html`<h3>Known failures to change</h3>\n<ul>${toChange.map((line) => html`<li>${line}</li>`)}</ul>\n`,
    nextSteps(report),
    notVerified(openOf(report)),
  ].filter((part) => part !== false && part !== '');
  return parts.length === 0 ? '' : html`<section><h2 id="findings">Findings</h2>\n${parts}</section>`;
}

/** What came, in the first cases. */
function came({ got, reason }: ReportedRequirement, most: number): string {
  const cases = (got ?? reason).split('; ');
  const more = cases.length - CASES;
  return `${cases
    .slice(0, CASES)
    .map((one) => shorten(one, most))
    .join('; ')}${more > 0 ? ` and ${more} more` : ''}`;
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
