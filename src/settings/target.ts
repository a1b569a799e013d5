import { createSecureContext } from 'node:tls';
import { orThrow, SettingsError, unlessThrown } from './errors.ts';
import { nameOf } from './names.ts';
import { ownOnly } from './own.ts';
import { matches } from './selection.ts';
import { readText } from './text-file.ts';

/** The service to judge. */
export interface Target {
  baseUrl: string;
  apiKey: string;
  /** Headers of every request. */
  headers?: Header[];
  tls?: Tls | undefined;
}

/** An extra header of every request, such as for a gateway. Its value is a secret. */
export interface Header {
  name: string;
  value: string;
}

/** Settings of TLS, each in PEM. */
export interface Tls {
  /** The client certificate. */
  cert?: string | undefined;
  /** The private key of the client certificate. */
  key?: string | undefined;
  /** A CA to trust in addition to those of Node. */
  ca?: string | undefined;
}

/** The value of BASE_URL for the embedded reference service. */
export const EMBEDDED = 'embedded-reference';

/** The error if no service is set. */
export const NO_TARGET = `No service is set: set BASE_URL to its base address, such as https://api.example.com/v1, and API_KEY to its key. BASE_URL=${EMBEDDED} judges the embedded reference service.`;

/** A reference that a CI or a shell did not replace: `$BASE_URL`, `${{ secrets.KEY }}`, `%KEY%`. */
const PLACEHOLDER = /^(\$[A-Z][A-Z\d]*_[A-Z\d_]*|\$\{\w+\}|\$\(\w+\)|\$\{\{.*\}\}|%\w+%)$/;

/**
 * Reads the base address and the key; undefined for the embedded reference service. Throws a
 * SettingsError, also for a key without a base address: the run would check the wrong service.
 */
export function readTarget(baseUrl: string | undefined, apiKey = ''): Target | undefined {
  if (baseUrl === EMBEDDED || (baseUrl === undefined && apiKey === '')) return undefined;
  if (baseUrl === undefined) {
    throw new SettingsError(
      `API_KEY is set and BASE_URL is not: set it to the base address of the service, or to ${EMBEDDED}.`,
    );
  }
  const fault = findUnsetVariable(baseUrl, apiKey) ?? findUrlFault(baseUrl) ?? findKeyFault(apiKey);
  if (fault !== undefined) throw new SettingsError(fault);
  return { baseUrl, apiKey };
}

/** In CI an undefined variable becomes an empty value or stays a placeholder. */
function findUnsetVariable(baseUrl: string, apiKey: string): string | undefined {
  if (baseUrl === '')
    return `${nameOf('BASE_URL')} is set but empty: set it to the base address of the service, or to ${EMBEDDED} for the embedded reference service.`;
  if (PLACEHOLDER.test(baseUrl)) return placeholderText(nameOf('BASE_URL'));
  if (PLACEHOLDER.test(apiKey)) return placeholderText(nameOf('API_KEY'));
  return undefined;
}

function placeholderText(name: string): string {
  return `${name} is a placeholder such as $NAME: the variable that it names is not set.`;
}

function findUrlFault(baseUrl: string): string | undefined {
  const name = nameOf('BASE_URL');
  if (QUOTED.test(baseUrl)) return `${name} has quotes around it: set the address without them.`;
  // URL ignores line breaks, but in a log they would begin a line.
  if (/\s/.test(baseUrl)) return `${name} contains spaces or line breaks: remove them.`;
  const [part] = /\{[\w.-]{1,30}\}|<[\w.-]{1,30}>/.exec(baseUrl) ?? [];
  if (part !== undefined) return `${name} contains the placeholder ${part}: put its value there.`;
  const [, isLocal] = WITHOUT_SCHEME.exec(baseUrl) ?? [];
  if (isLocal !== undefined)
    return `${name} has no scheme: did you mean http${isLocal ? '' : 's'}://${baseUrl}?`;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || !/^https?:\/\//i.test(baseUrl) || /\p{C}/u.test(baseUrl))
    return `${name} must be an http or https address such as https://api.example.com/v1.`;
  if (url.username || url.password || url.search || url.hash)
    return `${name} must not contain a user, password, query or fragment: set the key as ${nameOf('API_KEY')}.`;
  return undefined;
}

