import { Buffer } from 'node:buffer';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { NotApplicable, NotVerified } from '../requirement/outcome.ts';
import { EXCERPT_LIMIT, HEADER_LIMIT, PATIENCE_MS, UNANSWERED_IN_A_ROW } from '../settings/limits.ts';
import type { Settings, Target } from '../settings/settings.ts';
import { readBody } from './body.ts';
import { type Answer, asksToWait, type Exchange, type Request, type Response } from './exchange.ts';
import { describeFailure, isClosedConnection, isKeptByProxy, TIMED_OUT } from './failure.ts';
import { fillIn, partRedaction, type Redact, redaction } from './key.ts';
import { Pace } from './pace.ts';
import { RunEnd } from './run-end.ts';

/** No answer came, or none that HTTP knows; `exchanges` holds the one that failed. */
export class NoAnswer extends NotVerified {}

/** Sends requests to one target, one exchange each, and keeps the record of all of them. */
export class Client {
  readonly origin: string;
  /** The base address's path without a slash at its end. */
  readonly basePath: string;
  readonly redact: Redact;
  /** Every exchange of the run, in the order of their ends. */
  readonly record: Exchange[] = [];
  /** Requests that went out, each attempt counted. */
  requestsSent = 0;
  /** When the run began: the zero of every exchange's `at`. */
  readonly started = new Date();
  /** The end of the run, if it comes before the checks are through. */
  readonly end: RunEnd;
  readonly #key: string;
  readonly #redactPart: (text: string) => string;
  readonly #timeoutMs: number;
  readonly #deadlineMs: number;
  readonly #bodyLimit: number;
  /** When an answer came that was neither 429 nor 503. */
  #lastServed = 0;
  readonly #started = performance.now();
  readonly #pace = new Pace();
  readonly #reads: Dispatcher = new EnvHttpProxyAgent();
  readonly #writes: Dispatcher;
  #exchanges = 0;
  #unansweredInARow = 0;
  #lastUnansweredAt = 0;
  #gone: string | undefined;

  /**
   * By default idle connections are kept for reads only: a POST that meets a closing server could not be repeated safely.
   * `writes` sends the POSTs where that can't happen.
   */
  constructor(
    target: Target,
    settings: Pick<Settings, 'timeoutMs' | 'deadlineMs' | 'bodyLimit'>,
    writes: Dispatcher = new EnvHttpProxyAgent({ pipelining: 0 }),
  ) {
    this.#writes = writes;
    const url = new URL(target.baseUrl);
    this.origin = url.origin;
    this.basePath = url.pathname.replace(/\/$/, '');
    this.#key = target.apiKey;
    this.#timeoutMs = settings.timeoutMs;
    this.end = new RunEnd(settings.deadlineMs);
    this.#deadlineMs = settings.deadlineMs;
    this.#bodyLimit = settings.bodyLimit;
    this.redact = redaction(target.apiKey);
    this.#redactPart = partRedaction(target.apiKey);
  }

  /** Milliseconds since the run began. */
  now(): number {
    return performance.now() - this.#started;
  }

