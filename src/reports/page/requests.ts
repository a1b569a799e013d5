import type { ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { type Html, html } from '../html.ts';
import type { Report } from '../report.ts';
import type { Room } from '../room.ts';
import type { TracedExchange } from '../run-result.ts';
import { secondsText } from '../text.ts';
import { axisOf, chartPart } from './chart.ts';
import { linkTo, table } from './parts.ts';

/** Requests of the table: more than a usual run sends. */
const SHOWN = 500;

/** All requests of a run: when they were sent, how long the responses took, and a table of them. */
export function requestsPart({ target }: Report, traced: readonly TracedExchange[], room: Room): Html {
  const exchanges = traced.map(({ exchange }) => exchange).sort((a, b) => a.at - b.at || a.id - b.id);
  if (exchanges.length === 0)
    return html`<section><h2 id="requests">Requests</h2><p>No request was sent.</p></section>`;
  const axis = axisOf(exchanges);
  const pauses = axis.pauses.map(({ from, to }) => secondsText(to - from));
  return html`<section class="requests"><h2 id="requests">Requests</h2>
<p>${counted(exchanges.length, 'request')} in ${secondsText(axis.end)}.${pauses.length > 0 && ` Left out, at a gray line: ${counted(pauses.length, 'pause')} without requests (${pauses.join(', ')}).`}</p>
${chartPart(exchanges, axis)}
<h3>Response times</h3>
${timesTable(exchanges, new URL(target.baseUrl).pathname)}
${requestTable(traced, room)}</section>`;
}

/** How long the responses to each operation took, from sending a request to the end of its response. */
function timesTable(exchanges: readonly ShownExchange[], basePath: string): Html {
  const users = `${basePath.replace(/\/$/, '')}/users`;
  const operationOf = ({ request: { method, path } }: ShownExchange) => {
    if (path === users) return method === 'POST' ? 'Create a user' : 'List users';
    return method === 'GET' && path.startsWith(`${users}/`) ? 'Retrieve a user' : 'Other addresses';
  };
  const rows = ['List users', 'Create a user', 'Retrieve a user', 'Other addresses'].map((operation) => {
    const answered = exchanges
      .filter((one) => one.response !== undefined && operationOf(one) === operation)
      .sort((a, b) => a.duration - b.duration || b.id - a.id);
    const at = (share: number) => answered[Math.floor((answered.length - 1) * share)];
    const time = (share: number) => html`<td>${at(share)?.duration} ms</td>`;
    return (
      answered.length > 0 &&
      html`<tr><th scope="row">${operation}</th><td>${answered.length}</td>${time(0.5)}${time(0.95)}${time(1)}</tr>\n`
    );
  });
  return table(['operation', 'count', 'median', 'p95', 'max'], rows, 'numbers');
}

/** The first requests, as many as there is room for. */
function requestTable(traced: readonly TracedExchange[], room: Room): Html {
  const rows: Html[] = [];
  for (const { exchange, requirements } of traced.slice(0, SHOWN)) {
    const { id, request, response, failure, at, duration, attempts } = exchange;
    const [slug, ...more] = requirements;
    const evidence = slug !== undefined && (more.length === 0 ? linkTo(slug) : counted(more.length + 1, 'requirement'));
    const row = html`<tr><td>${id}</td><td>${at}</td><td>${request.method} ${shorten(request.path, 60)}</td><td>${response?.status ?? shorten(failure ?? 'none', 80)}${attempts > 1 && ` (sent ${attempts} times)`}</td><td>${duration}</td><td>${evidence}</td></tr>\n`;
    if (room(row, undefined) === undefined) break;
    rows.push(row);
  }
  const all = traced.length;
  const title =
    rows.length < all ? `The first ${rows.length} of the ${all} requests` : `All ${counted(all, 'request')}`;
  const heads = ['no.', 'at (ms)', 'request', 'response', 'took (ms)', 'evidence of'];
  return html`<details><summary>${title}</summary>
${table(heads, rows, '')}
${rows.length < all && html`<p class="note">exchanges.har has all of them.</p>`}</details>`;
}
