import { linesOf } from '../src/http/lists.ts';

/** Headers in one request, at most: many servers limit their number to a hundred. */
const HEADERS_PER_REQUEST = 64;

const IDENTIFYING: [name: string, value: string][] = linesOf(
  'words/harmless-headers',
  import.meta.url,
).map((line) => {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
});

/**
 * Headers that identify the client or its location, and that a service may trust: many for each
 * request.
 */
export const IDENTIFYING_HEADERS: Record<string, string>[] = Array.from(
  { length: Math.ceil(IDENTIFYING.length / HEADERS_PER_REQUEST) },
  (_, index) => {
    const start = index * HEADERS_PER_REQUEST;
    return Object.fromEntries(IDENTIFYING.slice(start, start + HEADERS_PER_REQUEST));
  },
);

/** Headers that gateways and frameworks use internally. */
export const INTERNAL_HEADERS: [name: string, headers: Record<string, string>][] = [
  [
    'X_Forwarded_User, X.Authenticated.User and others with underscores or dots, which WSGI and PHP read as hyphens',
    {
      'x.authenticated.user': 'admin',
      'x.forwarded.user': 'admin',
      x_auth_user: 'admin',
      x_forwarded_proto: 'https',
      x_forwarded_host: 'localhost',
      x_forwarded_user: 'admin',
      x_remote_user: 'admin',
      x_auth_request_user: 'admin',
      x_authenticated_user: 'admin',
      remote_user: 'admin',
      x_forwarded_for: '127.0.0.1',
      x_real_ip: '127.0.0.1',
    },
  ],
  [
    'X-Middleware-Subrequest with the name of a middleware, five times',
    { 'x-middleware-subrequest': Array(5).fill('middleware').join(':') },
  ],
  [
    'X-Middleware-Subrequest with the path of a middleware, five times',
    { 'x-middleware-subrequest': Array(5).fill('src/middleware').join(':') },
  ],
];

const USER = 'admin';
const LOCAL_ADDRESS = '127.0.0.1';

/** Headers that a gateway sets, and that the next one drops if `Connection` names them. */
export const DROPPED_HEADERS = [
  'X-Forwarded-For',
  'X-Real-IP',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'Via',
  'Forwarded',
];

/**
 * Further internal headers, sent for the list alone. Each request has the User-Agent of another
 * health check, which a service may answer without a key.
 */
export const GATEWAY_HEADERS: [name: string, headers: Record<string, string>][] = [
  [
    'X-Middleware-Subrequest with the path of an older middleware, X-Middleware-Next, X-Middleware-Prefetch, X-Nextjs-Data and User-Agent: GoogleHC/1.0',
    {
      'x-middleware-subrequest': 'pages/_middleware',
      'x-middleware-next': '1',
      'x-middleware-prefetch': '1',
      'x-nextjs-data': '1',
      'user-agent': 'GoogleHC/1.0',
    },
  ],
  [
    'X-Forwarded-User and others twice, of which a gateway drops one, and User-Agent: kube-probe/1.29',
    {
      'X-Forwarded-User': '',
      'x-forwarded-user': USER,
      'X-Remote-User': '',
      'x-remote-user': USER,
      'X-Authenticated-User': '',
      'x-authenticated-user': USER,
      'X-Forwarded-For': '192.0.2.1',
      'x-forwarded-for': LOCAL_ADDRESS,
      'X-Real-IP': '192.0.2.1',
      'x-real-ip': LOCAL_ADDRESS,
      'user-agent': 'kube-probe/1.29',
    },
  ],
  [
    'X-Envoy-Original-Path, X-Original-URL, X-Forwarded-Host and others with an open path, X-Forwarded-Method: OPTIONS and User-Agent: ELB-HealthChecker/2.0',
    {
      'x-envoy-original-path': '/health',
      'x-original-url': '/health',
      'x-original-uri': '/health',
      'x-forwarded-uri': '/health',
      'x-forwarded-prefix': '/public',
      'x-forwarded-host': 'localhost/health?',
      'x-forwarded-method': 'OPTIONS',
      'x-original-method': 'OPTIONS',
      'user-agent': 'ELB-HealthChecker/2.0',
    },
  ],
];
