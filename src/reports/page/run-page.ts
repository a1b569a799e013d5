import type { ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import type { Guide, Guides } from '../../requirement/guide.ts';
import { counted, lineToChange } from '../../verdict/verdict.ts';
import { earlyEndOf } from '../advice.ts';
import { sinceText } from '../changes.ts';
import { brief, namedIn, repeat, requestLines, responseLines } from '../exchange-text.ts';
import {
  depthRows,
  findingRows,
  look,
  notVerified,
  numbers,
  tally,
  VERDICTS,
  verdictText,
} from '../look.ts';
import {
  commandFor,
  commandLine,
  explainLine,
  type FlagValues,
  type NextCommand,
} from '../next-command.ts';
import {
  chaptersOf,
  failures,
  findingsOf,
  type Report,
  type ReportedRequirement,
  waitingFor,
} from '../report.ts';
import type { TracedExchange } from '../run-result.ts';
import { dateText, type Html, html, type Room, roomOf, type Value } from '../text.ts';
import { outcomesChart, timesChart } from './charts.ts';
import { filtersPart } from './filters.ts';
import {
  breakable,
  changesPart,
  documentOf,
  linkTo,
  listed,
  marked,
  table,
  withCode,
} from './parts.ts';

/** What a page shows besides the report. */
interface PageOptions {
  /** The command that makes the run again. */
  command?: NextCommand;
  /** The exchanges of the run. */
  traced?: readonly TracedExchange[];
  /** Guides to what failed. */
  guides?: Guides;
}

/** A run as one page for people, `report.html`: it stands alone, and stays small whatever a target sends. */
export function runPage(
  report: Report,
  { command = commandFor(report), traced = [], guides = {} }: PageOptions = {},
): string {
  // Bytes that what a target sent may take: a page of a usual run needs half of it.
  const room = roomOf(160_000);
  const name = shorten(report.target.name, 120);
  const body = html`<main>
${head(report, name)}
${report.changes && changesPart(report.changes, report, sinceText(report.changes))}
${findingsPart(report, room, command, guides)}
<section><h2 id="pictures">Outcomes and response times</h2>
<div class="row">${outcomesChart(report)}${timesChart(traced, report.target.baseUrl)}</div>
</section>
<section><h2 id="rests-on">Coverage and choices</h2>
${table([...numbers(report), ...depthRows(report)])}
<h3>Choices of the service</h3>
<p class="note">What the interface leaves open, and what this service does. No requirement depends on it.</p>
${choices(report)}
</section>
<section><h2 id="requirements">Requirements</h2>
${filtersPart(report)}${chaptersPart(report, room)}</section>
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
<nav class="row" aria-label="Parts of the page"><a href="#pictures">Outcomes and response times</a> <a href="#rests-on">Coverage and choices</a> <a href="#requirements">Requirements</a></nav>
</header>`;
}

function choices({ observations }: Report): Html {
  // Of its own: however many values there are, findings have theirs.
  const room = roomOf(40_000);
  const rows = Object.entries(observations).map(([name, values]) => {
    const shown = html`${values.map((one) => html`<div>${shorten(one, 200)}</div>`)}`;
    return [name, room(shown, `${counted(values.length, 'value')}: see conformance.json`)];
  });
  return rows.length === 0 ? html`<p>None was seen.</p>` : table(rows);
}

/** Bytes that guides may take: a page has room for about thirty. */
const GUIDES = 60_000;

/**
 * What did not pass, the most telling first, and the first with its requests open; what to do about it, and what was
 * not verified.
 */
function findingsPart(
  report: Report,
  room: Room,
  command: NextCommand,
  guides: Guides,
): Html | false {
  const toChange = report.knownFailures.toChange.map(lineToChange);
  const findings = findingsOf(report);
  const guideRoom = roomOf(GUIDES);
  const guideOf = (slug: string) => {
    const guide = guides[slug];
    const line = html`<p class="note">Its guide: <code>${explainLine(slug, command.program)}</code></p>\n`;
    return guide && guideRoom(guidePart(guide), line);
  };
  const open = notVerified(report).map(([reason, slugs]) => [
    shorten(reason, 300),
    listed(slugs.map(linkTo)),
  ]);
  if (findings.length + toChange.length + open.length === 0) return false;
  return html`<section><h2 id="findings">Findings</h2>
<ul>${findings.map((one, at) => requirementPart(one, report, room, at === 0, guideOf(one.id)))}</ul>
${toChange.length > 0 && html`<h3>Known failures to update</h3>\n<ul>${toChange.map((line) => html`<li>${line}</li>`)}</ul>\n`}
${nextSteps(report, command)}
${open.length > 0 && html`<h3>Not verified</h3>\n${table(open)}`}</section>`;
}

/** What to do next: what to fix first, and commands that show whether it is fixed. */
function nextSteps(report: Report, command: NextCommand): Html | false {
  const { coverage, requirements, duration } = report;
  const { failing, warnings } = failures(report);
  const ended = earlyEndOf(requirements, duration);
  const [first] = [...failing, ...warnings];
  if (first === undefined && ended === undefined) return false;
  const depth = coverage ? { thorough: true as const, seed: `${coverage.seed}` } : {};
  const deadline = ended?.deadlineMs ? { deadline: `${ended.deadlineMs}` } : {};
  const step = (text: string, changes: FlagValues) =>
    html`<li>${text}<br><code>${commandLine(command, { ...depth, ...changes })}</code></li>\n`;
  const isFirst = failing.length > 1 && ' first';
  const fix = first && failing.length > 0 && html`<li>Fix ${linkTo(first.id)}${isFirst}.</li>\n`;
  const check =
    first && step('Check this requirement ten times:', { only: first.id, repeat: '10' });
  const needs = command.needs.join(' and ');
  return html`<h3>Next</h3>
${needs !== '' && html`<p class="note">The commands read ${needs} from the environment.</p>\n`}<ol>
${ended ? html`<li>${ended.sentence}</li>\n` : fix}${check}${step('Make the same run again:', deadline)}</ol>`;
}

/** All requirements by chapter: what is among the findings is linked, all else is shown. */
function chaptersPart(report: Report, room: Room): Html[] {
  const findings = findingsOf(report);
  return chaptersOf(report.requirements).map(([title, rows]) => {
    const counts = tally(rows, report.scope.strict).map(({ text }) => text);
    const row = (one: ReportedRequirement) =>
      findings.includes(one)
        ? html`<li class="${look(one, report.scope.strict).kind} ${one.level}">${marked(look(one, report.scope.strict))} ${one.level} ${linkTo(one.id)}</li>\n`
        : requirementPart(one, report, room);
    return html`<details class="chapter"><summary><h3>${title}</h3> <span class="note">${counts.join(', ')}</span></summary>
<ul>\n${rows.map(row)}</ul></details>\n`;
  });
}

/** A requirement and what came of it: why it did not pass, and the requests that show it, which may be open. */
function requirementPart(
  one: ReportedRequirement,
  report: Report,
  room: Room,
  isOpen = false,
  guide?: Html,
): Html {
  const { id, level, sentence, outcome, needs } = one;
  const { text, url, rule } = one.source;
  const looks = look(one, report.scope.strict);
  // For want of what it could not be judged stands with the requirement that it needs.
  return html`<li class="requirement ${looks.kind} ${level}" id="${id}">
<p>${marked(looks)} ${withCode(sentence)}</p>
<p class="note">${level} <code>${breakable(id)}</code> · ${url === undefined ? text : html`<a href="${url}">${text}</a>`}${rule !== undefined && html`: ${withCode(rule)}`}</p>
${outcome !== 'passed' && table(needs === undefined ? why(one, report, room) : [['needs', linkTo(needs)]])}${waitingFor(one, report).map((waiting) => html`<p class="cyan">${waiting}</p>\n`)}${guide}${needs === undefined && exchanges(one, report, room, isOpen)}</li>
`;
}

/** A guide: the reason, the usual mistake, and the code that meets the requirement in two stacks. */
function guidePart({ why: reason, mistake, fixes, freedoms }: Guide): Html {
  const free = freedoms.map((sentence) => html`<div>${withCode(sentence)}</div>`);
  const rows = [
    ['why it matters', withCode(reason)],
    ['usual mistake', withCode(mistake)],
    ['freedoms', free],
  ];
  const codes = fixes.map(
    ({ stack, code }) => html`<div><p class="note">${stack}</p>${block(code.split('\n'))}</div>`,
  );
  const names = fixes.map(({ stack }) => stack).join(' or ');
  return html`<div class="guide">${table(rows)}<details><summary>Fix it in ${names}</summary>
<div class="row">${codes}</div></details></div>
`;
}

function why(one: ReportedRequirement, report: Report, room: Room): Value[][] {
  const text = (value: string) => {
    // Nothing of a body is left out, also where one contains the separator or a backtick.
    const values = shorten(value, 2000).split(/(?<=; )/);
    // Values of a service are in quotes; a part without any is in the suite's own words.
    const shown = values.map(
      (part) => html`<div>${part.includes('"') ? part : withCode(part)}</div>`,
    );
    return room(html`${shown}`, 'see conformance.json');
  };
  const rows = findingRows(one, report).map(([name, value]) => [name, text(value)]);
  return [
    ...rows,
    ...(one.link ? [['link', html`<a href="${new URL(one.link).href}">${one.link}</a>`]] : []),
  ];
}

function exchanges(
  { exchanges: all, got = '' }: ReportedRequirement,
  report: Report,
  room: Room,
  isOpen: boolean,
) {
  const shown = all.slice(-4);
  const left = all.length - shown.length;
  // The last one is the one that came out otherwise than expected.
  const parts = shown.map((one) => {
    const part = exchangePart(one, report.target.baseUrl, got, isOpen && one === all.at(-1));
    return room(part, html`<p class="note">Request ${one.id}: see conformance.json.</p>`);
  });
  return html`${left > 0 && html`<p class="note">${counted(left, 'earlier request')}: see conformance.json.</p>`}${parts}`;
}

/** A request and its response in full, with what a finding names in it marked, and the command that sends it again. */
function exchangePart(
  exchange: ShownExchange,
  baseUrl: string,
  got: string,
  isOpen: boolean,
): Html {
  const { id, request, at, duration, attempts } = exchange;
  const again = repeat([exchange], baseUrl) ?? 'The request is too long for a command here.';
  return html`<details class="exchange"${isOpen && html` open`}><summary>Request ${id}: ${brief(exchange)}</summary>
<p class="note">${at} ms after the start, took ${duration} ms${attempts > 1 && `, sent ${attempts} times`}</p>
<div class="row">${block(requestLines(request))}${block(responseLines(exchange), namedIn(got))}</div>
<pre>${again}</pre>
</details>
`;
}

/** Lines in which some values are marked. */
const block = (lines: readonly string[], marked: ReadonlySet<string> = new Set()) =>
  html`<pre tabindex="0">${lines.map((line, at) => html`${at > 0 && '\n'}${markedLine(line, marked)}`)}</pre>`;

/** A line whose value, after the name of its member if it has one, is marked where it is one of these. */
function markedLine(line: string, marked: ReadonlySet<string>): Value {
  if (marked.has(/^\d{3}(?= |$)/.exec(line)?.[0] ?? '')) return html`<mark>${line}</mark>`;
  const [, before = '', value = '', comma = ''] =
    /^(\s*(?:"(?:[^"\\]|\\.)*": )?)(.*?)(,?)$/s.exec(line) ?? [];
  return marked.has(value) ? html`${before}<mark>${value}</mark>${comma}` : line;
}
