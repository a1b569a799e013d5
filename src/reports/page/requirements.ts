import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { look } from '../finding-text.ts';
import { seenText } from '../how-often.ts';
import { html } from '../html.ts';
import { type Report, type ReportedRequirement, seenIn } from '../report.ts';
import type { Bounds } from './bounds.ts';
import type { Part } from './document.ts';
import { exchangePart } from './exchange.ts';
import { breakable, choice, withCode } from './parts.ts';

/** What a reader filters by: the outcomes, with a SHOULD that only warns apart from what fails the run. */
const KINDS = ['failed', 'warning', 'not-verified', 'known-failure', 'not-applicable', 'passed'] as const;
const LEVELS = ['MUST', 'SHOULD'] as const;

type Kind = (typeof KINDS)[number];

/** What a requirement is shown as. */
export function kindOf(one: ReportedRequirement, { scope }: Pick<Report, 'scope'>): Kind {
  return one.outcome === 'failed' && one.level === 'SHOULD' && !scope.strict ? 'warning' : one.outcome;
}

/** The choices by which requirements are shown. They work without a script. */
export function filterPart(report: Report): Part {
  const { requirements } = report;
  const kinds = KINDS.map((kind) => ({
    kind,
    count: requirements.filter((one) => kindOf(one, report) === kind).length,
  }));
  return html`<form class="filter">
<fieldset><legend>Outcome</legend>
${choice('outcome', 'any-outcome', `all ${requirements.length}`, true)}${kinds.map(
  ({ kind, count }) => count > 0 && choice('outcome', `only-${kind}`, `${kind.replace('-', ' ')} ${count}`),
)}</fieldset>
<fieldset><legend>Level</legend>
${choice('level', 'any-level', 'both', true)}${LEVELS.map((level) => choice('level', `only-${level}`, level))}</fieldset>
</form>
<p id="shown" class="note" role="status"></p>
`;
}

/** The style by which the choices take effect: what is not chosen is hidden, and so is a chapter without any. */
export const FILTER_STYLE = [
  ...KINDS.flatMap((kind) => hiding(`:has(#only-${kind}:checked)`, `.${kind}`)),
  ...LEVELS.flatMap((level) => hiding(`:has(#only-${level}:checked)`, `.${level}`)),
  ...KINDS.flatMap((kind) =>
    LEVELS.flatMap((level) => {
      const main = `main:has(#only-${kind}:checked):has(#only-${level}:checked)`;
      const none = `:not(:has(.requirement.${kind}.${level}))`;
      return [`${main} .chapter${none} { display: none }`, `${main}${none} .nothing { display: block }`];
    }),
  ),
].join('\n');

function hiding(chosen: string, one: string): string[] {
  return [
    `main${chosen} .requirement:not(${one}) { display: none }`,
    `main${chosen} .chapter:not(:has(.requirement${one})) { display: none }`,
  ];
}

/** All requirements, by chapter; what is not passed says why. */
export function chaptersPart(report: Report, bounds: Bounds): Part {
  const titles = [...new Set(report.requirements.map(({ chapter }) => chapter))];
  return html`${titles.map((title) => {
    const rows = report.requirements.filter(({ chapter }) => chapter === title);
    const passed = rows.filter(({ outcome }) => outcome === 'passed').length;
    return html`<section class="chapter">
<h3>${title} <span class="note">${passed} of ${rows.length} passed</span></h3>
<ul>
${rows.map((one) => requirementPart(one, report, bounds))}</ul>
</section>
`;
  })}`;
}

function requirementPart(one: ReportedRequirement, report: Report, bounds: Bounds): Part {
  const kind = kindOf(one, report);
  return html`<li class="requirement ${kind} ${one.level}" id="${one.id}">
${mark(one, report)} <span class="level ${one.level}">${one.level}</span>
<div><p>${withCode(one.sentence)}</p>
<p class="source"><code>${breakable(one.id)}</code> · ${source(one)}</p>
${why(one, report, bounds)}${exchanges(one, report, bounds)}</div></li>
`;
}

/** The outcome as a symbol and in words: nothing hangs on colours. */
export function mark(one: ReportedRequirement, report: Report): Part {
  const { symbol, style } = look(one, report.scope.strict);
  return html`<span class="mark ${style}"><span class="symbol" aria-hidden="true">${symbol}</span> ${kindOf(one, report).replace('-', ' ')}</span>`;
}

function source({ source: { text, url, rule } }: ReportedRequirement): Part {
  const named = url === undefined ? text : html`<a href="${url}">${text}</a>`;
  return html`${named}${rule !== undefined && html`: ${withCode(rule)}`}`;
}

function why(one: ReportedRequirement, report: Report, bounds: Bounds): Part | string {
  const { outcome, reason, expected, got, needs, link } = one;
  if (outcome === 'passed') return '';
  const text = (value: string) => withCode(shorten(value, bounds.text).replaceAll('; ', ';\n'));
  const runs = seenIn(one, report);
  const often = seenText(one);
  const seen = html`${runs !== undefined && html`<dt>seen in</dt><dd>${runs}</dd>`}${often !== '' && html`<dt>seen</dt><dd>${often}</dd>`}`;
  const more = html`${seen}${link !== undefined && html`<dt>link</dt><dd><a href="${new URL(link).href}">${link}</a></dd>`}`;
  if (expected === undefined || got === undefined) {
    return needs === undefined
      ? html`<dl class="why"><dt>why</dt><dd>${text(reason)}</dd>${more}</dl>\n`
      : html`<dl class="why"><dt>why</dt><dd>It can be judged when <a href="#${needs}">${needs}</a> holds.</dd></dl>\n`;
  }
  const entry = report.knownFailures.listed.find(({ slug }) => slug === one.id);
  const listed = entry !== undefined && html`<dt>listed</dt><dd>${text(entry.reason)}</dd>`;
  return html`<dl class="why">${listed}<dt>expected</dt><dd>${text(expected)}</dd><dt>got</dt><dd>${text(got)}</dd>${more}</dl>\n`;
}

function exchanges(one: ReportedRequirement, { target }: Report, bounds: Bounds): Part | string {
  const { exchanges, outcome, needs } = one;
  // Those for want of which it could not be judged stand with the requirement that it needs.
  if (exchanges.length === 0 || needs !== undefined) return '';
  const { origin } = new URL(target.baseUrl);
  const left = exchanges.length - bounds.exchanges;
  // The last one is the one that came out otherwise than expected.
  return html`<details${outcome === 'failed' && html` open`}><summary>${counted(exchanges.length, 'exchange')}</summary>
${exchanges.slice(-bounds.exchanges).map((one) => exchangePart(one, origin, bounds))}${
  left > 0 && html`<p class="note">${left} more: conformance.json has them.</p>`
}</details>
`;
}