/** A value that was copied with its quotes, or that a program reads with them. */
const QUOTED = /^["'`\u2018-\u201d]|["'`\u2018-\u201d]$/;

/**
 * An address without its scheme. Its host is this machine, or it has a port or the path of the
 * interface: any other word may be the key.
 */
const WITHOUT_SCHEME =
  /^(?=(localhost\b|127\.|\[::1\]|))(?:localhost|\[[\da-f:]+\]|[\w-]+(?:\.[\w-]+)+)(?::\d{1,5}(?:\/[\w./~-]*)?|(?:\/[\w.~-]+)*\/v1\/?)$/i;

/** A scheme before the key, as in a copied header: `Bearer …`, `Authorization: Bearer …`. */
const SCHEME = /^(authorization\s*:|(bearer|basic|digest|token|apikey|api-key)\s)/i;

/** The most characters of a key: most servers limit a header, or all of them, to 8 KiB. */
const LONGEST_KEY = 8000;

function findKeyFault(apiKey: string): string | undefined {
  const name = nameOf('API_KEY');
  if (apiKey === '')
    return 'API_KEY is missing: set it in the environment or in .env (there is no flag).';
  if (/^(["'`]).*\1$/.test(apiKey))
    return `${name} has quotes around it: set the key without them.`;
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(apiKey))
    return `${name} has leading or trailing whitespace, or characters not allowed in an HTTP header.`;
  if (apiKey.length > LONGEST_KEY)
    return `${name} has more than ${LONGEST_KEY} characters, and servers read no header as long as that.`;
  if (SCHEME.test(apiKey))
    return `${name} begins with a scheme, which requests add: set the key alone.`;
  if (!apiKey.includes('<API_KEY>')) return undefined;
  return `${name} is the placeholder of documents and reports: set it to the key itself.`;
}

/**
 * Whether a key looks like a word of a text: fewer than 8 characters, or lower-case letters alone,
 * such as `test` and `secret`. Such a key works, but responses can't be searched for it.
 */
export const isEveryday = (key: string): boolean => key.length < 8 || /^[a-z]+$/.test(key);

/** Whether a text contains the key, plain or percent-encoded. Never for an everyday key. */
export function holdsKey(text: string, key: string | undefined): boolean {
  if (!key || isEveryday(key)) return false;
  const lowerText = text.toLowerCase();
  return [key, encodeURIComponent(key)].some((form) => lowerText.includes(form.toLowerCase()));
}

/**
 * Hides the key in a message: in upper or lower case, and percent-encoded. Hides an everyday key
 * only in quotes, because elsewhere it may be a word of the sentence.
 */
export function hideKey(message: string, key: string | undefined): string {
  if (!key) return message;
  const isWord = isEveryday(key);
  const forms = isWord ? [`"${key}"`] : [key, encodeURIComponent(key)];
  return forms.reduce((text, form) => {
    const pattern = new RegExp(form.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
    return text.replaceAll(pattern, isWord ? '"<API_KEY>"' : '<API_KEY>');
  }, message);
}

/** Reads headers `Name: value`, one a line. Throws a SettingsError without values. */
export function readHeaders(text: string, setting: string): Header[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const headers = lines.map((line, index) => {
    const [, name = '', value = ''] =
      /^([A-Za-z0-9_-]+):[ \t]*([\x20-\x7e]+)$/.exec(line.trim()) ?? [];
    const fault = findHeaderFault(name);
    if (fault !== undefined) throw new SettingsError(`${setting}, line ${index + 1}: ${fault}`);
    return { name, value };
  });
  const names = headers.map(({ name }) => name.toLowerCase());
  const repeated = headers.find((_, index) => names.indexOf(names[index] ?? '') < index);
  if (repeated) throw new SettingsError(`${setting}: the header ${repeated.name} is set twice.`);
  return headers;
}

/** Returns why a header can't be set. The name is empty if its line has another form. */
function findHeaderFault(name: string): string | undefined {
  if (name === '') return 'it must be "Name: value", the value of printable ASCII characters.';
  // Many servers treat an underscore as a dash.
  const plain = name.toLowerCase().replaceAll('_', '-');
  if (plain === 'authorization')
    return `the header Authorization carries ${nameOf('API_KEY')} and nothing else.`;
  // Headers of the suite's requests and of the connection, and headers that change a request: its
  // method or path, conditions, ranges, idempotency keys.
  const reserved = readText('./reserved-headers.txt', import.meta.url).split(/\r?\n/);
  if (!reserved.some((pattern) => matches(pattern, plain))) return undefined;
  return `the header ${name} can't be set: requests have their own, or another one would change what they ask for.`;
}

/** Throws a SettingsError if a certificate and its key can't be used together. */
export function checkTls(tls: Tls): void {
  orThrow(
    () => createSecureContext(tls),
    ({ code = '', message }) =>
      new SettingsError(`The files for TLS can't be used: ${reasonOf(code) ?? message}.`),
  );
}

function reasonOf(code: string): string | undefined {
  const key = nameOf('CONFORMANCE_CLIENT_KEY');
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH')
    return `${key} is the key of another certificate`;
  if (code === 'ERR_OSSL_CRYPTO_INTERRUPTED_OR_CANCELLED')
    return `${key} is encrypted, and the suite cannot ask for its password`;
  return undefined;
}

/** Options of undici's EnvHttpProxyAgent. */
export interface Proxies {
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string;
}

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; names in lower case win. A proxy may lack `http://`.
 * Throws a SettingsError without the value, because it may contain a password.
 */
export function readProxies(variables: NodeJS.ProcessEnv): Proxies {
  const environment = ownOnly(variables);
  const httpProxy = readProxy(environment, 'HTTP_PROXY');
  const httpsProxy = readProxy(environment, 'HTTPS_PROXY');
  const noProxy = environment.no_proxy ?? environment.NO_PROXY;
  return {
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    ...(noProxy && { noProxy }),
  };
}

function readProxy(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const lowerName = name.toLowerCase();
  const variable = environment[lowerName] === undefined ? name : lowerName;
  const text = environment[variable]?.trim();
  if (!text) return undefined;
  const address = text.includes('://') ? text : `http://${text}`;
  const isProxy = unlessThrown(() => {
    const { protocol, username, password } = new URL(address);
    // undici decodes both, and throws if it can't.
    decodeURIComponent(`${username}${password}`);
    return ['http:', 'https:', 'socks5:'].includes(protocol) && !/[\s\p{C}]/u.test(address);
  });
  if (isProxy) return address;
  throw new SettingsError(
    `${variable} is not a proxy address: it should look like http://proxy.example.com:8080.`,
  );
}
