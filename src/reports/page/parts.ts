import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { type Changes, changeRows, changesText } from '../changes.ts';
import { brief, namedIn, repeat, requestLines, responseLines } from '../exchange-text.ts';
import { findingRows } from '../facts.ts';
import { look, tally } from '../look.ts';
import { chaptersOf, findingsOf, type Report, type ReportedRequirement, waitingFor } from '../report.ts';
import { type Html, html, inert, type Room, raw, type Value } from '../text.ts';

/** A slug that breaks behind its dot where there is no room. */
export const breakable = (slug: string) => slug.split(/(?<=\.)/).map((part) => html`${part}<wbr>`);

/** A sentence whose words in backticks are code. */
export function withCode(sentence: string): Value[] {
  return sentence.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** A link to the place of a requirement on the page. */
export const linkTo = (slug: string) => html`<a href="#${slug}">${breakable(slug)}</a>`;

/** A list in which a comma stands between any two. */
export function listed(parts: readonly Html[]): Html {
  return html`${parts.map((part, at) => html`${at > 0 && ', '}${part}`)}`;
}

/** How something looks and is called: nothing hangs on colours. */
export function marked({ style, symbol, words }: Record<'style' | 'symbol' | 'words', string>, text = words): Html {
  return html`<strong class="${style}">${symbol} ${text}</strong>`;
}

/** A table of rows that begin with their name; it may have a head, with a name for each column. */
export function table(rows: readonly (readonly Value[])[], columns?: readonly string[]): Html {
  const head =
    columns && html`<thead><tr><td></td>${columns.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>\n`;
  const row = ([name, ...values]: readonly Value[]) =>
    html`<tr><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>\n`;
  return html`<table${columns && html` class="comparison"`}>${head}<tbody>${rows.map(row)}</tbody></table>`;
}

/** What has changed since an earlier run; what the page shows is linked. */
export function changesPart(changes: Changes, { requirements }: Pick<Report, 'requirements'>, title: string): Html {
  const known = new Set(requirements.map(({ id }) => id));
  const named = (slug: string) => (known.has(slug) ? linkTo(slug) : html`<code>${slug}</code>`);
  const rows = changeRows(changes).map(({ name, slugs, style }) => [
    html`<span class="${style}">${slugs.length} ${name}</span>`,
    listed(slugs.map(named)),
  ]);
  return html`<section><h2 id="changes">${title}</h2>
<p>${changesText(changes)}</p>
${table(rows)}</section>`;
}

/** The style of all pages. A browser reads line ends as one character, and so does the policy's hash. */
const STYLE = readFileSync(new URL('./style.css', import.meta.url), 'utf8').replaceAll('\r\n', '\n');

/**
 * A page that stands alone: nothing from outside, and a policy by which a browser applies its style alone and runs nothing.
 * Whatever its values hold is shown as text.
 */
export function documentOf(title: string, body: Html): string {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return inert(String(page));
}

/** Characters of a reason or a value, how many values stand open, and exchanges of one requirement. */
const [TEXT, OPEN, EXCHANGES] = [2000, 3, 4];

/** All requirements by chapter: what is among the findings is linked, all else is shown. */
export function chaptersPart(report: Report, room: Room): Html[] {
  const findings = findingsOf(report);
  return chaptersOf(report.requirements).map(([title, rows]) => {
    const counts = tally(rows, report.scope.strict).map(({ text }) => text);
    const row = (one: ReportedRequirement) =>
      findings.includes(one)
        ? html`<li>${marked(look(one, report.scope.strict))} ${one.level} ${linkTo(one.id)}</li>\n`
        : requirementPart(one, report, room);
    return html`<details class="chapter"><summary><h3>${title}</h3> <span class="note">${counts.join(', ')}</span></summary>
<ul>\n${rows.map(row)}</ul></details>\n`;
  });
}

/** A requirement and what came of it: why it did not pass, and the requests that show it, which may be open. */
export function requirementPart(one: ReportedRequirement, report: Report, room: Room, isOpen = false): Html {
  const { id, level, sentence, outcome, needs } = one;
  const { text, url, rule } = one.source;
  const looks = look(one, report.scope.strict);
  // For want of what it could not be judged stands with the requirement that it needs.
  return html`<li class="requirement ${looks.kind}" id="${id}">
<p>${marked(looks)} ${withCode(sentence)}</p>
<p class="note">${level} <code>${breakable(id)}</code> · ${url === undefined ? text : html`<a href="${url}">${text}</a>`}${rule !== undefined && html`: ${withCode(rule)}`}</p>
${outcome !== 'passed' && table(needs === undefined ? why(one, report, room) : [['needs', linkTo(needs)]])}${waitingFor(one, report).map((waiting) => html`<p class="cyan">${waiting}</p>\n`)}${needs === undefined && exchanges(one, report, room, isOpen)}</li>
`;
}

function why(one: ReportedRequirement, report: Report, room: Room): Value[][] {
  const text = (value: string) => {
    const cases = shorten(value, TEXT)
      .split('; ')
      .map((part) => html`<div>${withCode(part)}</div>`);
    const rest = cases.slice(OPEN);
    const folded =
      rest.length > 0 && html`<details><summary class="note">${rest.length} more</summary>${rest}</details>`;
    return room(html`${cases.slice(0, OPEN)}${folded}`, 'see conformance.json');
  };
  const { link } = one;
  const rows = findingRows(one, report).map(([name, value]) => [name, text(value)]);
  return [...rows, ...(link ? [['link', html`<a href="${new URL(link).href}">${link}</a>`]] : [])];
}

function exchanges({ exchanges: all, got = '' }: ReportedRequirement, report: Report, room: Room, isOpen: boolean) {
  const shown = all.slice(-EXCHANGES);
  const left = all.length - shown.length;
  // The last one is the one that came out otherwise than expected.
  const parts = shown.map((one) => {
    const part = exchangePart(one, report.target.baseUrl, got, isOpen && one === all.at(-1));
    return room(part, html`<p class="note">Request ${one.id}: see conformance.json.</p>`);
  });
  return html`${left > 0 && html`<p class="note">${counted(left, 'earlier request')}: see conformance.json.</p>`}${parts}`;
}

/** A request and its response in full, with what a finding names in it marked, and the command that sends it again. */
function exchangePart(exchange: ShownExchange, baseUrl: string, got: string, isOpen: boolean): Html {
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
function block(lines: readonly string[], marked: ReadonlySet<string> = new Set()): Html {
  return html`<pre tabindex="0">${lines.map((line, at) => html`${at > 0 && '\n'}${markedLine(line, marked)}`)}</pre>`;
}

/** A line whose value, after the name of its member if it has one, is marked where it is one of these. */
function markedLine(line: string, marked: ReadonlySet<string>): Value {
  if (marked.has(/^\d{3}(?= |$)/.exec(line)?.[0] ?? '')) return html`<mark>${line}</mark>`;
  const [, before = '', value = '', comma = ''] = /^(\s*(?:"(?:[^"\\]|\\.)*": )?)(.*?)(,?)$/s.exec(line) ?? [];
  return marked.has(value) ? html`${before}<mark>${value}</mark>${comma}` : line;
}
