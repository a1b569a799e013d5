import { STATUS_CODES } from 'node:http';
import type { Connection, Request, Response, ShownExchange } from '../http/exchange.ts';
import { shorten } from '../http/value.ts';
import { counted } from '../verdict/verdict.ts';
import { bodyLines } from './body.ts';
import { inert, repeat } from './text.ts';

/** Characters of a body, a path or a failure; of a header, and how many of them. */
const [BODY, HEADER, HEADERS] = [1200, 200, 20];

/** An exchange as text for people: what was sent, what came back, how to repeat it. */
export function exchangeText(exchange: ShownExchange, origin: string): string {
  const line = repeat([exchange], origin);
  const again = line === undefined ? [] : ['', `Repeat it with: ${line}`];
  return inert([...requestLines(exchange.request), '', ...responseLines(exchange), ...again].join('\n'));
}

const CONNECTIONS: Partial<Record<Connection, string>> = { kept: 'a reused connection', new: 'a new connection' };

/** A request, a line for each part of it. */
export function requestLines({ method, path, headers, body, framing, connection }: Request): string[] {
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

/** What came of a request, a line for each part of it. */
export function responseLines({ response, failure }: ShownExchange): string[] {
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
