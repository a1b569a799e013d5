import type { ShownExchange } from '../../http/exchange.ts';
import { KEY } from '../../http/key.ts';
import { shorten } from '../../http/value.ts';
import { bodyText, brief, inert, inertLine } from '../text.ts';

/**
 * An exchange as Allure's HTTP exchange (schema version 1). The type of a body is never the target's word, so that nothing is
 * rendered. `start` is the run's, milliseconds since 1970.
 */
export function httpExchange(
  { request, response, failure, at, duration }: ShownExchange,
  origin: string,
  start: number,
) {
  const fields = (headers: [string, string][]) => headers.map(([name, value]) => ({ name, value: inertLine(value) }));
  const body = (text: string, isJson: boolean) => ({
    contentType: isJson ? 'application/json' : 'text/plain',
    encoding: 'utf8',
    value: inert(text),
  });
  return {
    schemaVersion: 1,
    start: start + at,
    stop: start + at + duration,
    request: {
      method: request.method,
      url: inertLine(`${origin}${request.path}`),
      headers: fields(Object.entries(request.headers)),
      ...(request.body && { body: body(request.body, true) }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: fields(response.headers),
        ...(response.body && {
          body: { ...body(bodyText(response), response.jsonFault === undefined), size: response.bodyBytes },
        }),
      },
    }),
    ...(response === undefined && { error: { name: 'No answer', message: inert(failure ?? 'the run ended') } }),
  };
}

/** What is the same in almost every request. */
const USUAL = { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${KEY}` };

/** An exchange in one line that tells it from others of its check: number, request, status, and what is unusual. */
export function exchangeName(exchange: ShownExchange): string {
  const { headers, body } = exchange.request;
  const unusual = Object.entries(headers)
    .filter(([name, value]) => value !== USUAL[name as keyof typeof USUAL])
    .map(([name, value]) => `${name}: ${shorten(value, 60)}`);
  if (!Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) unusual.push('no Authorization');
  if (body !== undefined) unusual.push(body === '' ? 'empty body' : shorten(body, 80));
  return inertLine([`#${exchange.id} ${brief(exchange, 100)}`, ...unusual].join(' · '));
}
