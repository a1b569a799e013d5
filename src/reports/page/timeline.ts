import type { ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { html } from '../html.ts';
import { brief } from '../text.ts';
import type { TracedExchange } from '../traced.ts';
import type { Part } from './document.ts';
import { timing } from './exchange.ts';
import { inTime, lanesOf } from './lanes.ts';
import { marks, milliseconds, seconds } from './units.ts';

/** Pixels: the name of a request above the lanes, the lanes together, one lane, and the axis below. */
const [NAME, LANES, LANE, AXIS] = [44, 300, 12, 24];

/** Slugs that a row of the table names before it counts them. */
const NAMED = 2;

/** The run in time: each request of `shown` a bar, which leads to its row in the table. `all` are those of the run. */
export function timelinePart(shown: readonly TracedExchange[], all: readonly ShownExchange[]): Part {
  const exchanges = shown.map(({ exchange }) => exchange);
  const lanes = lanesOf(exchanges);
  const count = countOf(lanes);
  const end = all.reduce((last, { at, duration }) => Math.max(last, at + duration), 1);
  const height = Math.min(LANE, LANES / count);
  const bottom = NAME + count * height;
  const percent = (value: number) => `${Math.round((value / end) * 10_000) / 100}%`;
  const bar = (exchange: ShownExchange, lane: number) => {
    const { at, duration, wait = duration } = exchange;
    const box = html`y="${NAME + lane * height}" height="${Math.max(1, height - 2)}"`;
    return html`<a href="#r${exchange.id}"${isTrouble(exchange) && html` class="trouble"`}><rect class="wait" x="${percent(at)}" width="${percent(wait)}" ${box}/>${
      duration > wait &&
      html`<rect class="receive" x="${percent(at + wait)}" width="${percent(duration - wait)}" ${box}/>`
    }<text y="14">#${exchange.id} ${brief(exchange, 48)} <tspan x="0" y="32">${timing(exchange)}</tspan></text></a>\n`;
  };
  const mark = (value: number) =>
    html`<line x1="${percent(value)}" x2="${percent(value)}" y1="${NAME}" y2="${bottom + 6}"/><text x="${percent(value)}" y="${bottom + 20}" dx="3">${milliseconds(value)}</text>`;
  return html`<p>${counted(all.length, 'request')} in ${seconds(end)}, at most ${countOf(lanesOf(inTime(all)))} at the same time${exchanges.length < all.length && `, ${exchanges.length} of them shown: those that show a failure or got no answer, the slowest, and a part of the others. exchanges.har has them all`}.</p>
<p class="legend"><span><i class="wait"></i>waiting for the answer</span> <span><i class="receive"></i>receiving it</span> <span class="trouble"><i class="wait"></i>a 5xx or no answer</span></p>
<a class="skip" href="#times">Go on behind the picture</a>
<svg class="picture" role="group" aria-label="Requests over time" width="100%" height="${bottom + AXIS}">
<text class="hint" y="14">Point at a bar to see its request.<tspan x="0" y="32">Keyboard: Tab, arrow keys; Enter leads to the table.</tspan></text>
<g class="axis" aria-hidden="true">${marks(end, 6).map(mark)}</g>
${exchanges.map((exchange, index) => bar(exchange, lanes[index] ?? 0))}</svg>
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
