import type { ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { earlyEndOf } from '../advice.ts';
import { appearanceOf, countKinds, countsText, VERDICTS, verdictText } from '../appearance.ts';
import { sinceText } from '../changes.ts';
import {
  curlCommand,
  exchangeTitle,
  requestLines,
  responseLines,
  valuesNamedIn,
} from '../exchange-text.ts';
import {
  commandFor,
  commandLine,
  explainLine,
  type FlagValues,
  type NextCommand,
  separateReports,
} from '../next-command.ts';
import type { Report, ReportedRequirement } from '../report.ts';
import {
  depthRows,
  findingRows,
  HEADINGS,
  linesToChange,
  notVerifiedReasons,
  numberRows,
  targetNote,
} from '../rows.ts';
import type { Guides, TracedExchange } from '../run-result.ts';
import {
  chaptersOf,
  dependentsText,
  failures,
  findingsOf,
  selectedRequirements,
} from '../selection.ts';
import { type ByteBudget, byteBudget, dateText, Html, html, type Value } from '../text.ts';
import { outcomesChart, timesChart } from './charts.ts';
import { filtersPart } from './filters.ts';
import {
  breakable,
  changesPart,
  documentOf,
  joinHtml,
  linkTo,
  symbolAndText,
  table,
  withCode,
} from './parts.ts';

/** The contents of a page besides the report. */
interface PageOptions {
  /** The command that makes the run again. */
  command?: NextCommand;
  /** The exchanges of the run. */
  traced?: readonly TracedExchange[];
  guides?: Guides;
}

/** Bytes for the text of a target in findings: a usual run needs half of it. */
const FINDINGS_BYTES = 160_000;

/**
 * Returns a run as one page for people, `report.html`. The page loads nothing, and its size is
 * limited whatever a target sends.
 */
export function runPage(
  fullReport: Report,
  { command = commandFor(fullReport), traced = [], guides = {} }: PageOptions = {},
): string {
  const report = { ...fullReport, requirements: selectedRequirements(fullReport) };
  const leftOut = fullReport.requirements.length - report.requirements.length;
  const budget = byteBudget(FINDINGS_BYTES);
  const name = shorten(report.target.name, 120);
  const body = html`<main>
${head(report, name)}
${report.changes && changesPart(report.changes, report, sinceText(report.changes))}
${findingsPart(report, budget, command, guides)}
<section><h2 id="pictures">Outcomes and response times</h2>
<div class="row">${outcomesChart(report)}${timesChart(traced, report.target.baseUrl)}</div>
</section>
<section><h2 id="rests-on">Coverage and choices</h2>
${table([...numberRows(report), ...depthRows(report)])}
<h3>Choices of the service</h3>
<p class="note">The behavior of this service where the interface leaves it open. No MUST depends on it.</p>
${choices(report)}
</section>
<section><h2 id="requirements">Requirements</h2>
${leftOut > 0 && html`<p class="note">This run selected ${report.requirements.length} of ${fullReport.requirements.length} requirements.</p>`}
${filtersPart(report)}${chaptersPart(report, budget)}</section>
</main>`;
  return documentOf(`${verdictText(report)}: ${name}`, body);
}

function head(report: Report, name: string): Html {
  const { target, start, suite, verdict, because, requirements } = report;
  const counts = countKinds(requirements, report.scope.strict);
  return html`<header>
<p class="note">User Management Service interface: conformance</p>
<h1>${name}</h1>
<p class="verdict ${VERDICTS[verdict].style}"><strong>${verdictText(report)}</strong></p>
<p>${because}</p>
<p class="row">${counts.map((count) => html`${symbolAndText(count, count.text)} `)}</p>
<p class="note">${shorten(target.baseUrl, 200)}${targetNote(target)}, ${dateText(start)}, suite ${suite.version}, requirement set ${suite.requirementSet}</p>
<nav class="row" aria-label="Parts of the page"><a href="#pictures">Outcomes and response times</a> <a href="#rests-on">Coverage and choices</a> <a href="#requirements">Requirements</a></nav>
</header>`;
}

/** Bytes for the observed choices, so that they cannot displace findings. */
const CHOICES_BYTES = 40_000;

function choices({ observations }: Report): Html {
  const budget = byteBudget(CHOICES_BYTES);
  const rows = Object.entries(observations).map(([name, values]) => {
    const list = html`${values.map((value) => html`<div>${shorten(value, 200)}</div>`)}`;
    return [name, budget(list, `${counted(values.length, 'value')}: see conformance.json`)];
  });
  return rows.length === 0 ? html`<p>None was seen.</p>` : table(rows);
}

/** Bytes for guides: about forty fit. */
const GUIDES_BYTES = 60_000;

/** Returns the findings, the most important first and open, then the next steps. */
function findingsPart(
  report: Report,
  budget: ByteBudget,
  command: NextCommand,
  guides: Guides,
): Html | false {
  const findings = findingsOf(report);
  const toChange = linesToChange(report);
  const guideBudget = byteBudget(GUIDES_BYTES);
  const guideFor = (slug: string, isOpen: boolean) => {
    const guide = guides[slug];
    if (guide === undefined) return undefined;
    const part = html`<details class="guide"${isOpen && html` open`}><summary>Why it matters, the usual mistake and how to fix it</summary>
${new Html(guide.html)}</details>\n`;
    const substitute = html`<p class="note">Its guide: <code>${explainLine(slug, command.program)}</code></p>\n`;
    return guideBudget(part, substitute);
  };
  const open = notVerifiedReasons(report).map(([reason, slugs]) => [
    shorten(reason, 300),
    joinHtml(slugs.map(linkTo)),
  ]);
  if (findings.length + toChange.length + open.length === 0) return false;
  const items = findings.map((finding, index) => {
    const isOpen = index === 0;
    return requirementPart(finding, report, budget, {
      isOpen,
      guide: guideFor(finding.id, isOpen),
    });
  });
  return html`<section><h2 id="findings">Findings</h2>
<ul>${items}</ul>
${toChange.length > 0 && html`<h3>${HEADINGS.knownFailures}</h3>\n<ul>${toChange.map((line) => html`<li>${line}</li>`)}</ul>\n`}
${nextSteps(report, command)}
${open.length > 0 && html`<h3>${HEADINGS.notVerified}</h3>\n${table(open)}`}</section>`;
}

/** Returns the next steps: the first requirement to fix, and commands that check it. */
function nextSteps(report: Report, command: NextCommand): Html | false {
  const { coverage, requirements, duration } = report;
  const { failing, warnings } = failures(report);
  const earlyEnd = earlyEndOf(requirements, duration);
  const [first] = [...failing, ...warnings];
  if (first === undefined && earlyEnd === undefined) return false;
  const depth: FlagValues = coverage ? { thorough: true, seed: `${coverage.seed}` } : {};
  const deadline: FlagValues = earlyEnd?.deadlineMs ? { deadline: `${earlyEnd.deadlineMs}` } : {};
  const step = (text: string, changes: FlagValues) =>
    html`<li>${text}<br><code>${commandLine(command, { ...depth, ...changes })}</code></li>\n`;
  const order = failing.length > 1 && ' first';
  const fix = first && failing.length > 0 && html`<li>Fix ${linkTo(first.id)}${order}.</li>\n`;
  const check =
    first &&
    step('Check this requirement ten times:', {
      only: first.id,
      repeat: '10',
      ...separateReports(command),
    });
  const needs = command.needs.join(' and ');
  return html`<h3>Next</h3>
${needs !== '' && html`<p class="note">The commands read ${needs} from the environment.</p>\n`}<ol>
${earlyEnd ? html`<li>${earlyEnd.sentence}</li>\n` : fix}${check}${step('Make the same run again:', deadline)}</ol>`;
}

/** Returns all requirements by chapter, with a link in place of each that is already a finding. */
function chaptersPart(report: Report, budget: ByteBudget): Html[] {
  const findings = findingsOf(report);
  return chaptersOf(report.requirements).map(([title, requirements]) => {
    const counts = countsText(requirements, report.scope.strict);
    const items = requirements.map((requirement) =>
      findings.includes(requirement)
        ? requirementLink(requirement, report)
        : requirementPart(requirement, report, budget),
    );
    return html`<details class="chapter"><summary><h3>${title}</h3> <span class="note">${counts}</span></summary>
<ul>\n${items}</ul></details>\n`;
  });
}

function requirementLink(requirement: ReportedRequirement, { scope }: Report): Html {
  const { id, level } = requirement;
  const appearance = appearanceOf(requirement, scope.strict);
  return html`<li class="${appearance.kind} ${level}">${symbolAndText(appearance)} ${level} ${linkTo(id)}</li>\n`;
}

/** The parts of a requirement that only findings have. */
interface FindingOptions {
  /** Whether the last request is open. */
  isOpen: boolean;
  guide: Html | undefined;
}

/** Returns a requirement with its reason, its dependents and its requests. */
function requirementPart(
  requirement: ReportedRequirement,
  report: Report,
  budget: ByteBudget,
  { isOpen, guide }: FindingOptions = { isOpen: false, guide: undefined },
): Html {
  const { id, level, sentence, outcome, needs } = requirement;
  const { text, url, rule } = requirement.source;
  const appearance = appearanceOf(requirement, report.scope.strict);
  const source = url === undefined ? text : html`<a href="${url}">${text}</a>`;
  const reasons = outcome !== 'passed' && table(reasonRows(requirement, report, budget));
  const dependents = dependentsText(requirement, report);
  // A requirement that needs another has no requests of its own: the other one shows them.
  const exchanges = needs === undefined && exchangesPart(requirement, report, budget, isOpen);
  return html`<li class="requirement ${appearance.kind} ${level}" id="${id}">
<p>${symbolAndText(appearance)} ${withCode(sentence)}</p>
<p class="note">${level} <code>${breakable(id)}</code> · ${source}${rule !== undefined && html`: ${withCode(rule)}`}</p>
${reasons}${dependents !== '' && html`<p class="cyan">${dependents}</p>\n`}${guide}${exchanges}</li>
`;
}

function reasonRows(
  requirement: ReportedRequirement,
  report: Report,
  budget: ByteBudget,
): Value[][] {
  const { link, needs } = requirement;
  if (needs !== undefined) return [['needs', linkTo(needs)]];
  const rows: Value[][] = findingRows(requirement, report).map(([label, value]) => [
    label,
    budget(valuePart(value), 'see conformance.json'),
  ]);
  if (link) rows.push(['link', html`<a href="${new URL(link).href}">${link}</a>`]);
  return rows;
}

/** Returns a value of a finding, with each of its parts on its own line. */
function valuePart(value: string): Html {
  // The separators stay, because a body may contain one.
  const parts = shorten(value, 2000).split(/(?<=; )/);
  // Values of a service are in quotes. In a part without any, backticks are the suite's own.
  const lines = parts.map((part) => html`<div>${part.includes('"') ? part : withCode(part)}</div>`);
  return html`${lines}`;
}

/** The most exchanges of a requirement. */
const MAX_EXCHANGES = 4;

function exchangesPart(
  { exchanges, got = '' }: ReportedRequirement,
  { target }: Report,
  budget: ByteBudget,
  isOpen: boolean,
): Html {
  const shown = exchanges.slice(-MAX_EXCHANGES);
  const omitted = exchanges.length - shown.length;
  // The last exchange is the one with the unexpected response.
  const last = exchanges.at(-1);
  const parts = shown.map((exchange) => {
    const part = exchangePart(exchange, target.baseUrl, got, isOpen && exchange === last);
    const note = html`<p class="note">Request ${exchange.id}: see conformance.json.</p>`;
    return budget(part, note);
  });
  return html`${omitted > 0 && html`<p class="note">${counted(omitted, 'earlier request')}: see conformance.json.</p>`}${parts}`;
}

/** Returns a request and its response, with a finding's values marked, and the curl command. */
function exchangePart(
  exchange: ShownExchange,
  baseUrl: string,
  got: string,
  isOpen: boolean,
): Html {
  const { id, request, at, duration, attempts } = exchange;
  const response = linesPart(responseLines(exchange), valuesNamedIn(got));
  const command = curlCommand([exchange], baseUrl);
  return html`<details class="exchange"${isOpen && html` open`}><summary>Request ${id}: ${exchangeTitle(exchange)}</summary>
<p class="note">${at} ms after the start, took ${duration} ms${attempts > 1 && `, sent ${attempts} times`}</p>
<div class="row">${linesPart(requestLines(request))}${response}</div>
<pre>${command ?? 'The request is too long for a command here.'}</pre>
</details>
`;
}

/** Returns lines of plain text with some values marked. */
const linesPart = (lines: readonly string[], values: ReadonlySet<string> = new Set()): Html =>
  html`<pre tabindex="0">${lines.map((line, index) => html`${index > 0 && '\n'}${markedLine(line, values)}`)}</pre>`;

/** Marks a line that begins with one of the values as a status, or the value after a JSON name. */
function markedLine(line: string, values: ReadonlySet<string>): Value {
  const [status = ''] = /^\d{3}(?= |$)/.exec(line) ?? [];
  if (values.has(status)) return html`<mark>${line}</mark>`;
  const [, before = '', value = '', comma = ''] =
    /^(\s*(?:"(?:[^"\\]|\\.)*": )?)(.*?)(,?)$/s.exec(line) ?? [];
  return values.has(value) ? html`${before}<mark>${value}</mark>${comma}` : line;
}
