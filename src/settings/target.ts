import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { orThrow, SettingsError, unlessThrown } from './errors.ts';
import { nameOf } from './names.ts';
import { ownOnly } from './own.ts';
import { matches } from './selection.ts';

/** The service to judge. */
export interface Target {
  baseUrl: string;
  apiKey: string;
  /** What goes with every request. */
  headers?: Header[];
  tls?: Tls | undefined;
}

/** A header that goes with every request, such as a gateway asks for. Its value is a secret. */
export type Header = { name: string; value: string };

/**
 * How TLS is spoken where the defaults will not do, all in PEM: the certificate by which the suite says who it is, its
 * private key, and a certificate authority that is trusted besides those that Node trusts.
 */
export type Tls = { [Part in 'cert' | 'key' | 'ca']?: string | undefined };

/** As BASE_URL: the embedded reference service, asked for by its name. */
export const EMBEDDED = 'embedded-reference';

/** What to do where no service is named, and the embedded one was not asked for. */
export const NO_TARGET = `No service is set: set BASE_URL to its base address, such as https://api.example.com/v1, and API_KEY to its key. BASE_URL=${EMBEDDED} judges the embedded reference service.`;

/**
 * What a CI or a shell leaves in the place of a variable that is not set: `$BASE_URL`, `${{ secrets.KEY }}`, `%KEY%`.
 */
const UNSET = /^(\$[A-Z][A-Z\d]*_[A-Z\d_]*|\$\{\w+\}|\$\(\w+\)|\$\{\{.*\}\}|%\w+%)$/;

/**
 * Reads the base address and the key; undefined for the embedded reference service. Throws a SettingsError, also for a
 * key without a base address: the run would not judge what was meant.
 */
export function readTarget(baseUrl: string | undefined, apiKey = ''): Target | undefined {
  if (baseUrl === EMBEDDED || (baseUrl === undefined && apiKey === '')) return undefined;
  if (baseUrl === undefined) throw new SettingsError(KEY_ALONE);
  const fault = faultIn(baseUrl, apiKey);
  if (fault !== undefined) throw new SettingsError(fault);
  return { baseUrl, apiKey };
}

/** A scheme before the key, as in a copied header: `Bearer …`, `Authorization: Bearer …`. */
const SCHEME = /^(authorization\s*:|(bearer|basic|digest|token|apikey|api-key)\s)/i;

const KEY_ALONE = `API_KEY is set and BASE_URL is not: set it to the base address of the service, or to ${EMBEDDED}.`;

