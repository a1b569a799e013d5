import { STATUS_CODES } from 'node:http';
import { header, type ShownExchange } from '../http/exchange.ts';
import { urlOf } from './exchange-text.ts';
import { EXCHANGES, type Report, roomOf, withoutContent } from './report.ts';
import type { TracedExchange } from './run-result.ts';
import { inertJson } from './text.ts';

const pairs = (entries: [string, string][]) => entries.map(([name, value]) => ({ name, value }));

/**
 * All exchanges of a run as an HTTP archive (HAR 1.2), which browsers' developer tools show over time. They are redacted
 * and shortened as everywhere. What HAR does not know begins with an underscore. The bytes are made entry by entry: one text of
 * all would take many times the memory.
 */
export function harFile(
  traced: readonly TracedExchange[],
  { suite, target, start }: Pick<Report, 'suite' | 'target' | 'start'>,
): Buffer {
  const sorted = [...traced].sort((a, b) => a.exchange.at - b.exchange.at || a.exchange.id - b.exchange.id);
  const { origin } = new URL(target.baseUrl);
  const bytesOf = (one: TracedExchange, exchange: ShownExchange) =>
    Buffer.from(inertJson(entry({ ...one, exchange }, origin, Date.parse(start)), 0));
  const room = roomOf(EXCHANGES);
  const entries = sorted.flatMap((one, index) => {
    const bytes = bytesOf(one, one.exchange);
    const shown = room(bytes, undefined, bytes.length) ?? bytesOf(one, withoutContent(one.exchange));
    return index > 0 ? [Buffer.from(','), shown] : [shown];
  });
  const log = { version: '1.2', creator: { name: suite.name, version: suite.version }, pages: [], entries: [] };
  const head = inertJson({ log }, 0);
  const at = head.lastIndexOf(']');
  return Buffer.concat([Buffer.from(head.slice(0, at)), ...entries, Buffer.from(head.slice(at))]);
}

function entry({ exchange, requirements }: TracedExchange, origin: string, start: number) {
  const { id, request, response, failure, at, duration, attempts, wait = duration } = exchange;
  const url = urlOf(request, origin).replaceAll('<', '%3C').replaceAll('>', '%3E');
  const { searchParams } = new URL(url);
  return {
    startedDateTime: new Date(start + at).toISOString(),
    time: duration,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(Object.entries(request.headers)),
      queryString: pairs([...searchParams]),
      ...(request.body !== undefined && {
        postData: { mimeType: request.headers['content-type'] ?? '', text: request.body },
      }),
      headersSize: -1,
      bodySize: Buffer.byteLength(request.body ?? ''),
    },
    response: {
      // Developer tools show a status of 0 as a request that failed.
      status: response?.status ?? 0,
      statusText: STATUS_CODES[response?.status ?? 0] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers ?? []),
      content: {
        size: response?.bodyBytes ?? 0,
        mimeType: header(exchange, 'content-type') ?? '',
        text: response?.body ?? '',
      },
      redirectURL: header(exchange, 'location') ?? '',
      headersSize: -1,
      bodySize: -1,
      ...(failure !== undefined && { _error: failure }),
    },
    cache: {},
    timings: { send: 0, wait, receive: Math.max(0, duration - wait) },
    comment: `exchange ${id}: ${requirements.join(', ')}`,
    _requirements: requirements,
    _attempts: attempts,
  };
}
