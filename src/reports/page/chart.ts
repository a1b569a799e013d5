import type { ShownExchange } from '../../http/exchange.ts';
import { type Html, html } from '../html.ts';
import { secondsText } from '../text.ts';

type Axis = ReturnType<typeof axisOf>;

/**
 * The axis of exchanges in the order in which they were sent, in milliseconds: a pause without requests of more than half a second
 * and a tenth of the run is left out. `place` says where a time is, from 0 to 1, and `time` the time at a place.
 */
export function axisOf(sorted: readonly Pick<ShownExchange, 'at' | 'duration'>[]) {
  const end = sorted.reduce((last, { at, duration }) => Math.max(last, at + duration), 1);
  const pauses: { from: number; to: number }[] = [];
  let until = 0;
  for (const { at, duration } of sorted) {
    if (at - until > Math.max(500, end / 10)) pauses.push({ from: until, to: at });
    until = Math.max(until, at + duration);
  }
  const busy = end - pauses.reduce((sum, { from, to }) => sum + to - from, 0);
  const place = (time: number) =>
    pauses.reduce((rest, { from, to }) => rest - Math.max(0, Math.min(time, to) - from), time) / busy;
  const time = (share: number) =>
    pauses.reduce((sum, { from, to }) => (sum > from ? sum + to - from : sum), share * busy);
  return { end, pauses, place, time };
}

/** What came of a request, from the foot of a column to its top. */
const CLASSES = [
  { words: '5xx or no response', style: 'red' },
  { words: '4xx', style: 'gray' },
  { words: 'other responses', style: 'blue' },
];
const classOf = (status = 500) => (status >= 500 ? 0 : status >= 400 ? 1 : 2);
const COLUMNS = 100;

/** How many requests of each class were sent in each hundredth of the time. Pure. */
export function columnsOf(exchanges: readonly ShownExchange[], { place }: Pick<Axis, 'place'>): number[][] {
  const columns = Array.from({ length: COLUMNS }, () => CLASSES.map(() => 0));
  for (const { at, response } of exchanges) {
    const column = columns[Math.min(COLUMNS - 1, Math.floor(place(at) * COLUMNS))] as number[];
    const kind = classOf(response?.status);
    column[kind] = (column[kind] ?? 0) + 1;
  }
  return columns;
}

/** When the requests were sent, and what came of them. */
export function chartPart(exchanges: readonly ShownExchange[], axis: Axis): Html {
  const columns = columnsOf(exchanges, axis);
  const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0);
  const most = Math.max(...columns.map(sum));
  const path = (kind: number) =>
    columns
      .map((counts, x) => [x, sum(counts.slice(0, kind)), counts[kind] ?? 0] as const)
      .map(([x, foot, count]) => (count === 0 ? '' : `M${x} ${most - foot}v${-count}h1v${count}z`))
      .join('');
  const line = (from: number) => html`<path class="gray" d="M${axis.place(from) * COLUMNS} 0v${most}h0.2v-${most}z"/>`;
  const label = (time: number) => (axis.end < 10_000 ? `${Math.round(time)} ms` : secondsText(time));
  const legend = CLASSES.map(({ words, style }) => html`<span class="${style}">■ ${words}</span> `);
  return html`<p class="row">${legend}</p>
<p class="note">requests sent in each hundredth of the time</p>
<div class="chart note"><div><span>${most}</span><span>0</span></div>
<svg role="img" aria-label="Requests over time, at most ${most} in a hundredth of it" viewBox="0 0 ${COLUMNS} ${most}" preserveAspectRatio="none">
${axis.pauses.map(({ from }) => line(from))}${CLASSES.map(({ style }, kind) => html`<path class="${style}" d="${path(kind)}"/>`)}</svg>
<p>${[0, 0.25, 0.5, 0.75, 1].map((share) => html`<span>${label(axis.time(share))}</span>`)}</p>
<p>time since the start of the run</p></div>
`;
}
