import type { ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { html } from '../html.ts';
import { brief } from '../text.ts';
import type { TracedExchange } from '../traced.ts';
import { type Clock, clockOf } from './clock.ts';
import { densityPart, pausePart } from './density.ts';
import type { Part } from './document.ts';
import { timing } from './exchange.ts';
import { inTime, lanesOf } from './lanes.ts';
import { marks, milliseconds, seconds } from './units.ts';

/** Pixels: the name of a request above the lanes, the lanes together, and one lane. */
const [NAME, LANES, LANE] = [44, 300, 12];

/** Slugs that a row of the table names before it counts them. */
const NAMED = 2;

/** Parts of the axis that two labels are apart at least. */
const APART = 0.14;

/** The run in time: each request a bar, which leads to its row in the table, or where `shown` are not `all`, all in columns. */
export function timelinePart(shown: readonly TracedExchange[], all: readonly ShownExchange[]): Part {
  const end = all.reduce((last, { at, duration }) => Math.max(last, at + duration), 1);
  const clock = clockOf(all);
  const idle = clock.pauses.map(({ from, to }) => seconds(to - from));
  const folded =
    idle.length > 0 && ` Folded, in gray: ${counted(idle.length, 'pause')} without any request (${idle.join(', ')}).`;
  return html`<p>${counted(all.length, 'request')} in ${seconds(end)}, at most ${countOf(lanesOf(inTime(all)))} at the same time.${folded}</p>
${shown.length < all.length ? densityPart(all, clock, axisPart(end, clock)) : html`${barsPart(shown, clock)}${axisPart(end, clock)}`}
`;
}

/** The marks of the axis, and what they are. */
function axisPart(end: number, { place, pauses, length }: Clock): Part {
  let last = -1;
  const mark = (value: number) => {
    if (pauses.some(({ from, to }) => value > from && value < to)) return '';
    if (place(value) - last < APART || place(value) > 1 - APART / 2) return '';
    last = place(value);
    return html`<text x="${(last * 100).toFixed(2)}%" y="14">${milliseconds(value)}</text>`;
  };
  const step = marks(length, 6)[1] ?? 1;
  const times = Array.from({ length: Math.min(2000, Math.floor(end / step) + 1) }, (_, at) => at * step);
  return html`<svg class="axis" aria-hidden="true" width="100%" height="20">${times.map(mark)}</svg>
<p class="axis-title end">time since the start of the run</p>`;
}

function barsPart(shown: readonly TracedExchange[], { place, pauses }: Clock): Part {
  const exchanges = shown.map(({ exchange }) => exchange);
  const lanes = lanesOf(exchanges);
  const count = countOf(lanes);
  const height = Math.min(LANE, LANES / count);
  const percent = (value: number) => `${Math.round(value * 10_000) / 100}%`;
  const bar = (exchange: ShownExchange, lane: number) => {
    const { at, duration, wait = duration } = exchange;
    const box = html`y="${(NAME + lane * height).toFixed(1)}" height="${Math.max(1, height - 2).toFixed(1)}"`;
    const [from, head, to] = [place(at), place(at + wait), place(at + duration)];
    return html`<a href="#r${exchange.id}"${isTrouble(exchange) && html` class="trouble"`}><rect class="wait" x="${percent(from)}" width="${percent(head - from)}" ${box}/>${
      duration > wait && html`<rect class="receive" x="${percent(head)}" width="${percent(to - head)}" ${box}/>`
    }<text y="14">#${exchange.id} ${brief(exchange, 48)} <tspan x="0" y="32">${timing(exchange)}</tspan></text></a>\n`;
  };
  return html`<p class="legend"><span><i class="wait"></i>waiting for the answer</span> <span><i class="receive"></i>receiving it</span> <span class="trouble"><i class="wait"></i>a 5xx or no answer</span></p>
<a class="skip" href="#times">Skip the chart</a>
<p class="axis-title">requests at the same time, a bar each</p>
<svg class="picture" role="group" aria-label="Requests over time" width="100%" height="${Math.ceil(NAME + count * height)}">
<text class="hint" y="14">Point at a bar to see its request.<tspan x="0" y="32">Keyboard: Tab, arrow keys; Enter leads to the table.</tspan></text>
${pauses.map((pause) => pausePart(pause, place, count * height, NAME))}${exchanges.map((exchange, index) => bar(exchange, lanes[index] ?? 0))}</svg>
`;
}

function countOf(lanes: readonly number[]): number {
  return lanes.reduce((most, lane) => Math.max(most, lane + 1), 1);
}

/** What failed on the side of the service, whatever was asked. */
function isTrouble({ response }: ShownExchange): boolean {
  return response === undefined || response.status >= 500;
}

/** The same as a table. */
export function requestTable(shown: readonly TracedExchange[], all: number): Part {
  const row = ({ exchange, requirements }: TracedExchange) => {
    const { id, request, response, failure, at, duration, wait = duration, attempts } = exchange;
    const named = requirements.slice(0, NAMED).map((slug) => html`<a href="#${slug}">${slug}</a> `);
    return html`<tr id="r${id}"><td>${id}</td><td>${at}</td><td><code>${request.method} ${shorten(request.path, 60)}</code></td><td>${response?.status ?? shorten(failure ?? 'none', 80)}${attempts > 1 && ` (sent ${attempts} times)`}</td><td>${wait}</td><td>${Math.max(0, duration - wait)}</td><td>${requirements.length <= NAMED ? named : `${requirements.length} requirements`}</td></tr>\n`;
  };
  const heads = ['no.', 'at (ms)', 'request', 'answer', 'waiting (ms)', 'receiving (ms)', 'evidence of'];
  return html`<details id="requests"><summary>${shown.length < all ? `${shown.length} of the ${all} requests` : `All ${counted(all, 'request')}`} as a table</summary>
<table class="requests">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>
${shown.map(row)}</tbody>
</table>
</details>
`;
}
