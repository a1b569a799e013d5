import { linesOf } from '../src/http/lists.ts';

/** Servers limit the number of headers, often to a hundred. */
const TOGETHER = 64;

const HARMLESS: [name: string, value: string][] = linesOf(
  'words/harmless-headers',
  import.meta.url,
).map((line) => {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
});

/** Headers that only say who asks, or from where, and that a service may trust: many in one request. */
export const HARMLESS_HEADERS: Record<string, string>[] = Array.from(
  { length: Math.ceil(HARMLESS.length / TOGETHER) },
  (_, at) => Object.fromEntries(HARMLESS.slice(at * TOGETHER, (at + 1) * TOGETHER)),
);

/** Headers by which gateways and frameworks talk to themselves. */
export const INTERNAL_HEADERS: [name: string, headers: Record<string, string>][] = [
  [
    'X_Forwarded_User, X_Remote_User and X_Forwarded_For with underscores, which WSGI reads as hyphens',
    { x_forwarded_user: 'admin', x_remote_user: 'admin', x_forwarded_for: '127.0.0.1' },
  ],
  [
    'X-Middleware-Subrequest with the name of a middleware, five times',
    { 'x-middleware-subrequest': 'middleware:middleware:middleware:middleware:middleware' },
  ],
  [
    'X-Middleware-Subrequest with the path of a middleware, five times',
    { 'x-middleware-subrequest': Array(5).fill('src/middleware').join(':') },
  ],
];
