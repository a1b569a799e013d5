import type { Patch, Request } from '../service.ts';
import { alsoAuthorised, type Broken, behindGuard, broken, tokenOf } from './broken.ts';

const headerOf = ({ headers }: Request, name: string): string => `${headers[name] ?? ''}`;

/** Returns the path that a guard sees if it joins Host and path to one address. */
function pathWithHost(host: string, path: string): string {
  try {
    return new URL(`http://${host}${path}`).pathname;
  } catch {
    return path;
  }
}

/** A guard that leaves a page open, and takes the path from the whole address. */
const takesPathFrom =
  (header: 'host' | 'x-forwarded-host', isOpen: (path: string) => boolean): Patch =>
  (service) =>
    alsoAuthorised((request) => isOpen(pathWithHost(headerOf(request, header), request.path)))(
      service,
    );

/** A gateway that reads the key in the header of a platform. */
const takesKeyFrom = (name: string): Patch =>
  alsoAuthorised(
    (request, { key }) =>
      tokenOf({ ...request, headers: { authorization: headerOf(request, name) } }) === key,
  );

/** A router that takes a path for a whole address without a scheme (RFC 3986, section 4.2). */
const readsNetworkPaths: Patch = behindGuard(({ path }) => {
  const [, rest] = /^\/\/[^/]+(\/.*)$/.exec(path) ?? [];
  return rest;
});

/** A guard that looks at the whole request target, and a router that removes the fragment. */
const ignoresFragment = (isOpen: (target: string) => boolean): Patch =>
  behindGuard(({ path }) => {
    const [target = ''] = path.split('#');
    return target !== path && isOpen(path) ? target : undefined;
  });

/** A gateway marks each request from outside; `Connection` makes the next hop drop the mark. */
const marksRequests =
  (mark: string, show: (headers: Record<string, string>) => Record<string, string>): Patch =>
  (service) => {
    const { handle } = service;
    alsoAuthorised((request) => headerOf(request, 'connection').toLowerCase().includes(mark))(
      service,
    );
    service.handle = async (request) => {
      const reply = await handle(request);
      return { ...reply, headers: show(reply.headers ?? {}) };
    };
  };

/** Guards that the request line, Host or a second header passes, after public reports. */
export const brokenGuardInTheWild: Broken[] = [
  broken(
    'guard.trusted-headers',
    'the path is that of Host and path together, and /health is open',
    takesPathFrom('host', (path) => path === '/health'),
  ),
  broken(
    'guard.trusted-headers',
    'the path is that of Host and path together, and what is below /docs is open',
    takesPathFrom('host', (path) => path.startsWith('/docs')),
  ),
  broken(
    'guard.trusted-headers',
    'the path is that of X-Forwarded-Host and path together, and /health is open',
    takesPathFrom('x-forwarded-host', (path) => path === '/health'),
  ),
  broken(
    'guard.trusted-headers',
    'X-Serverless-Authorization is checked in place of Authorization, and any token passes',
    alsoAuthorised((request) =>
      headerOf(request, 'x-serverless-authorization').startsWith('Bearer '),
    ),
    ['authentication.key-in-other-header'],
  ),
  broken(
    'guard.trusted-headers',
    'X-Forwarded-Access-Token means that a proxy has checked the key',
    alsoAuthorised((request) => headerOf(request, 'x-forwarded-access-token') !== ''),
    ['authentication.key-in-other-header'],
  ),
  ...['x-serverless-authorization', 'grpc-metadata-authorization'].map((name) =>
    broken(
      'authentication.key-in-other-header',
      `the key is also read in ${name}`,
      takesKeyFrom(name),
    ),
  ),
  broken(
    'authentication.key-in-other-header',
    'the key is also read in X-Forwarded-Access-Token',
    alsoAuthorised((request, { key }) => headerOf(request, 'x-forwarded-access-token') === key),
  ),
  broken(
    'guard.path-spelling',
    'the router reads //localhost/v1/users as an address',
    readsNetworkPaths,
  ),
  broken(
    'guard.path-spelling',
    'a fragment that ends with .css passes the guard',
    ignoresFragment((target) => target.endsWith('.css')),
  ),
  broken(
    'guard.path-spelling',
    'a fragment that ends with /health passes the guard',
    ignoresFragment((target) => target.endsWith('/health')),
  ),
  broken(
    'guard.trusted-headers',
    'Connection makes a gateway drop the mark of requests from outside, which Vary names',
    marksRequests('edge-zone', (headers) => ({ ...headers, vary: 'Accept, Edge-Zone' })),
  ),
  broken(
    'guard.trusted-headers',
    'Connection makes a gateway drop the mark of requests from outside, which responses have too',
    marksRequests('acme-outside', (headers) => ({ ...headers, 'acme-outside': '1' })),
  ),
];
