import { shorten } from '../../http/value.ts';
import { lineToChange } from '../../verdict/known-failures.ts';
import { counted } from '../../verdict/verdict.ts';
import { sinceText } from '../changes.ts';
import { depthRows, notVerified, numbers } from '../facts.ts';
import { tally, VERDICTS } from '../look.ts';
import { findingsOf, type Report, type ReportedRequirement, verdictText } from '../report.ts';
import { dateText, type Html, html, quote, type Room, roomOf } from '../text.ts';
import { changesPart, chaptersPart, documentOf, linkTo, listed, marked, requirementPart, table } from './parts.ts';

/** Bytes of a page that what a target sent may take: a page of a usual run needs half of it. */
const ROOM = 160_000;

/** Values of one choice, and runs of a merged report, that are shown. */
const [VALUES, RUNS] = [20, 256];

/** A run as one page for people, `report.html`: it stands alone, and stays small whatever a target sends. */
export function runPage(report: Report): string {
  const room = roomOf(ROOM);
  const name = shorten(report.target.name, 120);
  const chosen = choices(report, room);
  const runs = report.runs?.slice(0, RUNS).map(({ from, seed, verdict, start }) => {
    const seeded = seed === undefined ? '' : `, seed ${seed}`;
    return [shorten(from, 80), `${verdictText({ verdict, title: verdict })}${seeded}, ${dateText(start)}`];
  });
  const body = html`<main>
${head(report, name)}
${report.changes && changesPart(report.changes, report, sinceText(report.changes))}
${findingsPart(report, room)}
<section><h2 id="rests-on">Coverage and choices</h2>
${table([...numbers(report), ...depthRows(report)])}
${runs && html`<h3>Runs</h3>${table(runs)}`}
<h3>Choices of the service</h3>
<p class="note">What the interface leaves open, and what this service does. No requirement depends on it.</p>
${chosen}
</section>
<section><h2 id="requirements">Requirements</h2>
${chaptersPart(report, room)}</section>
</main>`;
  return documentOf(`${verdictText(report)}: ${name}`, body);
}

function head(report: Report, name: string): Html {
  const { target, start, suite, verdict, because, requirements } = report;
  const counts = tally(requirements, report.scope.strict);
  return html`<header>
<p class="note">User Management Service interface: conformance</p>
<h1>${name}</h1>
<p class="verdict ${VERDICTS[verdict].style}"><strong>${verdictText(report)}</strong></p>
<p>${because}</p>
<p class="row">${counts.map((one) => html`${marked(one, one.text)} `)}</p>
<p class="note">${shorten(target.baseUrl, 200)}${target.embeddedReference && ' (the embedded reference service)'}, ${dateText(start)}, suite ${suite.version}, requirement set ${suite.requirementSet}</p>
<nav class="row" aria-label="Parts of the page"><a href="#rests-on">Coverage and choices</a> <a href="#requirements">Requirements</a></nav>
</header>`;
}

function choices({ observations }: Report, room: Room): Html {
  const rows = Object.entries(observations).map(([name, values]) => {
    const left = values.length - VALUES;
    const shown = values.slice(0, VALUES).map((one) => html`<div>${shorten(one, 200)}</div>`);
    const more = left > 0 && html`<span class="note">${counted(left, 'more value')}: see conformance.json</span>`;
    return [name, room(html`${shown}${more}`, `${counted(values.length, 'value')}: see conformance.json`)];
  });
  return rows.length === 0 ? html`<p>None was seen.</p>` : table(rows);
}

/**
 * What did not pass, the most telling first, and the first with its requests open; what to do about it, and what was
 * not verified.
 */
function findingsPart(report: Report, room: Room): Html | false {
  const toChange = report.knownFailures.toChange.map(lineToChange);
  const findings = findingsOf(report);
  const open = notVerified(report).map(([reason, slugs]) => [shorten(reason, 300), listed(slugs.map(linkTo))]);
  if (findings.length + toChange.length + open.length === 0) return false;
  return html`<section><h2 id="findings">Findings</h2>
<ul>${findings.map((one, at) => requirementPart(one, report, room, at === 0))}</ul>
${toChange.length > 0 && html`<h3>Known failures to update</h3>\n<ul>${toChange.map((line) => html`<li>${line}</li>`)}</ul>\n`}
${nextSteps(findings[0], report)}
${open.length > 0 && html`<h3>Not verified</h3>\n${table(open)}`}</section>`;
}

/** What to do about the findings: which to fix first, and the commands that show whether it is fixed. */
function nextSteps(first: ReportedRequirement | undefined, report: Report): Html | false {
  if (first?.outcome !== 'failed') return false;
  const { target, coverage, scope } = report;
  const address = `--base-url ${target.embeddedReference ? 'embedded-reference' : word(target.baseUrl)}`;
  const depth = coverage ? ` --thorough --seed ${coverage.seed}` : '';
  const flags = `${address}${scope.strict ? ' --strict' : ''}${depth}`;
  const step = (text: string, args: string) =>
    html`<li>${text}<br><code>node_modules/.bin/user-management-conformance ${args}</code></li>\n`;
  return html`<h3>Next</h3>
<ol>
<li>Fix ${linkTo(first.id)} first.</li>
${step('Resend the failed requests:', `reproduce ${word(first.id)} ${address}`)}${step('Check this requirement alone:', `${flags} --only ${word(first.id)}`)}${step('Then run everything again:', flags)}</ol>`;
}

/** A word of a shell command, in quotes where it needs them. */
const word = (text: string) => (/^[\w.:/-]+$/.test(text) ? text : quote(text));
