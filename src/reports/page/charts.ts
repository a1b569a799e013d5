import type { ShownExchange } from '../../http/exchange.ts';
import { tally } from '../look.ts';
import { chaptersOf, type Report } from '../report.ts';
import type { TracedExchange } from '../run-result.ts';
import { type Html, html } from '../text.ts';

/** Units of a chart: at 400 px a unit is a pixel, so that its text is as large as the page's. */
const WIDTH = 360;

/** Where the bars begin, and where they end at most. */
const LEFT = 126;
const RIGHT = WIDTH - 24;

/** A picture with its caption; `summary` says the same in words. */
interface Chart {
  id: string;
  caption: string;
  summary: string;
  height: number;
  content: Html[];
}

const chartOf = ({ id, caption, summary, height, content }: Chart): Html =>
  html`<figure><figcaption id="${id}">${caption}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id} ${id}-words">
<desc id="${id}-words">${summary}</desc>
${content}</svg></figure>
`;

/** A line of the axis with its label below. */
const tick = (x: number, bottom: number, label: string): Html =>
  html`<path class="grid" d="M${x} 0V${bottom}"/>
<text class="tick" x="${x}" y="${bottom + 14}">${label}</text>\n`;

const axisTitle = (bottom: number, text: string): Html =>
  html`<text class="tick" x="${(LEFT + RIGHT) / 2}" y="${bottom + 30}">${text}</text>\n`;

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** The outcomes of the requirements by chapter, as a stacked bar for each. */
export function outcomesChart({ requirements, scope }: Report): Html | false {
  const rows = chaptersOf(requirements);
  if (rows.length === 0) return false;
  const most = Math.max(...rows.map(([, own]) => own.length));
  const unit = (RIGHT - LEFT) / most;
  const bottom = rows.length * 26;
  const bars = rows.map(([chapter, own], at) => {
    let before = 0;
    const segments = tally(own, scope.strict).map(({ style, symbol, count, text }) => {
      const x = rounded(LEFT + before * unit);
      const width = rounded(Math.max(1, count * unit - 1));
      before += count;
      const y = at * 26;
      // The symbol says the outcome without the color.
      const middle = rounded(x + width / 2);
      const mark = html`<text class="mark" x="${middle}" y="${y + 17}">${symbol}</text>`;
      return html`<g class="${style}"><title>${chapter}: ${text}</title>
<rect x="${x}" y="${y + 4}" width="${width}" height="18"/>${width >= 7 && mark}</g>`;
    });
    return html`<text x="0" y="${at * 26 + 17}">${chapter}</text>${segments}\n`;
  });
  const step = most > 20 ? 10 : most > 8 ? 5 : 1;
  const ticks = Array.from({ length: Math.floor(most / step) + 1 }, (_, at) =>
    tick(rounded(LEFT + at * step * unit), bottom, `${at * step}`),
  );
  const summary = rows.map(([chapter, own]) => {
    const texts = tally(own, scope.strict).map(({ text }) => text);
    return `${chapter}: ${texts.join(', ')}.`;
  });
  return chartOf({
    id: 'outcomes-by-chapter',
    caption: 'Outcomes by chapter',
    summary: summary.join(' '),
    height: bottom + 36,
    content: [...ticks, ...bars, axisTitle(bottom, 'requirements')],
  });
}

/** The response times of one operation, in milliseconds, in ascending order. */
interface Times {
  operation: 'create' | 'list' | 'retrieve';
  how: 'alone' | 'concurrent';
  times: number[];
}

const OPERATIONS = ['create', 'list', 'retrieve'] as const;

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
  const sorted = [...exchanges].sort((a, b) => a.at - b.at);
  const rows = OPERATIONS.flatMap((operation): Times[] => [
    { operation, how: 'alone', times: [] },
    { operation, how: 'concurrent', times: [] },
  ]);
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const [index, { at, duration, request, response }] of sorted.entries()) {
    const next = sorted[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const how = at < busyUntil || next < at + duration ? 'concurrent' : 'alone';
    busyUntil = Math.max(busyUntil, at + duration);
    const isSuccess = response !== undefined && response.status >= 200 && response.status < 300;
    const operation = operationOf(request);
    const row = rows.find((one) => one.operation === operation && one.how === how);
    if (isSuccess) row?.times.push(duration);
  }
  for (const { times } of rows) times.sort((a, b) => a - b);
  return rows.filter(({ times }) => times.length > 0);
}

/** Bars of a histogram. */
const BINS = 48;

/** Height of a row, and of its highest bar. */
const ROW = 36;
const BAR = 26;

/** How long responses took, a histogram for each operation, alone and concurrent. */
export function timesChart(traced: readonly TracedExchange[], baseUrl: string): Html | false {
  const rows = timesOf(
    traced.map(({ exchange }) => exchange),
    baseUrl,
  );
  if (rows.length === 0) return false;
  // Shorter times than 1 ms are not measured.
  const longest = Math.max(1, ...rows.flatMap(({ times }) => times.at(-1) ?? 1));
  const decades = Math.max(1, Math.ceil(Math.log10(longest)));
  const width = RIGHT - LEFT;
  const shareOf = (time: number) => Math.log10(Math.max(1, time)) / decades;
  const bottom = rows.length * ROW;
  const ticks = Array.from({ length: decades + 1 }, (_, at) =>
    tick(rounded(LEFT + (width * at) / decades), bottom, timeText(10 ** at)),
  );
  const strips = rows.map(({ operation, how, times }, at) => {
    const base = (at + 1) * ROW - 2;
    const counts = new Array<number>(BINS).fill(0);
    for (const time of times) {
      const bin = Math.min(BINS - 1, Math.floor(shareOf(time) * BINS));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    const most = Math.max(...counts);
    const bin = width / BINS;
    const bars = counts.flatMap((count, index) => {
      if (count === 0) return [];
      const height = rounded(Math.max(2, (count / most) * BAR));
      return [
        `M${rounded(LEFT + index * bin)} ${base}v-${height}h${rounded(bin - 0.5)}v${height}z`,
      ];
    });
    const x = rounded(LEFT + shareOf(medianOf(times)) * width);
    return html`<g><title>${wordsOf({ operation, how, times })}</title>
<text x="0" y="${base - 16}">${operation}, ${how}</text>
<text class="small" x="0" y="${base - 3}">${medianText(times)}</text>
<path class="${how}" d="${bars.join('')}"/>
<path class="median" d="M${x} ${base}V${base - BAR - 4}"/></g>\n`;
  });
  return chartOf({
    id: 'response-times',
    caption: "Response times by operation: a bar's height is the number of 2xx responses",
    summary: rows.map((row) => `${wordsOf(row)}.`).join(' '),
    height: bottom + 36,
    content: [...ticks, ...strips, axisTitle(bottom, 'response time, logarithmic')],
  });
}

const medianOf = (times: readonly number[]): number => times[Math.floor(times.length / 2)] ?? 0;

const medianText = (times: readonly number[]): string =>
  `${times.length}, median ${timeText(medianOf(times))}`;

function wordsOf({ operation, how, times }: Times): string {
  const longest = timeText(times.at(-1) ?? 0);
  const median = timeText(medianOf(times));
  return `${operation}, ${how}: median ${median}, longest ${longest}, of ${times.length} requests`;
}

/** `30 ms`, `2 s`. */
function timeText(time: number): string {
  if (time < 1) return 'under 1 ms';
  return time < 1000 ? `${Math.round(time)} ms` : `${rounded(time / 1000)} s`;
}
