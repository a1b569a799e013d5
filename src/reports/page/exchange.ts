import type { ShownExchange } from '../../http/exchange.ts';
import { namedIn } from '../body.ts';
import { requestLines, responseLines } from '../exchange-text.ts';
import { type Html, html } from '../html.ts';
import { repeat } from '../text.ts';
import { foldedLines } from './folded.ts';

/** Characters of a command, of which a part is of no use. */
const CURL = 8000;

/** A request and its response in full, with what a finding names in it marked, and the command that sends it again. */
export function exchangePart(exchange: ShownExchange, origin: string, got = ''): Html {
  const { id, request, at, duration, attempts } = exchange;
  const command = repeat([exchange], origin);
  const again =
    command === undefined || command.length > CURL
      ? html`<p class="note">The request is too long for a command here.</p>`
      : html`<pre><code>${command}</code></pre>`;
  return html`<div class="exchange">
<p>Request ${id} <span class="note">${at} ms after the start, took ${duration} ms${attempts > 1 && `, sent ${attempts} times`}</span></p>
<div class="row"><div><h4>Request</h4>${foldedLines(requestLines(request))}</div><div><h4>Response</h4>${foldedLines(responseLines(exchange), namedIn(got))}</div></div>
<h4>Repeat it with curl</h4>
${again}
</div>
`;
}
