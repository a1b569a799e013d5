import type { Request } from './exchange.ts';
import { linesOf } from './lists.ts';
import { Unreadable } from './unreadable.ts';

const CLIENT_CERTIFICATE =
  ': does the server ask for a client certificate, or for another (CONFORMANCE_CLIENT_CERT)?';

/** What the code of a failed connection means, and what to look at: a pattern of the code, and a sentence. */
const SENTENCES = linesOf('failures').map(
  (line) => line.split(/ (.*)/) as [pattern: string, sentence: string],
);

/** undici takes every interim answer but this one for what it is. */
const INTERIM =
  "the target sent an unsolicited 100 (Continue), which the suite's HTTP client does not support";

/** Says whether a proxy is set in the environment, as undici reads it. */
const PROXIED = ['http_proxy', 'https_proxy'].some(
  (name) => process.env[name] || process.env[name.toUpperCase()],
);

/**
 * One sentence on why no answer came from `origin`, made from the error's code: its own properties, and those of its
 * causes, may carry the key. Behind a proxy the sentence says so. `isFirst`: nothing was answered before.
 */
export function describeFailure(
  error: unknown,
  origin: string,
  timeoutMs: number,
  isFirst = true,
): string {
  const { code, message } = rootOf(error);
  if (error instanceof Unreadable) return error.message;
  if (isTimeout(error)) return `${SILENT} within ${timeoutMs} ms from ${origin}`;
  const proxy = PROXIED
    ? '; a proxy is set (HTTP_PROXY, HTTPS_PROXY), NO_PROXY names the hosts that need none'
    : '';
  if (code === 'UND_ERR_SOCKET' && message === 'bad response') return INTERIM;
  const [, sentence] =
    SENTENCES.find(([pattern]) => new RegExp(`^(${pattern})$`).test(`${code}`)) ?? [];
  // Some servers close a connection without a word where they want another protocol, or a certificate: then nothing is
  // answered.
  const advice = origin.startsWith('https:')
    ? CLIENT_CERTIFICATE
    : ': should BASE_URL begin with https://?';
  const hint = code === 'UND_ERR_SOCKET' && isFirst ? advice : '';
  if (sentence !== undefined) return `${sentence}${hint} (${origin}${proxy})`;
  if (/^HPE_/.test(`${code}`) || (error as Error).name === 'HTTPParserError')
    return describeParseError(`${message}`, `${code ?? ''}`, origin);
  return `${message}${code ? ` (${code})` : ''}${proxy}`;
}

/** The parser's reason for a response that does not begin as HTTP does, such as a TLS alert. */
const NO_HTTP = /^(Expected HTTP|Invalid HTTP version)/;

/** One sentence on a response that the HTTP parser rejects, in the parser's own words. */
function describeParseError(message: string, code: string, origin: string): string {
  const [, reason] = /\((.+)\)$/.exec(message) ?? [];
  if (reason === undefined || NO_HTTP.test(reason))
    return `the response is not HTTP${code && ` (${code})`}: should BASE_URL, ${origin}, begin with https://?`;
  return `the response is not valid HTTP/1.1: ${reason} (RFC 9112; ${origin})`;
}

const SILENT = 'no complete response';

/** Whether a status is that of a gateway that got no answer itself (RFC 9110, sections 15.6.3 and 15.6.5). */
export const isGateways = (status: number): boolean => status === 502 || status === 504;

/** How the sentence on an answer of a gateway begins. */
export const GATEWAY = 'a gateway responded';

/** Whether a request was taken and never answered, by the sentence on it. */
export const isSilent = (failure = ''): boolean => failure.startsWith(SILENT);

/**
 * Whether something took a request and gave no answer, or a gateway's, by the sentence on it: a connection that is
 * refused is none.
 */
export const isTaken = (failure = ''): boolean => isSilent(failure) || failure.startsWith(GATEWAY);

/** Whether the time for an answer was over. */
export const isTimeout = (error: unknown): boolean => (error as Error).name === 'TimeoutError';

/** Whether a request could not be made because a proxy of the user's own takes its credentials header for itself. */
export const isKeptByProxy = (error: unknown) =>
  /^Proxy-Authorization should be sent/.test((error as Error).message);

const CLOSED = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** Whether a connection was closed before the answer was complete. */
export const isClosedConnection = (error: unknown) =>
  CLOSED.test(`${(error as NodeJS.ErrnoException).code}`);

/** The innermost cause that has a code. */
function rootOf(error: unknown): NodeJS.ErrnoException {
  let root = error as NodeJS.ErrnoException;
  for (let inner = root.cause; inner instanceof Error; inner = inner.cause)
    if (root.code === undefined || 'code' in inner) root = inner;
  return root;
}

/** How often a request is sent before its answer counts as missing: on a kept connection, then on new ones. */
export const ATTEMPTS = 3;

/** How many requests of a run are sent again after a time-out. */
const TIMEOUTS_REPEATED = 2;

/** Tells which requests that got no answer are sent again. */
export class Repeats {
  #timeouts = 0;

  /**
   * Whether a request may be sent again after so many attempts, and may be expected to get an answer. `error` is why it
   * got none; undefined after a gateway's answer.
   */
  may({ method }: Request, attempts: number, error: unknown, anythingAnswered: boolean): boolean {
    if (attempts >= ATTEMPTS) return false;
    // A queue of connections that was full has room by now.
    if (error !== undefined && rootOf(error).code === 'UND_ERR_CONNECT_TIMEOUT')
      return anythingAnswered;
    if (method === 'POST') return false;
    if (error === undefined || isClosedConnection(error)) return true;
    if (!isTimeout(error) || !anythingAnswered) return false;
    // A target that keeps silent costs the whole time-out each time.
    this.#timeouts += 1;
    return this.#timeouts <= TIMEOUTS_REPEATED;
  }
}
