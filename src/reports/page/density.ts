import type { ShownExchange } from '../../http/exchange.ts';
import { html } from '../html.ts';
import type { Clock } from './clock.ts';
import type { Part } from './document.ts';

/** Columns, and pixels of their height. */
const [COLUMNS, HIGH] = [100, 160];

/** What came of a request, from the foot of a column to its top. */
const CLASSES = ['trouble', 'receive', 'wait'] as const;

/** All requests of a run that has too many for a bar each: how many were sent when, by what came of them. */
export function densityPart(all: readonly ShownExchange[], { place, pauses }: Clock, axis: Part): Part {
  const columns = Array.from({ length: COLUMNS }, () => ({ trouble: 0, receive: 0, wait: 0 }));
  for (const one of all) {
    const column = columns[Math.min(COLUMNS - 1, Math.floor(place(one.at) * COLUMNS))];
    if (column) column[classOf(one)] += 1;
  }
  const sum = (column: (typeof columns)[number]) => CLASSES.reduce((total, name) => total + column[name], 0);
  const most = Math.max(1, ...columns.map(sum));
  const width = 100 / COLUMNS;
  const bar = (column: (typeof columns)[number], at: number) => {
    let foot = HIGH;
    return CLASSES.map((name) => {
      const height = (column[name] / most) * HIGH;
      foot -= height;
      return (
        height > 0 &&
        html`<rect class="${name === 'trouble' ? 'trouble wait' : name}" x="${(at * width).toFixed(2)}%" width="${width.toFixed(2)}%" y="${foot.toFixed(1)}" height="${height.toFixed(1)}"><title>${column[name]}</title></rect>`
      );
    });
  };
  return html`<p class="legend"><span><i class="wait"></i>answered below 400</span> <span><i class="receive"></i>4xx</span> <span class="trouble"><i class="wait"></i>a 5xx or no answer</span></p>
<p class="axis-title">requests sent, a column for each hundredth of the time</p>
<div class="plot"><div class="scale" aria-hidden="true"><span>${most}</span><span>${most > 1 && Math.round(most / 2)}</span><span>0</span></div>
<svg role="img" aria-label="How many requests were sent when, at most ${most} in a hundredth of the time" width="100%" height="${HIGH}">
${pauses.map((pause) => pausePart(pause, place, HIGH))}${columns.map(bar)}<line x1="0" x2="100%" y1="${HIGH - 0.5}" y2="${HIGH - 0.5}"/>
</svg></div>
<div class="under">${axis}</div>
`;
}

/** A folded pause: its place, without its length. */
export function pausePart({ from, to }: Clock['pauses'][number], place: Clock['place'], height: number, top = 0): Part {
  return html`<rect class="pause" x="${(place(from) * 100).toFixed(2)}%" width="${((place(to) - place(from)) * 100).toFixed(2)}%" y="${top}" height="${height}"><title>no request for ${((to - from) / 1000).toFixed(1)} s</title></rect>`;
}

function classOf({ response }: ShownExchange): (typeof CLASSES)[number] {
  if (response === undefined || response.status >= 500) return 'trouble';
  return response.status >= 400 ? 'receive' : 'wait';
}
