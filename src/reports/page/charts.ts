import { isSuccess, type ShownExchange } from '../../http/exchange.ts';
import { countKinds, countsText } from '../appearance.ts';
import { type Html, html } from '../html.ts';
import type { Report } from '../report.ts';
import type { TracedExchange } from '../run-result.ts';
import { chaptersOf } from '../selection.ts';

/** The width of a chart in units. A unit is a pixel at 400 px, so the page has one font size. */
const WIDTH = 360;

/** The left end of all bars. */
const LEFT = 126;

/** The right end of the longest bar. */
const RIGHT = WIDTH - 24;

/** A chart: rows over an axis. */
interface Chart {
  id: string;
  caption: string;
  axis: string;
  rowHeight: number;
  /** The labels of the axis, and the share of its length at which each stands. */
  ticks: { label: string; share: number }[];
  rows: ChartRow[];
}

interface ChartRow {
  /** The content of the row in words. */
  words: string;
  draw: (top: number) => Html;
}

function figure({ id, caption, axis, rowHeight, ticks, rows }: Chart): Html {
  const bottom = rows.length * rowHeight;
  const grid = ticks.map(({ label, share }) => {
    const x = xOf(share);
    return html`<path class="grid" d="M${x} 0V${bottom}"/><text class="tick" x="${x}" y="${bottom + 14}">${label}</text>\n`;
  });
  const content = rows.map(
    ({ words, draw }, index) => html`<g><title>${words}</title>${draw(index * rowHeight)}</g>\n`,
  );
  return html`<figure><figcaption id="${id}">${caption}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${bottom + 36}" role="img" aria-labelledby="${id} ${id}-words">
<desc id="${id}-words">${rows.map(({ words }) => `${words}.`).join(' ')}</desc>
${grid}${content}<text class="tick" x="${xOf(0.5)}" y="${bottom + 30}">${axis}</text>
</svg></figure>
`;
}

/** Returns the place at a share of the length of the axis. */
const xOf = (share: number): number => rounded(LEFT + share * (RIGHT - LEFT));

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Returns a chart of the outcomes, with a stacked bar for each chapter. */
export function outcomesChart({ requirements, scope }: Report): Html | false {
  const chapters = chaptersOf(requirements);
  if (chapters.length === 0) return false;
  const longest = Math.max(...chapters.map(([, rows]) => rows.length));
  const step = longest > 8 ? 5 : 1;
  return figure({
    id: 'outcomes-by-chapter',
    caption: 'Outcomes by chapter',
    axis: 'requirements',
    rowHeight: 26,
    ticks: Array.from({ length: Math.floor(longest / step) + 1 }, (_, index) => {
      return { label: `${index * step}`, share: (index * step) / longest };
    }),
    rows: chapters.map(([chapter, rows]) => ({
      words: `${chapter}: ${countsText(rows, scope.strict)}`,
      draw: (top) => {
        let before = 0;
        const segments = countKinds(rows, scope.strict).map(({ style, symbol, count }) => {
          const x = xOf(before / longest);
          before += count;
          const width = rounded(xOf(before / longest) - x - 1);
          // The symbol shows the outcome to people who cannot see the color.
          const mark = html`<text class="mark" x="${rounded(x + width / 2)}" y="${top + 17}">${symbol}</text>`;
          return html`<g class="${style}"><rect x="${x}" y="${top + 4}" width="${width}" height="18"/>${width >= 7 && mark}</g>`;
        });
        return html`<text x="0" y="${top + 17}">${chapter}</text>${segments}`;
      },
    })),
  });
}

/** The response times of one operation, in milliseconds, in ascending order. */
interface Times {
  operation: 'create' | 'list' | 'retrieve';
  mode: 'alone' | 'concurrent';
  times: number[];
}

/**
 * Returns the times of 2xx responses by operation. A request is concurrent if another one was in
 * flight at the same time.
 */
export function timesOf(exchanges: readonly ShownExchange[], baseUrl: string): Times[] {
  const users = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/users`;
  const operationOf = ({ method, path }: ShownExchange['request']) => {
    const [resource = ''] = path.split('?');
    if (resource === users) return method === 'POST' ? 'create' : 'list';
    return resource.startsWith(`${users}/`) ? 'retrieve' : undefined;
  };
  const rows = (['create', 'list', 'retrieve'] as const).flatMap((operation): Times[] => [
    { operation, mode: 'alone', times: [] },
    { operation, mode: 'concurrent', times: [] },
  ]);
  const sorted = [...exchanges].sort((a, b) => a.at - b.at);
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const [index, exchange] of sorted.entries()) {
    const { at, duration, request } = exchange;
    const next = sorted[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const mode = at < busyUntil || next < at + duration ? 'concurrent' : 'alone';
    busyUntil = Math.max(busyUntil, at + duration);
    const operation = operationOf(request);
    const row = rows.find((times) => times.operation === operation && times.mode === mode);
    if (isSuccess(exchange)) row?.times.push(duration);
  }
  for (const { times } of rows) times.sort((a, b) => a - b);
  return rows.filter(({ times }) => times.length > 0);
}

/** Returns strips of the response times, for each operation alone and concurrent. */
export function timesChart(traced: readonly TracedExchange[], baseUrl: string): Html | false {
  const rows = timesOf(
    traced.map(({ exchange }) => exchange),
    baseUrl,
  );
  if (rows.length === 0) return false;
  // The scale begins at 1 ms, because shorter times are not measured.
  const longest = Math.max(1, ...rows.flatMap(({ times }) => times.at(-1) ?? 1));
  const decades = Math.max(1, Math.ceil(Math.log10(longest)));
  const shareOf = (time: number) => Math.log10(Math.max(1, time)) / decades;
  return figure({
    id: 'response-times',
    caption:
      'Response times by operation: a line for each time of a 2xx response, a long one for the median',
    axis: 'response time, logarithmic',
    rowHeight: 32,
    ticks: Array.from({ length: decades + 1 }, (_, index) => {
      return { label: timeText(10 ** index), share: index / decades };
    }),
    rows: rows.map(({ operation, mode, times }) => {
      const median = times[Math.floor(times.length / 2)] ?? 0;
      const longestText = timeText(times.at(-1) ?? 0);
      const places = new Set(times.map((time) => Math.round(xOf(shareOf(time)))));
      return {
        words: `${operation}, ${mode}: median ${timeText(median)}, longest ${longestText}, of ${times.length} requests`,
        draw: (top) => html`<text x="0" y="${top + 16}">${operation}, ${mode}</text>
<text class="small" x="0" y="${top + 29}">${times.length}, median ${timeText(median)}</text>
<path class="${mode}" d="${[...places].map((x) => `M${x} ${top + 12}v14`).join('')}"/>
<path class="median" d="M${xOf(shareOf(median))} ${top + 6}v26"/>`,
      };
    }),
  });
}

/** Returns `30 ms` or `2 s`. */
function timeText(time: number): string {
  if (time < 1) return 'under 1 ms';
  return time < 1000 ? `${Math.round(time)} ms` : `${rounded(time / 1000)} s`;
}
