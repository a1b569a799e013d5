import type { Topic } from '../../src/conduct/topic.ts';
import { type Operation, PATH } from '../../src/plan/steps/credentials.ts';
import { on, withoutKey } from '../authentication.ts';
import { attempts } from './credentials.ts';
import { onOperations, severalAtOnce, words } from './drawn.ts';

// Spellings of a path that a guard may take for another than a router does. Dot segments are not sent.

const ends = words(`
  / // %2F %2f %20 %09 %00 %0a %0d%0a .json .xml .html .csv .css .js .png .ico .txt ; ;x ;x=1 ;.css ;/x /; /;x=1 /;.js ? ?.css
  ?x=1 %3f %3F.css %23 %3b %5c \\ ~ * : /?x /.json ..;/ %252f %252e + $ ! ' %c0%af /# &x=1 =1 @ | %7c //?x %ef%bc%8f %u002f`);
const starts = words(
  `/ // /; /;x=1 /%20 /%09 /x/..; /%2f /\\ /%5c /static/..; /public/..; /health/..; /login/..; /docs/..; /;.css`,
);
const queries = words(`
  _method=GET method=GET debug=1 debug=true admin=true auth=false public=1 test=1 preview=true callback=x anonymous=1
  internal=true skip_auth=1 guest=1 demo=true dev=1 token access=public format=json`);
const within: ((path: string) => string)[] = [
  (path) => path.toUpperCase(),
  (path) => path.replace('users', 'Users'),
  (path) => path.replace('users', 'userS'),
  (path) => path.replace('u', '%75'),
  (path) => path.replace('s', '%73'),
  (path) => path.replace('users', '%75%73%65%72%73'),
  (path) => path.replace('users', 'user%73'),
  (path) => path.replace('u', '%2575'),
  (path) => path.replace('/users', '%2Fusers'),
  (path) => path.replace('/users', '//users//'),
  (path) => path.replace('/users', '/users;x=1'),
  (path) => path.replace('/users', '/users;'),
  (path) => path.replace('/users/', '/users//'),
  (path) => path.replace('/users/', '/users/;/'),
  (path) => path.replace('/users/', '/users%2F'),
  (path) => path.replace('/users/', '/users\\'),
];
type Spelled = { what: string; spelling?: (path: string) => string; query?: string };
const spellings: Spelled[] = [
  ...ends.map((end) => ({ what: `${end} behind the path`, spelling: (path: string) => `${path}${end}` })),
  ...starts.map((start) => ({ what: `${start} before the path`, spelling: (path: string) => `${start}${path}` })),
  ...within.map((spelling) => ({ what: `the path as ${spelling('/users/1')}`, spelling })),
  ...queries.map((query) => ({ what: `the query ${query}`, query: `?${query}` })),
];

/** Each name with each value. */
const each = (names: string, ...values: string[]): Record<string, string>[] =>
  words(names).flatMap((name) => values.map((value) => ({ [name]: value })));

