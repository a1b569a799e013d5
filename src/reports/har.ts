import { STATUS_CODES } from 'node:http';
import { header } from '../http/exchange.ts';
import { byteBudget, EXCHANGE_BYTES, withoutContent } from './budget.ts';
import type { Report } from './report.ts';
import type { TracedExchange } from './run-result.ts';
import { sanitizedJson } from './text.ts';

/**
 * Returns all exchanges of a run as an HTTP archive (HAR 1.2), which the developer tools of a
 * browser show on a time axis. Names that HAR does not define begin with an underscore. The text
 * comes in pieces, because all of it at once would take many times the memory.
 */
export function* harFile(
  traced: readonly TracedExchange[],
  { suite, target, start }: Report,
): Generator<string> {
  const sorted = [...traced].sort(
    (a, b) => a.exchange.at - b.exchange.at || a.exchange.id - b.exchange.id,
  );
  const { origin } = new URL(target.baseUrl);
  const textOf = (traced: TracedExchange) =>
    sanitizedJson(harEntry(traced, origin, Date.parse(start)), 0);
  const budget = byteBudget(EXCHANGE_BYTES);
  const log = {
    version: '1.2',
    creator: { name: suite.name, version: suite.version },
    pages: [],
    entries: [],
  };
  const end = ']}}\n';
  yield sanitizedJson({ log }, 0).slice(0, -end.length);
  for (const [index, { exchange, requirements }] of sorted.entries()) {
    const text =
      budget(textOf({ exchange, requirements }), undefined) ??
      textOf({ exchange: withoutContent(exchange), requirements });
    yield index > 0 ? `,${text}` : text;
  }
  yield end;
}

function harEntry({ exchange, requirements }: TracedExchange, origin: string, start: number) {
  const { id, request, failure, at, duration, attempts, wait = duration } = exchange;
  const { method, path, headers, body } = request;
  // Developer tools show the status 0 as a failed request.
  const response = exchange.response ?? { status: 0, headers: [], body: '', bodyBytes: 0 };
  const address = path.startsWith('/') ? `${origin}${path}` : path;
  const url = address.replaceAll('<', '%3C').replaceAll('>', '%3E');
  return {
    startedDateTime: new Date(start + at).toISOString(),
    time: duration,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(Object.entries(headers)),
      queryString: pairs([...new URL(url).searchParams]),
      postData:
        body === undefined ? undefined : { mimeType: headers['content-type'] ?? '', text: body },
      headersSize: -1,
      bodySize: Buffer.byteLength(body ?? ''),
    },
    response: {
      status: response.status,
      statusText: STATUS_CODES[response.status] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response.headers),
      content: {
        size: response.bodyBytes,
        mimeType: header(exchange, 'content-type') ?? '',
        text: response.body,
      },
      redirectURL: header(exchange, 'location') ?? '',
      headersSize: -1,
      bodySize: -1,
      _error: failure,
    },
    cache: {},
    timings: { send: 0, wait, receive: Math.max(0, duration - wait) },
    comment: `exchange ${id}: ${requirements.join(', ')}`,
    _requirements: requirements,
    _attempts: attempts,
  };
}

const pairs = (entries: [string, string][]) => entries.map(([name, value]) => ({ name, value }));
