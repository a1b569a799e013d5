import { STATUS_CODES } from 'node:http';
import type { Connection, Request, Response, ShownExchange } from '../../http/exchange.ts';
import { shorten } from '../../http/value.ts';
import { counted } from '../../verdict/verdict.ts';
import { html } from '../html.ts';
import { curl } from '../text.ts';
import { bodyLines, namedIn } from './body.ts';
import type { Bounds } from './bounds.ts';
import type { Part } from './document.ts';
import { foldedLines } from './folded.ts';
import { milliseconds, seconds } from './units.ts';

/** An exchange in full: what was sent, what came back with what a finding names in it marked, and the command that sends it again. */
export function exchangePart(exchange: ShownExchange, origin: string, bounds: Bounds, got = ''): Part {
  const { id, request } = exchange;
  const again = curl(exchange, origin);
  const command =
    again.length > bounds.curl
      ? html`<p class="note">The command that repeats it has ${again.length} characters: exchanges.har has the request.</p>`
      : html`<div class="repeat"><pre><code>${again}</code></pre><button type="button" class="copy" hidden>Copy</button></div>`;
  return html`<div class="exchange">
<p><a href="#r${id}">Request ${id}</a> <span class="note">${timing(exchange)}</span></p>
<div class="sides"><div><h4>Sent</h4>${foldedLines(sentLines(request, bounds))}</div><div><h4>Answer</h4>${foldedLines(answerLines(exchange, bounds), namedIn(got))}</div></div>
<h4>Repeat it</h4>
${command}
</div>
`;
}

/** When a request was sent and how long it took, in words. */
export function timing({ at, duration, wait, attempts }: ShownExchange): string {
  const took =
    wait === undefined
      ? `${milliseconds(duration)} without an answer`
      : `waiting ${milliseconds(wait)}, receiving ${milliseconds(Math.max(0, duration - wait))}`;
  return [`at ${seconds(at)}`, took, ...(attempts > 1 ? [`sent ${attempts} times`] : [])].join(', ');
}

const LANES: Partial<Record<Connection, string>> = { kept: 'a kept connection', new: 'a new connection' };

function sentLines({ method, path, headers, body, framing, connection }: Request, bounds: Bounds): string[] {
  const unusual = [
    ...(framing === undefined ? [] : [`body sent as ${framing}`]),
    ...(connection === undefined ? [] : [`on ${LANES[connection] ?? connection.replace('lane', 'connection')}`]),
  ];
  return [
    `${method} ${shorten(path, bounds.body)}`,
    ...headerLines(Object.entries(headers), bounds),
    ...unusual.map((one) => `(${one})`),
    ...(body === undefined ? [] : ['', ...(body === '' ? ['(empty body)'] : bodyLines(shorten(body, bounds.body)))]),
  ];
}

function answerLines({ response, failure }: ShownExchange, bounds: Bounds): string[] {
  const why = failure === undefined ? [] : [shorten(failure, bounds.text)];
  if (response === undefined) return [['no answer', ...why].join(': ')];
  return [...why.flatMap((one) => [one, '']), ...whole(response, bounds)];
}

function whole(response: Response, bounds: Bounds): string[] {
  const { status, headers, body, bodyBytes } = response;
  const head = [`${status} ${STATUS_CODES[status] ?? ''}`.trim(), ...headerLines(headers, bounds), ''];
  if (bodyBytes === 0) return [...head, '(no body)'];
  const shown = body.slice(0, bounds.body);
  const isCut = Buffer.byteLength(shown) < bodyBytes;
  return [...head, ...bodyLines(shown, isCut), ...(isCut ? [`… (${bodyBytes} bytes)`] : [])];
}

function headerLines(headers: [string, string][], { headers: most, header }: Bounds): string[] {
  const lines = headers.slice(0, most).map(([name, value]) => `${shorten(name, 60)}: ${shorten(value, header)}`);
  const left = headers.length - lines.length;
  return left === 0 ? lines : [...lines, `(${counted(left, lines.length ? 'further header' : 'header')})`];
}