  /**
   * Sends a request and reads the answer, whatever its status; 429 and 503 are waited out (RFC 6585 section 4, RFC 9110
   * section 15.6.4). Throws NoAnswer when none comes, NotVerified when the target asks for a longer wait than there is
   * time.
   */
  async send(request: Request): Promise<Answer> {
    this.#exchanges += 1;
    const exchange: Exchange = { id: this.#exchanges, request, at: 0, duration: 0, attempts: 0 };
    try {
      for (;;) {
        const answer = await this.#pace.take(() => this.#attempt(exchange), this.end.signal);
        if (!asksToWait(answer.status)) {
          this.#lastServed = this.now();
          return answer;
        }
        this.#slowDown(answer, this.#pace.pauseAfter(answer.retryAfter));
      }
    } catch (error) {
      if (error instanceof NotVerified || error instanceof NotApplicable) throw error;
      throw this.end.signal.aborted ? this.end.error() : error;
    } finally {
      if (exchange.attempts > 0) this.record.push(exchange);
    }
  }

  /** Waits for a target that asks for it. Throws NotVerified when it asks for too long, or too often. */
  #slowDown({ status, exchange }: Answer, pause: number): void {
    const nothingElse = this.now() - this.#lastServed;
    const tooLong = this.now() + pause >= this.#deadlineMs;
    if (!tooLong && nothingElse < PATIENCE_MS) {
      this.#pace.slowDown(pause);
      return;
    }
    const why = tooLong
      ? `asks to wait ${Math.round(pause / 1000)} s, which is longer than the run may take`
      : `has answered nothing else for ${Math.round(nothingElse / 1000)} s`;
    this.#gone = `the target answered ${status} and ${why}`;
    throw new NotVerified(this.#gone, [exchange]);
  }

  async close(): Promise<void> {
    this.end.clear();
    await Promise.all([this.#reads.destroy(), this.#writes.destroy()]);
  }

  async #attempt(exchange: Exchange): Promise<Answer & { retryAfter?: string }> {
    for (let mayRepeat = exchange.request.method === 'GET'; ; mayRepeat = false) {
      if (this.#gone !== undefined) throw new NoAnswer(this.#gone);
      exchange.at = Math.round(this.now());
      exchange.attempts += 1;
      this.requestsSent += 1;
      try {
        const answer = await this.#exchange(exchange);
        this.#unansweredInARow = 0;
        return answer;
      } catch (error) {
        // A kept connection may close just as the request goes out; a GET may then be sent once more.
        if (mayRepeat && isClosedConnection(error)) continue;
        throw this.#noAnswer(exchange, error);
      } finally {
        exchange.duration = Math.round(this.now() - exchange.at);
      }
    }
  }

  async #exchange(exchange: Exchange): Promise<Answer & { retryAfter?: string }> {
    // Not AbortSignal.timeout: one that is only held by AbortSignal.any may be collected before it fires.
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(new Error(TIMED_OUT)), this.#timeoutMs);
    const end = () => abort.abort();
    this.end.signal.addEventListener('abort', end);
    try {
      return await this.#request(exchange, abort.signal);
    } finally {
      clearTimeout(timer);
      this.end.signal.removeEventListener('abort', end);
    }
  }

  async #request(exchange: Exchange, signal: AbortSignal): Promise<Answer & { retryAfter?: string }> {
    const { method, path, headers, body } = exchange.request;
    const dispatcher = method === 'GET' ? this.#reads : this.#writes;
    const answer = await dispatcher.request({
      origin: this.origin,
      method,
      path: fillIn(path, this.#key, encodeURIComponent),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, fillIn(value, this.#key)] as const),
      ),
      body: body === undefined ? null : fillIn(body, this.#key, (value) => JSON.stringify(value).slice(1, -1)),
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
      responseHeaders: 'raw',
    });
    exchange.wait = Math.round(this.now() - exchange.at);
    // With 'raw' the headers come as a flat list of names and values, which undici's types do not say.
    const received = pairs(answer.headers as unknown as (string | Buffer)[]);
    return this.#answer(exchange, answer.statusCode, received, answer.body);
  }

  async #answer(exchange: Exchange, status: number, received: [string, string][], data: AsyncIterable<Buffer>) {
    const value = (name: string) => received.find(([field]) => field.toLowerCase() === name)?.[1];
    const body = await readBody(data, value('content-encoding') ?? '', this.#bodyLimit);
    const response: Response = {
      status,
      headers: received.map(([name, text]) => [this.redact(name), this.#redactPart(this.redact(text, HEADER_LIMIT))]),
      body: ofItsOwn(this.redact(body.text, EXCERPT_LIMIT)),
      bodyBytes: body.bytes,
      ...(body.fault !== undefined && { jsonFault: this.redact(body.fault) }),
      byteOrderMark: body.byteOrderMark,
      keyInBody: this.#shows(body.text),
      keyInHeader: received.some(([, text]) => this.#shows(text)),
    };
    exchange.response = response;
    const retryAfter = value('retry-after');
    const ok = status >= 200 && status < 300;
    const answer: Answer = { exchange, status, ok, json: body.value, refusal: ok ? '' : body.text };
    return retryAfter === undefined ? answer : { ...answer, retryAfter };
  }

  #shows(text: string): boolean {
    return text.includes(this.#key) || text.includes(JSON.stringify(this.#key).slice(1, -1).replaceAll('/', '\\/'));
  }

  #noAnswer(exchange: Exchange, error: unknown): NotVerified | NotApplicable {
    if (isKeptByProxy(error)) return new NotApplicable('the proxy of the environment keeps this header to itself');
    if (this.end.signal.aborted) return this.end.error();
    exchange.failure = this.redact(describeFailure(error, this.origin, this.#timeoutMs));
    // Requests that were under way together and got no answer count as one: a later one may well be answered.
    if (exchange.at >= this.#lastUnansweredAt) {
      this.#unansweredInARow += 1;
      this.#lastUnansweredAt = this.now();
    }
    const message = `the target gave no answer: ${exchange.failure}`;
    // Nothing was answered at all, or nothing any more: the rest of the run need not wait for as many time-outs.
    if (this.record.length === 0 || this.#unansweredInARow >= UNANSWERED_IN_A_ROW) this.#gone = message;
    return new NoAnswer(message, [exchange]);
  }
}

/** A copy: a part of a string keeps the whole in memory, and every list of a run would stay there for its excerpt. */
function ofItsOwn(text: string): string {
  return Buffer.from(text).toString();
}

function pairs(flat: (string | Buffer)[]): [string, string][] {
  const texts = flat.map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('latin1')));
  return texts.flatMap((name, index) => (index % 2 === 0 ? [[name, texts[index + 1] ?? ''] as [string, string]] : []));
}
