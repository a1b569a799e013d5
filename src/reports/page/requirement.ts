import type { ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { brief, namedIn, repeat, requestLines, responseLines } from '../exchange-text.ts';
import { findingRows } from '../facts.ts';
import { look, tally } from '../look.ts';
import { chaptersOf, findingsOf, type Report, type ReportedRequirement, type Room, waitingFor } from '../report.ts';
import { type Html, html, type Value } from '../text.ts';
import { breakable, facts, linkTo, withCode } from './parts.ts';

/** Characters of a reason or a value, how many values stand open, and exchanges of one requirement. */
const [TEXT, OPEN, EXCHANGES] = [2000, 3, 4];

/** All requirements by chapter: what is among the findings is linked, all else is shown. */
export function chaptersPart(report: Report, room: Room): Html[] {
  const findings = findingsOf(report);
  return chaptersOf(report.requirements).map(([title, rows]) => {
    const counts = tally(rows, report.scope.strict).map(({ text }) => text);
    const row = (one: ReportedRequirement) =>
      findings.includes(one)
        ? html`<li>${mark(one, report)} ${one.level} ${linkTo(one.id)}</li>\n`
        : requirementPart(one, report, room);
    return html`<details class="chapter"><summary><h3>${title}</h3> <span class="note">${counts.join(', ')}</span></summary>
<ul>\n${rows.map(row)}</ul></details>\n`;
  });
}

/** A requirement and what came of it: why it did not pass, and the requests that show it, which may be open. */
export function requirementPart(one: ReportedRequirement, report: Report, room: Room, isOpen = false): Html {
  const { kind } = look(one, report.scope.strict);
  const { text, url, rule } = one.source;
  return html`<li class="requirement ${kind}" id="${one.id}">
<p>${mark(one, report)} ${withCode(one.sentence)}</p>
<p class="note">${one.level} <code>${breakable(one.id)}</code> · ${url === undefined ? text : html`<a href="${url}">${text}</a>`}${rule !== undefined && html`: ${withCode(rule)}`}</p>
${one.outcome !== 'passed' && why(one, report, room)}${waitingFor(one, report).map(
  (waiting) => html`<p class="cyan">${waiting}</p>
`,
)}${exchanges(one, report, room, isOpen)}</li>
`;
}

/** The outcome as a symbol and in words: nothing hangs on colours. */
function mark(one: ReportedRequirement, report: Report): Html {
  const { symbol, style, words } = look(one, report.scope.strict);
  return html`<strong class="${style}">${symbol} ${words}</strong>`;
}

function why(one: ReportedRequirement, report: Report, room: Room): Html {
  const { needs, link } = one;
  if (needs !== undefined) return facts([['needs', linkTo(needs)]]);
  const text = (value: string) => {
    const cases = shorten(value, TEXT)
      .split('; ')
      .map((part) => html`<span class="value">${withCode(part)}</span>`);
    const rest = cases.slice(OPEN);
    const folded =
      rest.length > 0 && html`<details><summary class="note">${rest.length} more</summary>${rest}</details>`;
    return room(html`${cases.slice(0, OPEN)}${folded}`, 'see conformance.json');
  };
  const rows = findingRows(one, report).map(([name, value]) => [name, text(value)] as const);
  return facts([...rows, ...(link ? [['link', html`<a href="${new URL(link).href}">${link}</a>`] as const] : [])]);
}

function exchanges(
  { exchanges: all, needs, got = '' }: ReportedRequirement,
  report: Report,
  room: Room,
  isOpen: boolean,
) {
  // Those for want of which it could not be judged stand with the requirement that it needs.
  if (all.length === 0 || needs !== undefined) return '';
  const { origin } = new URL(report.target.baseUrl);
  const shown = all.slice(-EXCHANGES);
  const left = all.length - shown.length;
  // The last one is the one that came out otherwise than expected.
  const parts = shown.map((one) =>
    room(
      exchangePart(one, origin, got, isOpen && one === all.at(-1)),
      html`<p class="note">Request ${one.id}: see conformance.json.</p>`,
    ),
  );
  return html`${left > 0 && html`<p class="note">${counted(left, 'earlier request')}: see conformance.json.</p>`}${parts}`;
}

/** A request and its response in full, with what a finding names in it marked, and the command that sends it again. */
export function exchangePart(exchange: ShownExchange, origin: string, got: string, isOpen: boolean): Html {
  const { id, request, at, duration, attempts } = exchange;
  const command = repeat([exchange], origin);
  const again =
    command === undefined
      ? html`<p class="note">The request is too long for a command here.</p>`
      : html`<pre>${command}</pre>`;
  return html`<details class="exchange"${isOpen && html` open`}><summary>Request ${id}: ${brief(exchange)}</summary>
<p class="note">${at} ms after the start, took ${duration} ms${attempts > 1 && `, sent ${attempts} times`}</p>
<div class="row">${block(requestLines(request))}${block(responseLines(exchange), namedIn(got))}</div>
${again}
</details>
`;
}

/** Lines in which some values are marked. */
function block(lines: readonly string[], marked: ReadonlySet<string> = new Set()): Html {
  return html`<pre tabindex="0">${lines.map((line, at) => html`${at > 0 && '\n'}${markedLine(line, marked)}`)}</pre>`;
}

/** A line whose value, after the name of its member if it has one, is marked where it is one of these. */
function markedLine(line: string, marked: ReadonlySet<string>): Value {
  if (marked.has(/^\d{3}(?= |$)/.exec(line)?.[0] ?? '')) return html`<mark>${line}</mark>`;
  const [, before = '', value = '', comma = ''] = /^(\s*(?:"(?:[^"\\]|\\.)*": )?)(.*?)(,?)$/s.exec(line) ?? [];
  return marked.has(value) ? html`${before}<mark>${value}</mark>${comma}` : line;
}
