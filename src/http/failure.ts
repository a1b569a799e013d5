import { nameOf } from '../settings/names.ts';
import type { Request } from './exchange.ts';
import { Unreadable } from './unreadable.ts';

/** A pattern of error codes, and the sentence that explains them. */
interface Explanation {
  pattern: RegExp;
  sentence: string;
}

/** Returns explanations of failed connections; each names a thing to look at. */
function explanations(): Explanation[] {
  const address = nameOf('BASE_URL');
  const ca = nameOf('CONFORMANCE_CA');
  const certificate = nameOf('CONFORMANCE_CLIENT_CERT');
  const certificateKey = nameOf('CONFORMANCE_CLIENT_KEY');
  return [
    {
      pattern: /^ECONNREFUSED$/,
      sentence: `connection refused: is the service running, and is ${address} right?`,
    },
    {
      pattern: /^(ENOTFOUND|EAI_AGAIN)$/,
      sentence: `the host name does not resolve: is ${address} right?`,
    },
    {
      pattern: /^(EHOSTUNREACH|ENETUNREACH)$/,
      sentence: `the host is unreachable: is ${address} right?`,
    },
    {
      pattern: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/,
      sentence: 'no connection could be made in time: is the host reachable?',
    },
    {
      pattern: /^EMFILE$/,
      sentence: 'too many open files and connections: raise the limit (`ulimit -n 1024`)',
    },
    {
      pattern: /^ENFILE$/,
      sentence: 'the system has too many open files and connections',
    },
    {
      pattern: /^EADDRNOTAVAIL$/,
      sentence: 'this machine has no free port for a connection',
    },
    { pattern: /^(ECONNRESET|EPIPE)$/, sentence: 'the connection was reset' },
    {
      pattern: /^UND_ERR_SOCKET$/,
      sentence: 'the connection was closed before the response was complete',
    },
    {
      pattern: /^UND_ERR_HEADERS_OVERFLOW$/,
      sentence: 'the response headers are larger than the suite reads',
    },
    {
      pattern: /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/,
      sentence: 'the body is not as long as its Content-Length says',
    },
    // undici asserts that the status is not below 100.
    { pattern: /^ERR_ASSERTION$/, sentence: 'the response is not valid HTTP/1.1' },
    {
      pattern: /SELF_SIGNED_CERT|^UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/,
      sentence: `the certificate's issuer is not trusted: if it is your own authority, name the file of its certificate in ${ca}`,
    },
    {
      pattern: /^ERR_SSL_.*ALERT_(CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/,
      sentence: `the server asks for a client certificate: ${certificate} and ${certificateKey} name its files`,
    },
    {
      pattern: /^ERR_SSL_.*ALERT_UNKNOWN_CA$/,
      sentence: `the server does not trust the certificate of ${certificate}`,
    },
    { pattern: /^CERT_HAS_EXPIRED$/, sentence: 'the certificate has expired' },
    {
      pattern: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
      sentence: `the certificate is for another host name: is ${address} right?`,
    },
    {
      pattern: /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
      sentence: `the port does not speak TLS: should ${address} begin with http://?`,
    },
  ];
}

/** The message of undici's error for a 101 that no request asked for. */
export const BAD_UPGRADE = 'bad upgrade';

/** Interim responses that undici does not accept, by the messages of its errors. */
const UNSOLICITED = new Map([
  ['bad response', '100 (Continue)'],
  [BAD_UPGRADE, '101 (Switching Protocols)'],
]);

/** Whether an error, as explained, says that the target sent a 101. */
export const isSwitch = ({ message }: Error): boolean => message.includes('unsolicited 101');

/** Returns the error for an interim response that undici does not accept; any other as it is. */
export function explainUnsolicited(error: Error): Error {
  const response = UNSOLICITED.get(error.message);
  if (response === undefined) return error;
  return new Unreadable(
    `the target sent an unsolicited ${response}, which the suite's HTTP client does not support`,
  );
}

/** Whether the environment sets a proxy, as undici reads it. */
const HAS_PROXY = ['http_proxy', 'https_proxy'].some(
  (name) => process.env[name] || process.env[name.toUpperCase()],
);

const PROXY_HINT =
  '; a proxy is set (HTTP_PROXY, HTTPS_PROXY), NO_PROXY names the hosts that need none';

/**
 * Describes in one sentence why `origin` sent no response. The sentence is made from the error's
 * code, because other properties of an error and of its causes may contain the key. `isFirst`:
 * nothing responded before.
 */
export function describeFailure(
  error: unknown,
  origin: string,
  timeoutMs: number,
  isFirst = true,
): string {
  if (error instanceof Unreadable) return error.message;
  if (isTimeout(error)) return `${SILENT} within ${timeoutMs} ms from ${origin}`;
  const { code, message } = rootOf(error);
  const proxyHint = HAS_PROXY ? PROXY_HINT : '';
  if (isRefused(error) && !isFirst) return `connections are refused (${origin}${proxyHint})`;
  const explanation = explanations().find(({ pattern }) => pattern.test(`${code}`));
  if (explanation !== undefined) {
    const hint = code === 'UND_ERR_SOCKET' && isFirst ? protocolHint(origin) : '';
    return `${explanation.sentence}${hint} (${origin}${proxyHint})`;
  }
  if (isParseError(error, code)) return describeParseError(`${message}`, code ?? '', origin);
  const codeNote = code ? ` (${code})` : '';
  return `${message}${codeNote}${proxyHint}`;
}

/**
 * Returns the likeliest reason for a connection that is closed without a response: some servers
 * close it when they expect TLS or another client certificate.
 */
function protocolHint(origin: string): string {
  if (!origin.startsWith('https:')) return `: should ${nameOf('BASE_URL')} begin with https://?`;
  const certificate = nameOf('CONFORMANCE_CLIENT_CERT');
  return `: does the server ask for a client certificate, or for another (${certificate})?`;
}

const isParseError = (error: unknown, code: string | undefined): boolean =>
  /^HPE_/.test(`${code}`) || (error as Error).name === 'HTTPParserError';

/** The parser's reason for a response that does not begin as HTTP does, such as a TLS alert. */
const NO_HTTP = /^(Expected HTTP|Invalid HTTP version)/;

/** Describes a response that the HTTP parser rejects, in the parser's own words. */
function describeParseError(message: string, code: string, origin: string): string {
  const [, reason] = /\((.+)\)$/.exec(message) ?? [];
  if (reason === undefined || NO_HTTP.test(reason)) {
    const codeNote = code && ` (${code})`;
    const address = nameOf('BASE_URL');
    return `the response is not HTTP${codeNote}: should ${address}, ${origin}, begin with https://?`;
  }
  return `the response is not valid HTTP/1.1: ${reason} (RFC 9112; ${origin})`;
}

/** The beginning of the sentence on a timeout. */
const SILENT = 'no complete response';

/** The beginning of the sentence on a gateway's response. */
export const GATEWAY = 'a gateway responded';

/** Whether a gateway got no response itself (RFC 9110, sections 15.6.3 and 15.6.5). */
export const isGatewayStatus = (status: number): boolean => status === 502 || status === 504;

/** Whether the sentence on a failure says that the request timed out. */
export const isSilent = (failure = ''): boolean => failure.startsWith(SILENT);

/** Whether an error says that nothing listens at the address. */
export const isRefused = (error: unknown): boolean => rootOf(error).code === 'ECONNREFUSED';

/** Whether the sentence on a failure says that the connection was closed. */
export const isClosed = (failure = ''): boolean =>
  /^the connection was (reset|closed)/.test(failure);

/** Whether an error is a timeout. */
export const isTimeout = (error: unknown): boolean => (error as Error).name === 'TimeoutError';

/** The error of a request that shows nothing about the target. Its message is the reason. */
export class Excluded extends Error {}

/** Returns the reason why a request shows nothing about the target; undefined if it does. */
export function whyExcluded(error: unknown): string | undefined {
  const { message } = error as Error;
  if (error instanceof Excluded) return message;
  // undici rejects this header itself.
  return /^Proxy-Authorization should be sent/.test(message) ? RESERVED_BY_PROXY : undefined;
}

export const RESERVED_BY_PROXY = 'the configured proxy consumes this header';

const CLOSED = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** Whether a connection was closed before the response was complete. */
export const isClosedConnection = (error: unknown): boolean =>
  CLOSED.test(`${(error as NodeJS.ErrnoException).code}`);

/** Attempts until a response counts as missing: one on a pooled connection, then on new ones. */
export const ATTEMPTS = 3;

/** Requests of a run that are sent again after a timeout. */
const TIMEOUTS_REPEATED = 2;

/** The decision whether a request without a response is sent again. */
export class RetryPolicy {
  #timeouts = 0;

  /**
   * Whether a request may be sent again after some attempts. `error` is undefined after a gateway's
   * response; `hasResponded` is whether the target sent any response before.
   */
  mayRetry({ method }: Request, attempts: number, error: unknown, hasResponded: boolean): boolean {
    if (attempts >= ATTEMPTS) return false;
    // The target's queue of connections was full, so it never saw the request.
    if (error !== undefined && rootOf(error).code === 'UND_ERR_CONNECT_TIMEOUT') {
      return hasResponded;
    }
    if (method === 'POST') return false;
    if (error === undefined || isClosedConnection(error)) return true;
    if (!isTimeout(error) || !hasResponded) return false;
    // Each timeout costs its whole time.
    this.#timeouts += 1;
    return this.#timeouts <= TIMEOUTS_REPEATED;
  }
}

/** Returns the innermost cause that has a code. */
function rootOf(error: unknown): NodeJS.ErrnoException {
  let root = error as NodeJS.ErrnoException;
  let cause = root.cause;
  while (cause instanceof Error) {
    if (root.code === undefined || 'code' in cause) root = cause;
    cause = cause.cause;
  }
  return root;
}
