import { shorten } from '../../http/value.ts';
import { lineToChange } from '../../verdict/entries-to-change.ts';
import { counted } from '../../verdict/verdict.ts';
import { type Html, html } from '../html.ts';
import { behind, failures, findingsOf, openOf, type Report, type ReportedRequirement } from '../report.ts';
import type { Room } from '../room.ts';
import { quote } from '../text.ts';
import { linkTo, listed, withCode } from './parts.ts';
import { mark } from './requirements.ts';

/** Requirements of one reason that are named, and what came in how many cases: the list of all has the rest. */
const [GLANCE, CASES] = [8, 2];

/** What did not pass, with what came, at a glance: each leads to its place among the requirements. */
export function findingsPart(report: Report, room: Room): Html | false {
  const toChange = report.knownFailures.toChange.map(lineToChange);
  const rows = findingsOf(report).map((one) => {
    const cases = (one.got ?? one.reason).split('; ');
    const left = cases.length - CASES;
    const came = html`${cases
      .slice(0, CASES)
      .map((text) => shorten(text, 160))
      .join('; ')}${left > 0 && ` and ${left} more`}`;
    return html`<li><p>${mark(one, report)} ${one.level} ${linkTo(one.id)}</p>
<p><strong class="came">${room(came, 'see below')}</strong></p>
<p class="note">${withCode(one.sentence)}</p></li>\n`;
  });
  const open = openOf(report);
  if (rows.length + toChange.length + open.length === 0) return false;
  return html`<section><h2 id="findings">Findings</h2>
<ul class="glance">${rows}</ul>
${toChange.length > 0 && html`<h3>Known failures to update</h3>\n<ul>${toChange.map((line) => html`<li>${line}</li>`)}</ul>\n`}
${nextSteps(report)}
${open.length > 0 && html`<h3>Not verified</h3>\n<ul>${notVerified(open)}</ul>`}</section>`;
}

/** Each reason once, with the requirements that it left open: a target that is gone has one reason for all. */
function notVerified(open: ReportedRequirement[]): Html[] {
  const reasons = new Map(open.map(({ reason, needs }) => [reason, needs]));
  return [...reasons].map(([reason, needs]) => {
    const slugs = open.filter((one) => one.reason === reason).map(({ id }) => id);
    const left = slugs.length - GLANCE;
    const why = needs === undefined ? shorten(reason, 300) : html`Needs ${linkTo(needs)}`;
    return html`<li>${why}: ${listed(slugs.slice(0, GLANCE).map(linkTo))}${left > 0 && ` and ${left} more`}</li>\n`;
  });
}

/** What to do about the findings: which to fix first, and the commands that show whether it is fixed. */
function nextSteps(report: Report): Html | false {
  const { failing, warnings } = failures(report);
  const [first] = [...failing, ...warnings];
  if (first === undefined) return false;
  const { target, coverage, scope } = report;
  const address = `--base-url ${target.embeddedReference ? 'embedded-reference' : word(target.baseUrl)}`;
  const seed = coverage?.seed;
  const depth = seed === undefined ? '' : ` --thorough --seed ${seed}`;
  const flags = `${address}${scope.strict ? ' --strict' : ''}${depth}`;
  const waiting = behind(first, report);
  const step = (text: string, args: string) =>
    html`<li>${text}<br><code>node_modules/.bin/user-management-conformance ${args}</code></li>\n`;
  return html`<h3>Next</h3>
<ol>
<li>Fix ${linkTo(first.id)} first${waiting > 0 && `: ${counted(waiting, 'requirement')} could not be checked because of it`}.</li>
${step('Resend the failed requests:', `reproduce ${word(first.id)} ${address}`)}${step('Check this requirement alone:', `${flags} --only ${word(first.id)}`)}${step('Then run everything again:', flags)}</ol>`;
}

/** A word of a shell command, in quotes where it needs them. */
function word(text: string): string {
  return /^[\w.:/-]+$/.test(text) ? text : quote(text);
}
