import { STATUS_CODES } from 'node:http';
import { constants, gzipSync } from 'node:zlib';
import type { WrittenHistory } from '../history/file.ts';
import { header, type ShownExchange } from '../http/exchange.ts';
import type { Guides } from '../requirement/guide.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { CreatedUser } from '../run/tally.ts';
import { EXCHANGES, type Report, type RunFacts, withoutContent } from './report.ts';
import { inertJson, roomOf } from './text.ts';

/** An exchange with the slugs of the requirements whose evidence it is. */
export type TracedExchange = { exchange: ShownExchange; requirements: string[] };

/** Puts the exchanges of a run together with the requirements that they are evidence of. Pure. */
export function trace(
  record: readonly ShownExchange[],
  outcomes: readonly Outcome[],
): TracedExchange[] {
  const found = new Map(
    record.map((exchange) => [exchange.id, { exchange, requirements: [] as string[] }] as const),
  );
  for (const { slug, lookedAt, exchanges } of outcomes) {
    for (const id of new Set([...lookedAt, ...exchanges.map((one) => one.id)]))
      found.get(id)?.requirements.push(slug);
  }
  return [...found.values()];
}

/** What came of a whole run: plain data, without the key, of which every report is made. */
export interface RunResult extends Pick<RunFile, 'created' | 'faults'> {
  report: Report;
  /** Every exchange, with the requirements whose evidence it is. */
  traced: TracedExchange[];
  /** What it takes to judge the run again; absent where the suite crashed before its end. */
  run?: RunFile;
  /** Guides to the requirements; absent where nothing failed. */
  guides?: Guides;
}

/**
 * The version of the file: it goes up when this version of the suite can no longer judge older
 * files.
 */
export const FORMAT = 3;

/** A run as it can be judged again, `run.json.gz`: see schemas/run.schema.json. */
export interface RunFile extends RunFacts {
  format: number;
  /** Slugs that a filter of the run left out. */
  leftOut: string[];
  /** The users that the run created, for cleaning up. */
  created: CreatedUser[];
  /** Everything that the checks read. */
  history: WrittenHistory;
  /**
   * A clause if another process listened at the address at the end of the run, so that nothing is
   * known.
   */
  stranger?: string;
  /** Why the suite itself crashed, a sentence each; the report says what was judged by then. */
  faults: string[];
}

/** The largest such file, packed and unpacked, in bytes. A usual run has 120 kB and 1.5 MB. */
export const LIMIT = { file: 8 * 2 ** 20, text: 64 * 2 ** 20 };

/** The bytes of the file. Throws where it would be too large to be read again. */
export function gzipped(run: RunFile): Buffer {
  const text = Buffer.from(inertJson(run, 0));
  const file = gzipSync(text, { level: constants.Z_BEST_SPEED });
  if (text.length > LIMIT.text || file.length > LIMIT.file)
    throw new Error('it is too large to be read again');
  return file;
}

const pairs = (entries: [string, string][]) => entries.map(([name, value]) => ({ name, value }));

/**
 * All exchanges of a run as an HTTP archive (HAR 1.2), which browsers' developer tools show over time. They are
 * redacted and shortened as everywhere. What HAR does not know begins with an underscore. The text comes in pieces: all
 * of it at once would take many times the memory.
 */
export function* harFile(
  traced: readonly TracedExchange[],
  { suite, target, start }: Report,
): Generator<string> {
  const sorted = [...traced].sort(
    (a, b) => a.exchange.at - b.exchange.at || a.exchange.id - b.exchange.id,
  );
  const { origin } = new URL(target.baseUrl);
  const textOf = (one: TracedExchange, exchange: ShownExchange) =>
    inertJson(entry({ ...one, exchange }, origin, Date.parse(start)), 0);
  const room = roomOf(EXCHANGES);
  const log = {
    version: '1.2',
    creator: { name: suite.name, version: suite.version },
    pages: [],
    entries: [],
  };
  const end = ']}}\n';
  yield inertJson({ log }, 0).slice(0, -end.length);
  for (const [index, one] of sorted.entries()) {
    const text =
      room(textOf(one, one.exchange), undefined) ?? textOf(one, withoutContent(one.exchange));
    yield index > 0 ? `,${text}` : text;
  }
  yield end;
}

function entry({ exchange, requirements }: TracedExchange, origin: string, start: number) {
  const { id, request, failure, at, duration, attempts, wait = duration } = exchange;
  const { method, path, headers, body } = request;
  // Developer tools show a status of 0 as a request that failed.
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
