import { shorten } from '../../http/value.ts';
import { earlyEndOf } from '../advice.ts';
import { appearanceOf, countKinds, countsText, verdictStyle, verdictText } from '../appearance.ts';
import { type ByteBudget, byteBudget } from '../budget.ts';
import { sinceText } from '../changes.ts';
import { Html, html } from '../html.ts';
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
  HEADINGS,
  linesToChange,
  notVerifiedReasons,
  numberRows,
  targetNote,
} from '../rows.ts';
import type { Guides, TracedExchange } from '../run-result.ts';
import { chaptersOf, failures, findingsOf, selectedRequirements } from '../selection.ts';
import { dateText } from '../text.ts';
import { outcomesChart, timesChart } from './charts.ts';
import { filtersPart } from './filters.ts';
import { changesPart, documentOf, joinHtml, linkTo, symbolAndText, table } from './parts.ts';
import { requirementPart } from './requirement.ts';

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
${table([...numberRows(report), ...depthRows(report)].map(({ label, text }) => [label, text]))}
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
  const { target, start, suite, because, requirements } = report;
  const counts = countKinds(requirements, report.scope.strict);
  return html`<header>
<p class="note">User Management Service interface: conformance</p>
<h1>${name}</h1>
<p class="verdict ${verdictStyle(report)}"><strong>${verdictText(report)}</strong></p>
<p>${because}</p>
<p class="row">${counts.map((count) => html`${symbolAndText(count, count.text)} `)}</p>
<p class="note">${shorten(target.baseUrl, 200)}${targetNote(target)}, ${dateText(start)}, suite ${suite.version}, requirement set ${suite.requirementSet}</p>
<nav class="row" aria-label="Parts of the page"><a href="#pictures">Outcomes and response times</a> <a href="#rests-on">Coverage and choices</a> <a href="#requirements">Requirements</a></nav>
</header>`;
}

/** The most values of a choice: a service has a handful. */
const MAX_VALUES = 8;

function choices({ observations }: Report): Html {
  const rows = Object.entries(observations).map(([name, values]) => {
    const texts = values.slice(0, MAX_VALUES).map((value) => shorten(value, 200));
    if (values.length > MAX_VALUES) texts.push(`${values.length} values: see conformance.json`);
    return [name, texts.map((text) => html`<div>${text}</div>`)];
  });
  return rows.length === 0 ? html`<p>None was seen.</p>` : table(rows);
}

/** Bytes for guides: about forty fit. */
const GUIDES_BYTES = 60_000;

/** Returns the findings, the most important first, then the next steps. */
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
  const open = notVerifiedReasons(report).map(({ reason, slugs }) => [
    shorten(reason, 300),
    joinHtml(slugs.map(linkTo)),
  ]);
  if (findings.length + toChange.length + open.length === 0) return false;
  const items = findings.map((finding, index) =>
    requirementPart(finding, report, budget, {
      command,
      guide: guideFor(finding.id, index === 0),
    }),
  );
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