// Headers that a proxy, a framework or a test sets, and that a service may trust.
const trusted: Record<string, string>[] = [
  ...each(
    'X-Forwarded-For X-Real-Ip X-Client-Ip True-Client-Ip Cf-Connecting-Ip X-Originating-Ip',
    '127.0.0.1',
    '10.0.0.1',
    '::1',
  ),
  ...each(
    'X-Remote-Ip X-Remote-Addr X-Cluster-Client-Ip X-Custom-Ip-Authorization Client-Ip X-Proxy-User-Ip',
    '127.0.0.1',
  ),
  ...each('X-Forwarded-Host X-Host X-Forwarded-Server X-Original-Host', 'localhost', '127.0.0.1'),
  ...each('Forwarded', 'for=127.0.0.1', 'for=127.0.0.1;host=localhost;proto=https', 'for="[::1]"'),
  ...each(
    'X-User X-User-Id X-Username X-Auth-User X-Authenticated-User X-Remote-User Remote-User X-Forwarded-User',
    'admin',
    '1',
  ),
  ...each(
    'X-Forwarded-Email X-Goog-Authenticated-User-Email X-Ms-Client-Principal-Name X-Webauth-User',
    'admin@example.com',
  ),
  ...each(
    'X-Admin X-Debug X-Internal X-Internal-Request X-Test X-Trusted X-Authenticated X-Bypass X-Skip-Auth X-No-Auth',
    '1',
    'true',
  ),
  ...each(
    'X-Healthcheck X-Health-Check X-Monitoring X-Dev X-Local X-Service X-Gateway X-From-Gateway X-Mesh',
    '1',
    'true',
  ),
  ...each(
    'X-Role X-Roles X-User-Role X-Groups X-Forwarded-Groups X-Scope X-Scopes X-Permissions X-Consumer-Username',
    'admin',
  ),
  ...each(
    'X-Original-Url X-Rewrite-Url X-Original-Uri X-Forwarded-Uri X-Forwarded-Path',
    '/',
    '/health',
    '/login',
    PATH,
  ),
  ...each('X-Forwarded-Prefix X-Override-Url X-Http-Destinationurl X-Envoy-Original-Path', '/', PATH),
  ...each(
    'X-Http-Method-Override X-Http-Method X-Method-Override X-Original-Method X-Forwarded-Method',
    'GET',
    'HEAD',
    'OPTIONS',
  ),
  ...each(
    'User-Agent',
    'kube-probe/1.29',
    'ELB-HealthChecker/2.0',
    'GoogleHC/1.0',
    'Googlebot/2.1',
    'curl/8.0',
    'Prometheus/2.0',
    '',
  ),
  ...each(
    'X-Middleware-Subrequest',
    'middleware',
    'src/middleware',
    'middleware:middleware:middleware:middleware:middleware',
  ),
  ...each('Origin Referer', 'http://localhost', 'http://localhost:3000', 'https://example.com', 'null'),
  ...each(
    'Cookie',
    'admin=true',
    'admin=1',
    'role=admin',
    'auth=1',
    'session=1',
    'logged_in=true',
    'user=admin',
    'debug=1',
  ),
  ...each('X-Ssl-Client-Verify Ssl-Client-Verify X-Client-Verify X-Ssl-Verified', 'SUCCESS'),
  ...each('X-Requested-With', 'XMLHttpRequest'),
  ...each('X-Forwarded-Proto X-Forwarded-Scheme', 'https'),
  ...each('Cache-Control', 'only-if-cached', 'no-cache'),
  ...each('Purpose Sec-Purpose X-Purpose', 'prefetch', 'preview'),
  ...each('Accept', 'text/html', 'text/csv', 'application/xml'),
  { 'X-Ssl-Client-S-Dn': 'CN=admin' },
  { 'X-Forwarded-Client-Cert': 'Subject="CN=admin"' },
  { 'X-Forwarded-Port': '443' },
  { 'If-None-Match': '*' },
  { Range: 'bytes=0-' },
  { 'Access-Control-Request-Method': 'GET', Origin: 'http://localhost' },
];

const spelled = (operation: Operation, parts: Spelled) =>
  on(operation, parts.what, { ...parts, unless: withoutKey(operation) });
const believed = (operation: Operation, headers: Record<string, string>) => {
  const what = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const spelling = Object.values(headers).includes(PATH) ? { spelling: () => '/' } : {};
  return on(operation, what.join(', '), { headers, unless: withoutKey(operation), ...spelling });
};

/** Headers that only say who asks or from where: many of them go together. The others may change what is asked for. */
const isHarmless = (headers: Record<string, string>) =>
  Object.keys(headers).every(
    (name) => !/url|uri|path|prefix|method|accept|range|if-|cache|destination|host/i.test(name),
  );
const together = trusted.filter(isHarmless);
const alone = trusted.filter((headers) => !isHarmless(headers));
const believedTogether = (operation: Operation, some: Record<string, string>[]) =>
  // Of one name the last counts, but cookies have room for each other.
  believed(operation, {
    ...Object.assign({}, ...some),
    Cookie: ['x=1', ...some.flatMap(({ Cookie }) => Cookie ?? [])].join('; '),
  });

export const guard: Topic[] = [
  attempts('guard.path-spelling', 'spellings of the path without the key', onOperations(spellings, spelled), 60),
  attempts('guard.trusted-headers', 'headers of proxies without the key', onOperations(alone, believed), 32),
  attempts(
    'guard.trusted-headers',
    'many headers of proxies without the key',
    severalAtOnce(together, 10, believedTogether),
    21,
  ),
];