function faultIn(baseUrl: string, apiKey: string): string | undefined {
  // In CI an undefined secret arrives as the empty string: falling back to the reference would be a false green.
  const address = nameOf('BASE_URL');
  const name = nameOf('API_KEY');
  if (baseUrl === '')
    return `${address} is set but empty: set it to the base address of the service, or to ${EMBEDDED} for the embedded reference service.`;
  const unset = UNSET.test(baseUrl) ? address : UNSET.test(apiKey) && name;
  if (unset)
    return `${unset} is a placeholder such as $NAME: the variable that it names is not set.`;
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  // URL passes over line breaks, with which the address would begin a line of a log.
  if (url === undefined || !/^https?:\/\//i.test(baseUrl) || /[\s\p{C}]/u.test(baseUrl))
    return `${address} must be an http or https address such as https://api.example.com/v1.`;
  if (url.username || url.password || url.search || url.hash)
    return `${address} must not contain a user, password, query or fragment: set the key as ${name}.`;
  if (apiKey === '')
    return 'API_KEY is missing: set it in the environment or in .env (there is no flag).';
  if (!/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(apiKey))
    return `${name} has leading or trailing whitespace, or characters not allowed in an HTTP header.`;
  if (SCHEME.test(apiKey))
    return `${name} begins with a scheme, which requests add: set the key alone.`;
  if (!apiKey.includes('<API_KEY>')) return undefined;
  return `${name} is the placeholder of documents and reports: set it to the key itself.`;
}

/**
 * Whether a key can't be told from a word of the text: fewer than 8 characters, or lower-case letters alone, such as
 * `test` and `secret`. It is a key all the same; only answers can't be searched for it.
 */
export const isEveryday = (key: string): boolean => key.length < 8 || /^[a-z]+$/.test(key);

/** Whether a text that somebody has typed holds the key, as it is or percent-encoded. Never for an everyday key. */
export function holdsKey(text: string, key: string | undefined): boolean {
  if (!key || isEveryday(key)) return false;
  const [within, looked] = [text.toLowerCase(), key.toLowerCase()];
  return [looked, encodeURIComponent(key).toLowerCase()].some((one) => within.includes(one));
}

/**
 * Hides the key in a message: in any case, and percent-encoded. An everyday key is hidden where it is a quoted value,
 * because elsewhere it may be a word of the sentence.
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

/** Reads headers, one a line: `Name: value`. Throws a SettingsError, which does not show the value. */
export function readHeaders(given: string, { name: setting }: { name: string }): Header[] {
  const lines = given.split(/\r?\n/).filter((line) => line.trim() !== '');
  const headers = lines.map((line, index) => {
    const [, name = '', value = ''] =
      /^([A-Za-z0-9_-]+):[ \t]*([\x20-\x7e]+)$/.exec(line.trim()) ?? [];
    const fault = faultInHeader(name);
    if (fault !== undefined) throw new SettingsError(`${setting}, line ${index + 1}: ${fault}`);
    return { name, value };
  });
  const names = headers.map(({ name }) => name.toLowerCase());
  const twice = headers.find((_, index) => names.indexOf(names[index] ?? '') < index);
  if (twice) throw new SettingsError(`${setting}: the header ${twice.name} is set twice.`);
  return headers;
}

/** What keeps a header from being set; it has no name where its line is none. */
function faultInHeader(name: string): string | undefined {
  if (name === '') return 'it must be "Name: value", the value of printable ASCII characters.';
  // Many servers take a line below for a dash.
  const plain = name.toLowerCase().replaceAll('_', '-');
  if (plain === 'authorization')
    return `the header Authorization carries ${nameOf('API_KEY')} and nothing else.`;
  // What requests have of their own, what the connection is made of, and what asks for something else: another method
  // or path, a part of the answer, an answer only if, one answer for all creations.
  const reserved = readFileSync(new URL('./reserved-headers.txt', import.meta.url), 'utf8').split(
    /\r?\n/,
  );
  if (!reserved.some((pattern) => matches(pattern, plain))) return undefined;
  return `the header ${name} can't be set: requests have their own, or another one would change what they ask for.`;
}

/** Throws a SettingsError where a certificate and its key can't be used together. */
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

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, of which those in lower case win, as undici's agent takes them. A proxy
 * may lack `http://`.
 * Throws a SettingsError, which does not repeat the value, because that may hold a password.
 */
export function readProxies(variables: NodeJS.ProcessEnv) {
  const environment = ownOnly(variables);
  const [httpProxy, httpsProxy] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) =>
    readProxy(environment, name),
  );
  const noProxy = environment.no_proxy ?? environment.NO_PROXY;
  return {
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    ...(noProxy && { noProxy }),
  };
}

function readProxy(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const found = [name.toLowerCase(), name].find((one) => environment[one] !== undefined);
  const given = environment[found ?? name]?.trim();
  if (!given) return undefined;
  const address = given.includes('://') ? given : `http://${given}`;
  const isProxy = unlessThrown(() => {
    const { protocol, username, password } = new URL(address);
    // Undici decodes both.
    decodeURIComponent(`${username}${password}`);
    return ['http:', 'https:', 'socks5:'].includes(protocol) && !/[\s\p{C}]/u.test(address);
  });
  if (isProxy) return address;
  throw new SettingsError(
    `${found} is not a proxy address: it should look like http://proxy.example.com:8080.`,
  );
}
