import type { ShownExchange } from '../../http/exchange.ts';
import { countKinds, countsText } from '../appearance.ts';
import type { Report } from '../report.ts';
import type { TracedExchange } from '../run-result.ts';
import { chaptersOf } from '../selection.ts';
import { type Html, html } from '../text.ts';

/** The width of a chart in units. A unit is a pixel at 400 px, so the page has one font size. */
const WIDTH = 360;

/** The left end of all bars. */
const LEFT = 126;

/** The right end of the longest bar. */
const RIGHT = WIDTH - 24;

/** The height of a chapter. */
const OUTCOME_ROW = 26;

/** Returns a chart of the outcomes, with a stacked bar for each chapter. */
export function outcomesChart({ requirements, scope }: Report): Html | false {
  const chapters = chaptersOf(requirements);
  if (chapters.length === 0) return false;
  const longest = Math.max(...chapters.map(([, rows]) => rows.length));
  const unit = (RIGHT - LEFT) / longest;
  const bottom = chapters.length * OUTCOME_ROW;
  const bars = chapters.map(([chapter, rows], index) => {
    const y = index * OUTCOME_ROW;
    let before = 0;
    const segments = countKinds(rows, scope.strict).map(({ style, symbol, count, text }) => {
      const x = rounded(LEFT + before * unit);
      const width = rounded(Math.max(1, count * unit - 1));
      before += count;
      // The symbol shows the outcome to people who cannot see the color.
      const middle = rounded(x + width / 2);
      const mark = html`<text class="mark" x="${middle}" y="${y + 17}">${symbol}</text>`;
      return html`<g class="${style}"><title>${chapter}: ${text}</title>
<rect x="${x}" y="${y + 4}" width="${width}" height="18"/>${width >= 7 && mark}</g>`;
    });
    return html`<text x="0" y="${y + 17}">${chapter}</text>${segments}\n`;
  });
  const step = stepFor(longest);
  const ticks = Array.from({ length: Math.floor(longest / step) + 1 }, (_, index) =>
    tick(rounded(LEFT + index * step * unit), bottom, `${index * step}`),
  );
  const summary = chapters.map(
    ([chapter, rows]) => `${chapter}: ${countsText(rows, scope.strict)}.`,
  );
  return figure({
    id: 'outcomes-by-chapter',
    caption: 'Outcomes by chapter',
    summary: summary.join(' '),
    height: bottom + 36,
    content: [...ticks, ...bars, axisTitle(bottom, 'requirements')],
  });
}

/** Returns the number of requirements between two lines of the axis. */
function stepFor(longest: number): number {
  if (longest > 20) return 10;
  return longest > 8 ? 5 : 1;
}

/** The response times of one operation, in milliseconds, in ascending order. */
interface Times {
  operation: 'create' | 'list' | 'retrieve';
  mode: 'alone' | 'concurrent';
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
    { operation, mode: 'alone', times: [] },
    { operation, mode: 'concurrent', times: [] },
  ]);
  let busyUntil = Number.NEGATIVE_INFINITY;
  for (const [index, { at, duration, request, response }] of sorted.entries()) {
    const next = sorted[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const mode = at < busyUntil || next < at + duration ? 'concurrent' : 'alone';
    busyUntil = Math.max(busyUntil, at + duration);
    const isSuccess = response !== undefined && response.status >= 200 && response.status < 300;
    const operation = operationOf(request);
    const row = rows.find((times) => times.operation === operation && times.mode === mode);
    if (isSuccess) row?.times.push(duration);
  }
  for (const { times } of rows) times.sort((a, b) => a - b);
  return rows.filter(({ times }) => times.length > 0);
}

/** The number of bars in a histogram. */
const BINS = 48;

/** The height of a histogram. */
const TIMES_ROW = 36;

/** The height of its highest bar. */
const BAR = 26;

