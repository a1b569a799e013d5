import type { ShownExchange } from '../../http/exchange.ts';
import { counted } from '../../verdict/verdict.ts';
import { html } from '../html.ts';
import type { Part } from './document.ts';
import { milliseconds } from './units.ts';

const OPERATIONS = ['List users', 'Create a user', 'Retrieve a user', 'Other addresses'] as const;

/** The answer times of one operation. Milliseconds. */
export interface Times {
  operation: (typeof OPERATIONS)[number];
  /** The shortest first. */
  durations: number[];
  /** The exchange that took longest. */
  slowest: number;
}

/** The times of all exchanges that were answered, by operation. `basePath` is that of the base address. Pure. */
export function timesOf(record: readonly ShownExchange[], basePath: string): Times[] {
  const users = `${basePath.replace(/\/$/, '')}/users`;
  const operationOf = ({ request: { method, path } }: ShownExchange) => {
    if (path === users) return method === 'POST' ? 'Create a user' : 'List users';
    return method === 'GET' && path.startsWith(`${users}/`) ? 'Retrieve a user' : 'Other addresses';
  };
  return OPERATIONS.flatMap((operation) => {
    const answered = record
      .filter((one) => one.response !== undefined && operationOf(one) === operation)
      .sort((a, b) => a.duration - b.duration || b.id - a.id);
    const last = answered.at(-1);
    if (last === undefined) return [];
    return [{ operation, durations: answered.map(({ duration }) => duration), slowest: last.id }];
  });
}

/** Sizes of the steps in each power of ten. */
const STEPS = [1, 1.5, 2, 3, 5, 7];

/** Ends of steps that grow with the time, from the one that holds `shortest` to the one that holds `longest`. */
function ends(shortest: number, longest: number): number[] {
  const all: number[] = [];
  for (let ten = 1; (all.at(-1) ?? 0) < longest; ten *= 10) all.push(...STEPS.map((step) => step * ten));
  const below = (end: number) => all[all.indexOf(end) - 1] ?? -1;
  return all.filter((end) => Number.isInteger(end) && end >= shortest && below(end) < longest);
}

/** The time below or at which a share of the answers came. */
function quantile(durations: readonly number[], share: number): number {
  return durations[Math.min(durations.length - 1, Math.floor(durations.length * share))] ?? 0;
}

/** The answer times: how many answers took how long, by operation, as a plot and as a table. */
export function timesPart(times: readonly Times[], shown: ReadonlySet<number>): Part {
  if (times.length === 0) return html`<p>Nothing was answered.</p>`;
  const steps = ends(
    Math.min(...times.map(({ durations }) => durations[0] ?? 0)),
    Math.max(1, ...times.map(({ durations }) => durations.at(-1) ?? 0)),
  );
  const counts = times.map((one) => countsOf(one, steps));
  const highest = Math.max(1, ...counts.flat());
  const row = ({ operation, durations, slowest }: Times) => html`<tr><th scope="row">${operation}</th>
<td>${durations.length}</td><td>${milliseconds(quantile(durations, 0.5))}</td><td>${milliseconds(quantile(durations, 0.95))}</td>
<td>${shown.has(slowest) ? html`<a href="#r${slowest}">${milliseconds(durations.at(-1) ?? 0)}</a>` : milliseconds(durations.at(-1) ?? 0)}</td></tr>
`;
  const heads = ['operation', 'answers', 'median', '95 % within', 'slowest'];
  return html`<p class="note">From sending a request to the end of its answer. A bar is the number of answers that took as long, in all charts on one scale; the steps grow with the time.</p>
<div class="plots">${times.map((one, at) => plot(one, counts[at] ?? [], steps, highest))}</div>
<table class="times">
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${times.map(row)}</tbody>
</table>
`;
}

/** Pixels of the bars, and of the labels below them. */
const [HIGH, BELOW] = [72, 20];

/** Labels of an axis at most: more collide on a telephone. */
const LABELS = 5;

function plot(
  { operation, durations }: Times,
  counts: readonly number[],
  steps: readonly number[],
  highest: number,
): Part {
  const width = 100 / steps.length;
  const x = (index: number) => `${(index * width).toFixed(2)}%`;
  const bar = (count: number, index: number) => {
    if (count === 0) return '';
    const height = Math.max(2, Math.round((count / highest) * HIGH));
    return html`<rect class="wait" x="${x(index + 0.06)}" width="${(width * 0.88).toFixed(2)}%" y="${HIGH - height}" height="${height}"><title>${counted(count, 'answer')} in ${milliseconds(steps[index] ?? 0)} or less</title></rect>`;
  };
  const every = Math.ceil(steps.length / LABELS);
  const mark = (end: number, index: number) =>
    index > 0 &&
    (steps.length - 1 - index) % every === 0 &&
    html`<text class="step" x="${x(index + 1)}" y="${HIGH + 14}">${milliseconds(end).replace('.0', '')}</text>`;
  const words = `${operation}: ${counted(durations.length, 'answer')}, ${milliseconds(quantile(durations, 0.5))} in the median, ${milliseconds(durations.at(-1) ?? 0)} at most`;
  return html`<figure><figcaption>${operation} <span class="note">answers by the time that they took</span></figcaption>
<div class="plot"><div class="scale" aria-hidden="true"><span>${highest}</span><span>0</span></div>
<svg role="img" aria-label="${words}" width="100%" height="${HIGH + BELOW}">
<line x1="0" x2="100%" y1="0.5" y2="0.5"/><line x1="0" x2="100%" y1="${HIGH}" y2="${HIGH}"/>${counts.map(bar)}${steps.map(mark)}
</svg></div></figure>
`;
}

/** How many answers took as long as each step. */
function countsOf({ durations }: Times, steps: readonly number[]): number[] {
  return steps.map((end, index) => {
    const above = index === 0 ? -1 : (steps[index - 1] as number);
    return durations.filter((duration) => duration > above && duration <= end).length;
  });
}
