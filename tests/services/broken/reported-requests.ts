import type { Patch, Request } from '../service.ts';
import { alsoAuthorised, type Broken, behindGuard, reported } from './broken.ts';

const headerOf = ({ headers }: Request, name: string): string => `${headers[name] ?? ''}`;

/** Lets in whoever sends a header with a value. */
const letsIn = (name: string, value = /./): Patch =>
  alsoAuthorised((request) => value.test(headerOf(request, name)));

/** Lets in whoever names a header in `Connection`, so that a proxy drops it. */
const drops = (name: string): Patch =>
  alsoAuthorised((request) => headerOf(request, 'connection').toLowerCase().includes(name));

/** Takes the path from the address that Host and path make together; some pages are open. */
const opensByHost = (...open: string[]): Patch =>
  alsoAuthorised((request) => {
    const address = `http://${headerOf(request, 'host')}${request.path}`;
    return URL.canParse(address) && open.includes(new URL(address).pathname);
  });

/** Guards a path as it is written. The router behind reads another spelling of it. */
const routes = (read: (path: string) => string): Patch =>
  behindGuard(({ path }) => (read(path) === path ? undefined : read(path)));

/** Leaves targets alone that end like an open page. The router behind removes the fragment. */
const opensByEnd = (end: RegExp): Patch =>
  behindGuard(({ path }) =>
    /#/.test(path) && end.test(path) ? path.replace(/#.*/, '') : undefined,
  );

/** Any scheme and a token. */
const OTHER_SCHEMES = /^\S+ +(.*)$/;

/** Ways around a guard by the request line, Host and second headers, after reports since 2023. */
export const brokenReportedRequests: Broken[] = [
  reported(
    'CVE-2026-48710 (Starlette)',
    'guard.trusted-headers',
    'the path of a page without authentication is taken from Host',
    opensByHost('/', '/health', '/docs', '/openapi.json'),
  ),
  reported(
    'memex #201',
    'guard.trusted-headers',
    'a page below the base address is open, and its path taken from Host',
    opensByHost('/v1/health'),
  ),
  reported(
    'CVE-2023-45539 (HAProxy)',
    'guard.path-spelling',
    'a rule for static files looks at the end of a fragment',
    opensByEnd(/\.(css|js|png)$/),
  ),
  reported(
    'CVE-2026-41059 (OAuth2 Proxy)',
    'guard.path-spelling',
    'a route without authentication is matched with the fragment',
    opensByEnd(/^\/v1\/.*\/health$/),
  ),
  reported(
    'CVE-2025-48865 (Fabio)',
    'guard.trusted-headers',
    'Connection removes X-Forwarded-Host, which the proxy sets',
    drops('x-forwarded-host'),
  ),
  reported(
    'CVE-2025-64484 (OAuth2 Proxy)',
    'guard.trusted-headers',
    'X_Forwarded_User is not removed',
    letsIn('x_forwarded_user'),
  ),
  reported(
    'CVE-2026-35051 (Traefik)',
    'guard.trusted-headers',
    'X-Forwarded-Prefix comes from the client',
    letsIn('x-forwarded-prefix', /^\/public/),
  ),
  reported(
    'CVE-2026-39858 (Traefik)',
    'guard.trusted-headers',
    'X_Forwarded_Proto tells of a trusted scheme',
    letsIn('x_forwarded_proto', /^https$/),
  ),
  reported(
    'CVE-2026-54763 (Traefik)',
    'guard.trusted-headers',
    'X_Auth_User is not removed',
    letsIn('x_auth_user'),
  ),
  reported(
    'dfds/infrastructure-modules #2475 (Traefik)',
    'guard.trusted-headers',
    'X.Authenticated.User is read as X-Authenticated-User',
    letsIn('x.authenticated.user'),
  ),
  reported(
    'CVE-2026-20896 (Gitea)',
    'guard.trusted-headers',
    'X-WebAuth-User is trusted from any address',
    letsIn('x-webauth-user'),
  ),
  reported(
    'CVE-2026-40575 (OAuth2 Proxy)',
    'guard.trusted-headers',
    'X-Forwarded-Uri decides whether a route needs authentication',
    letsIn('x-forwarded-uri', /^\/health$/),
  ),
  reported(
    'smithers #785',
    'guard.trusted-headers',
    'a role in a header is trusted from any client',
    letsIn('x-user-role'),
  ),
  reported(
    'vllm-project/semantic-router #1445',
    'guard.trusted-headers',
    'X-Authz-User-Id is trusted without a proxy that sets it',
    letsIn('x-authz-user-id'),
  ),
  reported(
    'CVE-2026-22031 (@fastify/middie)',
    'guard.path-spelling',
    'middleware sees an encoded letter, and the router a decoded one',
    routes((path) => path.replace('%75', 'u')),
  ),
  reported(
    'CVE-2026-2880 (@fastify/middie)',
    'guard.path-spelling',
    'the router ignores double slashes, middleware does not',
    routes((path) => path.replaceAll(/\/{2,}/g, '/')),
  ),
  reported(
    'CVE-2026-29087 (@hono/node-server)',
    'guard.path-spelling',
    'an encoded slash is decoded behind the middleware',
    routes((path) => path.replace('/v1%2F', '/v1/')),
  ),
  reported(
    'CVE-2026-47676 (Hono)',
    'guard.path-spelling',
    'an encoded letter of the mounted prefix skips its middleware',
    routes((path) => path.replace('/%761/', '/v1/')),
  ),
  reported(
    'http-proxy-middleware #1168',
    'guard.path-spelling',
    'encoded dot segments pass the filter of paths',
    routes((path) => path.replace(/\/[^/]+\/%2e%2e\//, '/')),
  ),
  reported(
    'CVE-2026-47673 (Hono)',
    'authentication.other-scheme',
    'the token is accepted with any scheme',
    alsoAuthorised(({ headers }, { key }) => {
      const [, token] = OTHER_SCHEMES.exec(headers.authorization ?? '') ?? [];
      return token === key;
    }),
    ['authentication.header-syntax'],
  ),
];
