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
    'X_Forwarded_User, X_Remote_User and others with underscores, which WSGI reads as hyphens',
    {
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

/** Further internal headers, sent for the list alone. */
export const GATEWAY_HEADERS: [name: string, headers: Record<string, string>][] = [
  [
    'X-Middleware-Subrequest with the path of an older middleware',
    { 'x-middleware-subrequest': 'pages/_middleware' },
  ],
  [
    'X-Middleware-Next, X-Middleware-Prefetch and X-Nextjs-Data',
    { 'x-middleware-next': '1', 'x-middleware-prefetch': '1', 'x-nextjs-data': '1' },
  ],
  [
    'X-Forwarded-User and others twice, of which a gateway drops one',
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
    },
  ],
  [
    'Connection with the names of headers that a gateway sets, so that the next one drops them',
    {
      connection: 'X-Forwarded-For, X-Real-IP, X-Forwarded-Host, X-Forwarded-Proto, Via, Forwarded',
      'x-forwarded-for': '192.0.2.1',
    },
  ],
  [
    'X-Envoy-Original-Path, X-Original-URL, X-Original-URI and X-Forwarded-URI with an open path',
    {
      'x-envoy-original-path': '/health',
      'x-original-url': '/health',
      'x-original-uri': '/health',
      'x-forwarded-uri': '/health',
      'x-forwarded-prefix': '/public',
    },
  ],
  [
    'X-Forwarded-Method and X-Original-Method: OPTIONS',
    { 'x-forwarded-method': 'OPTIONS', 'x-original-method': 'OPTIONS' },
  ],
];
