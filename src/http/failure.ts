import { nameOf } from '../settings/names.ts';
import type { Request } from './exchange.ts';
import { Unreadable } from './unreadable.ts';

/** The codes of a failed connection, each with its meaning and what to look at. */
const sentences = (): [code: RegExp, sentence: string][] => {
  const address = nameOf('BASE_URL');
  const certificate = nameOf('CONFORMANCE_CLIENT_CERT');
  return [
    [/^ECONNREFUSED$/, `connection refused: is the service running, and is ${address} right?`],
    [/^(ENOTFOUND|EAI_AGAIN)$/, `the host name does not resolve: is ${address} right?`],
    [/^(EHOSTUNREACH|ENETUNREACH)$/, `the host is unreachable: is ${address} right?`],
    [
      /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
      'no connection could be made in time: is the host reachable?',
    ],
    [/^EMFILE$/, 'too many open files and connections: raise the limit (`ulimit -n 1024`)'],
    [/^ENFILE$/, 'the system has too many open files and connections'],
    [/^EADDRNOTAVAIL$/, 'this machine has no free port for a connection'],
    [/^ECONNRESET$/, 'the connection was reset'],
    [/^UND_ERR_SOCKET$/, 'the connection was closed before the response was complete'],
    [/^UND_ERR_HEADERS_OVERFLOW$/, 'the response headers are larger than the suite reads'],
    [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'the body is not as long as its Content-Length says'],
    [
      /SELF_SIGNED_CERT|^UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/,
      `the certificate's issuer is not trusted: if it is your own authority, name the file of its certificate in ${nameOf('CONFORMANCE_CA')}`,
    ],
    [
      /^ERR_SSL_.*ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/,
      `the server asks for a client certificate: ${certificate} and ${nameOf('CONFORMANCE_CLIENT_KEY')} name its files`,
    ],
    [/^ERR_SSL_.*ALERT_UNKNOWN_CA$/, `the server does not trust the certificate of ${certificate}`],
    [/^CERT_HAS_EXPIRED$/, 'the certificate has expired'],
    [
      /^ERR_TLS_CERT_ALTNAME_INVALID$/,
      `the certificate is for another host name: is ${address} right?`,
    ],
    [
      /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
      `the port does not speak TLS: should ${address} begin with http://?`,
    ],
  ];
};

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
  const [, sentence] = sentences().find(([pattern]) => pattern.test(`${code}`)) ?? [];
  // Some servers close a connection without a word where they want another protocol, or a certificate: then nothing is
  // answered.
  const advice = origin.startsWith('https:')
    ? `: does the server ask for a client certificate, or for another (${nameOf('CONFORMANCE_CLIENT_CERT')})?`
    : `: should ${nameOf('BASE_URL')} begin with https://?`;
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
    return `the response is not HTTP${code && ` (${code})`}: should ${nameOf('BASE_URL')}, ${origin}, begin with https://?`;
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
