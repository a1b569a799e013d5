import { STATUS_CODES } from 'node:http';
import { constants, gzipSync } from 'node:zlib';
import type { WrittenHistory } from '../history/file.ts';
import { header, type ShownExchange } from '../http/exchange.ts';
import type { Outcome } from '../requirement/outcome.ts';
import type { CreatedUser } from '../run/tally.ts';
import { EXCHANGE_BYTES, type Report, type RunFacts, withoutContent } from './report.ts';
import { byteBudget, sanitizedJson } from './text.ts';

/** An exchange with the slugs of the requirements that it is evidence for. */
export interface TracedExchange {
  exchange: ShownExchange;
  requirements: string[];
}

/** Adds to each exchange of a run the requirements that it is evidence for. Pure. */
export function trace(
  record: readonly ShownExchange[],
  outcomes: readonly Outcome[],
): TracedExchange[] {
  const traced = new Map<number, TracedExchange>();
  for (const exchange of record) traced.set(exchange.id, { exchange, requirements: [] });
  for (const { slug, lookedAt, exchanges } of outcomes) {
    const evidence = new Set([...lookedAt, ...exchanges.map(({ id }) => id)]);
    for (const id of evidence) traced.get(id)?.requirements.push(slug);
  }
  return [...traced.values()];
}

/** Guides by the slugs of their requirements. */
export type Guides = Readonly<Record<string, { html: string }>>;

/** The result of a run: plain data, without the key. Every report is made from it. */
export interface RunResult extends Pick<RunFile, 'created' | 'faults'> {
  report: Report;
  /** Every exchange, with the requirements that it is evidence for. */
  traced: TracedExchange[];
  /** The file to judge the run again; absent if the suite crashed before the end of the run. */
  run?: RunFile;
  /** Guides by the slugs of their requirements; absent if nothing failed. */
  guides?: Guides;
}

/**
 * The version of `run.json.gz`. It increases when a version of the suite can no longer judge older
 * files.
 */
export const FORMAT = 4;

/** The file to judge a run again, `run.json.gz`: see schemas/run.schema.json. */
export interface RunFile extends RunFacts {
  format: number;
  /** The slugs that a filter left out of the run. */
  leftOut: string[];
  /** The users that the run created, for cleaning up. */
  created: CreatedUser[];
  /** Everything that the checks read. */
  history: WrittenHistory;
  /**
   * A clause on another process that listened at the address at the end of the run, which makes all
   * responses worthless as evidence.
   */
  stranger?: string;
  /** The errors of the suite itself, a sentence each; the report has the outcomes before them. */
  faults: string[];
}

/** The largest file, compressed and uncompressed, in bytes. A usual run has 120 kB and 1.5 MB. */
export const LIMIT = { file: 8 * 2 ** 20, text: 64 * 2 ** 20 };

/** Returns the bytes of the file. Throws if it would be too large to be read again. */
export function gzipped(run: RunFile): Buffer {
  const text = Buffer.from(sanitizedJson(run, 0));
  const file = gzipSync(text, { level: constants.Z_BEST_SPEED });
  if (text.length > LIMIT.text || file.length > LIMIT.file)
    throw new Error('it is too large to be read again');
  return file;
}

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
