import type { ShownExchange } from '../../http/exchange.ts';
import { namedIn } from '../body.ts';
import { requestLines, responseLines } from '../exchange-text.ts';
import { type Html, html, type Value } from '../html.ts';
import { brief, repeat } from '../text.ts';

/** A request and its response in full, with what a finding names in it marked, and the command that sends it again. */
export function exchangePart(exchange: ShownExchange, origin: string, got: string, isOpen: boolean): Html {
  const { id, request, at, duration, attempts } = exchange;
  const command = repeat([exchange], origin);
  const again =
    command === undefined
      ? html`<p class="note">The request is too long for a command here.</p>`
      : html`<pre>${command}</pre>`;
  return html`<details class="exchange"${isOpen && html` open`}><summary>Request ${id}: ${brief(exchange)}</summary>
<p class="note">${at} ms after the start, took ${duration} ms${attempts > 1 && `, sent ${attempts} times`}</p>
<div class="row">${block(requestLines(request))}${block(responseLines(exchange), namedIn(got))}</div>
${again}
</details>
`;
}

/** Lines in which some values are marked. */
function block(lines: readonly string[], marked: ReadonlySet<string> = new Set()): Html {
  return html`<pre tabindex="0">${lines.map((line, at) => html`${at > 0 && '\n'}${markedLine(line, marked)}`)}</pre>`;
}

/** A line whose value, after the name of its member if it has one, is marked where it is one of these. */
function markedLine(line: string, marked: ReadonlySet<string>): Value {
  if (marked.has(/^\d{3}(?= |$)/.exec(line)?.[0] ?? '')) return html`<mark>${line}</mark>`;
  const [, before = '', value = '', comma = ''] = /^(\s*(?:"(?:[^"\\]|\\.)*": )?)(.*?)(,?)$/s.exec(line) ?? [];
  return marked.has(value) ? html`${before}<mark>${value}</mark>${comma}` : line;
}