/** Returns histograms of the response times, for each operation alone and concurrent. */
export function timesChart(traced: readonly TracedExchange[], baseUrl: string): Html | false {
  const rows = timesOf(
    traced.map(({ exchange }) => exchange),
    baseUrl,
  );
  if (rows.length === 0) return false;
  // The scale begins at 1 ms, because shorter times are not measured.
  const longest = Math.max(1, ...rows.flatMap(({ times }) => times.at(-1) ?? 1));
  const decades = Math.max(1, Math.ceil(Math.log10(longest)));
  const width = RIGHT - LEFT;
  const shareOf = (time: number) => Math.log10(Math.max(1, time)) / decades;
  const bottom = rows.length * TIMES_ROW;
  const ticks = Array.from({ length: decades + 1 }, (_, index) =>
    tick(rounded(LEFT + (width * index) / decades), bottom, timeText(10 ** index)),
  );
  const strips = rows.map(({ operation, mode, times }, index) => {
    const base = (index + 1) * TIMES_ROW - 2;
    const counts = new Array<number>(BINS).fill(0);
    for (const time of times) {
      const bin = Math.min(BINS - 1, Math.floor(shareOf(time) * BINS));
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    const highest = Math.max(...counts);
    const binWidth = width / BINS;
    const bars = counts.flatMap((count, bin) => {
      if (count === 0) return [];
      const x = rounded(LEFT + bin * binWidth);
      const height = rounded(Math.max(2, (count / highest) * BAR));
      return [`M${x} ${base}v-${height}h${rounded(binWidth - 0.5)}v${height}z`];
    });
    const x = rounded(LEFT + shareOf(medianOf(times)) * width);
    return html`<g><title>${timesInWords({ operation, mode, times })}</title>
<text x="0" y="${base - 16}">${operation}, ${mode}</text>
<text class="small" x="0" y="${base - 3}">${medianText(times)}</text>
<path class="${mode}" d="${bars.join('')}"/>
<path class="median" d="M${x} ${base}V${base - BAR - 4}"/></g>\n`;
  });
  return figure({
    id: 'response-times',
    caption: "Response times by operation: a bar's height is the number of 2xx responses",
    summary: rows.map((row) => `${timesInWords(row)}.`).join(' '),
    height: bottom + 36,
    content: [...ticks, ...strips, axisTitle(bottom, 'response time, logarithmic')],
  });
}

const medianOf = (times: readonly number[]): number => times[Math.floor(times.length / 2)] ?? 0;

const medianText = (times: readonly number[]): string =>
  `${times.length}, median ${timeText(medianOf(times))}`;

function timesInWords({ operation, mode, times }: Times): string {
  const longest = timeText(times.at(-1) ?? 0);
  const median = timeText(medianOf(times));
  return `${operation}, ${mode}: median ${median}, longest ${longest}, of ${times.length} requests`;
}

/** Returns `30 ms` or `2 s`. */
function timeText(time: number): string {
  if (time < 1) return 'under 1 ms';
  return time < 1000 ? `${Math.round(time)} ms` : `${rounded(time / 1000)} s`;
}

/** A chart with its caption; `summary` is its content in words. */
interface Chart {
  id: string;
  caption: string;
  summary: string;
  height: number;
  content: Html[];
}

const figure = ({ id, caption, summary, height, content }: Chart): Html =>
  html`<figure><figcaption id="${id}">${caption}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id} ${id}-words">
<desc id="${id}-words">${summary}</desc>
${content}</svg></figure>
`;

/** Returns a vertical line of the axis with its label below. */
const tick = (x: number, bottom: number, label: string): Html =>
  html`<path class="grid" d="M${x} 0V${bottom}"/>
<text class="tick" x="${x}" y="${bottom + 14}">${label}</text>\n`;

const axisTitle = (bottom: number, text: string): Html =>
  html`<text class="tick" x="${(LEFT + RIGHT) / 2}" y="${bottom + 30}">${text}</text>\n`;

const rounded = (value: number): number => Math.round(value * 10) / 10;
