import { STATUS_CODES } from 'node:http';
import type { Connection, Request, Response, ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { type Html, html } from '../html.ts';
import { repeat } from '../text.ts';
import { bodyLines, namedIn } from './body.ts';
import { foldedLines } from './folded.ts';

/** Characters of a body, a path or a failure; of a header, and how many of them; of a command, of which a part is of no use. */
const [BODY, HEADER, HEADERS, CURL] = [1200, 200, 20, 8000];

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

const CONNECTIONS: Partial<Record<Connection, string>> = { kept: 'a reused connection', new: 'a new connection' };

function requestLines({ method, path, headers, body, framing, connection }: Request): string[] {
  return [
    `${method} ${shorten(path, BODY)}`,
    ...headerLines(Object.entries(headers)),
    ...(framing === undefined ? [] : [`(body sent as ${framing})`]),
    ...(connection === undefined
      ? []
      : [`(on ${CONNECTIONS[connection] ?? connection.replace('lane', 'connection')})`]),
    ...(body === undefined ? [] : ['', ...(body === '' ? ['(empty body)'] : bodyLines(shorten(body, BODY)))]),
  ];
}

function responseLines({ response, failure }: ShownExchange): string[] {
  const why = failure === undefined ? [] : [shorten(failure, BODY)];
  if (response === undefined) return [['no response', ...why].join(': ')];
  return [...why.flatMap((one) => [one, '']), ...whole(response)];
}

function whole({ status, headers, body, bodyBytes }: Response): string[] {
  const head = [`${status} ${STATUS_CODES[status] ?? ''}`.trim(), ...headerLines(headers), ''];
  if (bodyBytes === 0) return [...head, '(no body)'];
  const shown = body.slice(0, BODY);
  const isCut = Buffer.byteLength(shown) < bodyBytes;
  return [...head, ...bodyLines(shown, isCut), ...(isCut ? [`… (${bodyBytes} bytes)`] : [])];
}

function headerLines(headers: [string, string][]): string[] {
  const lines = headers.slice(0, HEADERS).map(([name, value]) => `${shorten(name, 60)}: ${shorten(value, HEADER)}`);
  const left = headers.length - lines.length;
  return left === 0 ? lines : [...lines, `(${counted(left, 'more header')})`];
}
