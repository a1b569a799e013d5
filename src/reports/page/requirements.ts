import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { findingRows } from '../finding.ts';
import { type Html, html } from '../html.ts';
import { look, tally } from '../look.ts';
import { chaptersOf, failures, type Report, type ReportedRequirement } from '../report.ts';
import type { Room } from '../room.ts';
import { exchangePart } from './exchange.ts';
import { foldedList } from './folded.ts';
import { breakable, facts, linkTo, withCode } from './parts.ts';

/** Characters of a reason or a value, and exchanges of one requirement. */
const [TEXT, EXCHANGES] = [2000, 4];

/** All requirements by chapter, those with findings open; what is not passed says why, and the first failure shows it. */
export function chaptersPart(report: Report, room: Room): Html[] {
  const { failing, warnings } = failures(report);
  const first = [...failing, ...warnings][0]?.id;
  return chaptersOf(report.requirements).map(([title, rows]) => {
    const rules = new Set<string>();
    const list = (some: ReportedRequirement[]) =>
      html`<ul>\n${some.map((one) => requirementPart(one, report, { room, rules, isFirst: one.id === first }))}</ul>`;
    const isHeld = ({ outcome }: ReportedRequirement) => outcome === 'passed' || outcome === 'not-applicable';
    const isWaiting = ({ outcome, needs }: ReportedRequirement) => outcome === 'not-verified' && needs !== undefined;
    const findings = rows.filter((one) => !isHeld(one) && !isWaiting(one));
    const [waiting, held] = [rows.filter(isWaiting), rows.filter(isHeld)];
    const folded = (some: ReportedRequirement[], words: string) =>
      some.length > 0 &&
      html`<details><summary class="note">${some.length} ${words}</summary>\n${list(some)}</details>`;
    const counts = tally(rows, report.scope.strict).map(({ text }) => text);
    return html`<details class="chapter"${findings.length > 0 && html` open`}><summary><h3>${title}</h3> <span class="note">${counts.join(', ')}</span></summary>
${findings.length > 0 && list(findings)}${folded(waiting, 'not verified because of another failure')}${findings.length + waiting.length === 0 ? list(held) : folded(held, 'without findings')}</details>\n`;
  });
}

/** What rows of a page share: its room, and the rules that a chapter has shown already. */
interface Context {
  room: Room;
  rules: Set<string>;
  isFirst: boolean;
}

function requirementPart(one: ReportedRequirement, report: Report, context: Context): Html {
  const { kind } = look(one, report.scope.strict);
  const { text, url, rule } = one.source;
  const isNew = rule !== undefined && !context.rules.has(rule);
  if (isNew) context.rules.add(rule);
  return html`<li class="requirement ${kind}" id="${one.id}">
<p>${mark(one, report)} ${withCode(one.sentence)}</p>
<p class="note">${one.level} <code>${breakable(one.id)}</code> · ${url === undefined ? text : html`<a href="${url}">${text}</a>`}${isNew && html`: ${withCode(rule)}`}</p>
${why(one, report, context)}${exchanges(one, report, context)}</li>
`;
}

/** The outcome as a symbol and in words: nothing hangs on colours. */
export function mark(one: ReportedRequirement, report: Report): Html {
  const { symbol, style, words } = look(one, report.scope.strict);
  return html`<strong class="${style}">${symbol} ${words}</strong>`;
}

function why(one: ReportedRequirement, report: Report, { room }: Context): Html | false {
  const { outcome, needs, link } = one;
  if (outcome === 'passed') return false;
  if (needs !== undefined) return facts([['needs', linkTo(needs)]]);
  const text = (value: string) => {
    const lines = shorten(value, TEXT).split(/(?<=;) /);
    return room(foldedList(lines.map(withCode)), 'see conformance.json');
  };
  const rows = findingRows(one, report).map(([name, value]) => [name, text(value)] as const);
  return facts([...rows, ...(link ? [['link', html`<a href="${new URL(link).href}">${link}</a>`] as const] : [])]);
}

function exchanges({ exchanges, needs, got }: ReportedRequirement, { target }: Report, { room, isFirst }: Context) {
  // Those for want of which it could not be judged stand with the requirement that it needs.
  if (exchanges.length === 0 || needs !== undefined) return '';
  const { origin } = new URL(target.baseUrl);
  // The last one is the one that came out otherwise than expected.
  const shown = exchanges
    .slice(-EXCHANGES)
    .map((exchange) =>
      room(
        exchangePart(exchange, origin, got),
        html`<p class="note">Request ${exchange.id}: see conformance.json.</p>`,
      ),
    );
  const [before, last] = [shown.slice(0, -1), shown.slice(-1)];
  const left = exchanges.length - shown.length;
  return html`<details${isFirst && html` open`}><summary class="note">${counted(exchanges.length, 'request')}</summary>
${before.length > 0 && html`<details><summary class="note">${before.length} before it</summary>\n${before}</details>\n`}${last}${left > 0 && html`<p class="note">${left} more: see conformance.json.</p>`}</details>
`;
}
