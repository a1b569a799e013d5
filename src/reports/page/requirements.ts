import type { ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { look } from '../finding-text.ts';
import { seenText } from '../how-often.ts';
import { html } from '../html.ts';
import { failures, type Report, type ReportedRequirement, seenIn } from '../report.ts';
import type { Bounds } from './bounds.ts';
import type { Part } from './document.ts';
import { exchangePart } from './exchange.ts';
import { foldedList } from './folded.ts';
import { breakable, choice, withCode } from './parts.ts';

/** What a reader filters by: the outcomes, with a SHOULD that only warns apart from what fails the run. */
const KINDS = ['failed', 'warning', 'not-verified', 'known-failure', 'not-applicable', 'passed'] as const;
const LEVELS = ['MUST', 'SHOULD'] as const;

type Kind = (typeof KINDS)[number];

/** Of these there may be several. */
const NOUNS: Kind[] = ['warning', 'known-failure'];

/** What a requirement is shown as. */
export function kindOf(one: ReportedRequirement, { scope }: Pick<Report, 'scope'>): Kind {
  return one.outcome === 'failed' && one.level === 'SHOULD' && !scope.strict ? 'warning' : one.outcome;
}

/** `2 warnings`, `2 failed`. */
function inWords(kind: Kind, count: number): [number, string] {
  const words = kind.replace('-', ' ');
  return [count, NOUNS.includes(kind) && count > 1 ? `${words}s` : words];
}

/** How many requirements have which outcome, of both levels. */
export function tallyPart(report: Report): Part {
  const row = (kind: Kind) => {
    const rows = report.requirements.filter((one) => kindOf(one, report) === kind);
    const [first] = rows;
    if (first === undefined) return false;
    const { symbol, style } = look(first, report.scope.strict);
    const [count, words] = inWords(kind, rows.length);
    return html`<li class="${style}"><span class="symbol" aria-hidden="true">${symbol}</span><strong>${count}</strong> ${words}</li>`;
  };
  return html`<ul class="tally">${KINDS.map(row)}</ul>\n`;
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
    `main${chosen} :is(.chapter, .held):not(:has(.requirement${one})) { display: none }`,
  ];
}

/** All requirements by chapter, those with findings open; what is not passed says why, and the first failure shows it. */
export function chaptersPart(report: Report, bounds: Bounds): Part {
  const { failing, warnings } = failures(report);
  const first = [...failing, ...warnings][0]?.id;
  const titles = [...new Set(report.requirements.map(({ chapter }) => chapter))];
  return html`${titles.map((title) => {
    const rows = report.requirements.filter(({ chapter }) => chapter === title);
    const rules = new Set<string>();
    const isWaiting = ({ outcome, needs }: ReportedRequirement) => outcome === 'not-verified' && needs !== undefined;
    const isHeld = ({ outcome }: ReportedRequirement) => outcome === 'passed' || outcome === 'not-applicable';
    const findings = rows.filter((one) => !isHeld(one) && !isWaiting(one));
    const [waiting, held] = [rows.filter(isWaiting), rows.filter(isHeld)];
    const list = (some: ReportedRequirement[]) =>
      html`<ul>\n${some.map((one) => requirementPart(one, report, bounds, { rules, isFirst: one.id === first }))}</ul>`;
    const count = [...new Set(rows.map((one) => kindOf(one, report)))].map((kind) =>
      inWords(kind, rows.filter((one) => kindOf(one, report) === kind).length).join(' '),
    );
    const summary = html`<summary><h3>${title}</h3> <span class="note">${count.join(', ')}</span></summary>`;
    const folded = (some: ReportedRequirement[], words: string) =>
      some.length > 0 &&
      html`<details class="held"><summary>${some.length} ${words}</summary>\n${list(some)}</details>`;
    const isAlone = findings.length + waiting.length === 0;
    return html`<details class="chapter"${findings.length > 0 && html` open`}>${summary}\n${findings.length > 0 && list(findings)}${folded(waiting, 'not verified: another finding keeps them from being judged')}${isAlone ? list(held) : folded(held, 'without findings')}</details>\n`;
  })}`;
}

/** What a row depends on besides its requirement: the rules whose text its chapter shows already, and whether it is the first failure. */
interface Row {
  rules: Set<string>;
  isFirst: boolean;
}

function requirementPart(one: ReportedRequirement, report: Report, bounds: Bounds, row: Row): Part {
  const kind = kindOf(one, report);
  return html`<li class="requirement ${kind} ${one.level}" id="${one.id}">
${mark(one, report)} <span class="level ${one.level}">${one.level}</span>
<div><p>${withCode(one.sentence)}</p>
<p class="source"><code>${breakable(one.id)}</code> · ${source(one, row)}</p>
${why(one, report, bounds)}${exchanges(one, report, bounds, row)}</div></li>
`;
}

/** The outcome as a symbol and in words: nothing hangs on colours. */
export function mark(one: ReportedRequirement, report: Report): Part {
  const { symbol, style } = look(one, report.scope.strict);
  return html`<span class="mark ${style}"><span class="symbol" aria-hidden="true">${symbol}</span> ${kindOf(one, report).replace('-', ' ')}</span>`;
}

function source({ source: { text, url, rule } }: ReportedRequirement, { rules }: Row): Part {
  const named = url === undefined ? text : html`<a href="${url}">${text}</a>`;
  const isNew = rule !== undefined && !rules.has(rule);
  if (isNew) rules.add(rule);
  return html`${named}${isNew && html`: ${withCode(rule)}`}`;
}

function why(one: ReportedRequirement, report: Report, bounds: Bounds): Part | string {
  const { outcome, reason, expected, got, needs, link } = one;
  if (outcome === 'passed') return '';
  const text = (value: string) =>
    foldedList(
      shorten(value, bounds.text)
        .split(/(?<=;) /)
        .map(withCode),
    );
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

function exchanges(one: ReportedRequirement, { target }: Report, bounds: Bounds, { isFirst }: Row): Part | string {
  const { exchanges, needs, got } = one;
  // Those for want of which it could not be judged stand with the requirement that it needs.
  if (exchanges.length === 0 || needs !== undefined) return '';
  const { origin } = new URL(target.baseUrl);
  const part = (exchange: ShownExchange) => exchangePart(exchange, origin, bounds, got);
  // The last one is the one that came out otherwise than expected.
  const shown = exchanges.slice(-bounds.exchanges);
  const [before, last] = [shown.slice(0, -1), shown.slice(-1)];
  const left = exchanges.length - shown.length;
  return html`<details${isFirst && html` open`}><summary>${counted(exchanges.length, 'exchange')}</summary>
${before.length > 0 && html`<details><summary>${before.length} before it</summary>\n${before.map(part)}</details>\n`}${last.map(part)}${
  left > 0 && html`<p class="note">${left} more: conformance.json has them.</p>`
}</details>
`;
}
