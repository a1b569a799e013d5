import { unlessThrown } from './files.ts';
import { SettingsError } from './settings-error.ts';

const PROTOCOLS = ['http:', 'https:', 'socks5:'];

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, of which those in lower case win, as undici's agent takes them. A proxy may lack
 * `http://`.
 * Throws a SettingsError, which does not repeat the value, because that may hold a password.
 */
export function readProxies(environment: NodeJS.ProcessEnv) {
  const [httpProxy, httpsProxy] = ['HTTP_PROXY', 'HTTPS_PROXY'].map((name) => readProxy(environment, name));
  const noProxy = environment.no_proxy ?? environment.NO_PROXY;
  return { ...(httpProxy && { httpProxy }), ...(httpsProxy && { httpsProxy }), ...(noProxy && { noProxy }) };
}

function readProxy(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const found = [name.toLowerCase(), name].find((one) => environment[one] !== undefined);
  const given = environment[found ?? name]?.trim();
  if (!given) return undefined;
  const address = given.includes('://') ? given : `http://${given}`;
  if (unlessThrown(() => isProxy(address))) return address;
  throw new SettingsError(`${found} is not a proxy address: it should look like http://proxy.example.com:8080.`);
}

function isProxy(address: string): boolean {
  const { protocol, username, password } = new URL(address);
  // Undici decodes both.
  decodeURIComponent(`${username}${password}`);
  return PROTOCOLS.includes(protocol) && !/[\s\p{C}]/u.test(address);
}
