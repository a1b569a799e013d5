import {
  type Case,
  CREATE,
  inTurn,
  LIST,
  withBody,
  withHeaders,
} from '../../src/requirement/case.ts';
import type { DrawnCases } from '../../src/thorough/drawn-cases.ts';
import { freeRequests } from '../free-requests.ts';
import { lines } from './lines.ts';

/** A list with a query: what it shows is free. */
export const queries: Case[] = lines('queries').map((query) => ({
  name: `the query ?${query}`,
  operation: LIST,
  change: (usual) => ({ ...usual, path: `${usual.path}?${query}` }),
}));

/** Requests of any client: no response contains the key, and none is a 5xx. */
const USER_AGENTS = [
  ...['curl/8.0', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Googlebot/2.1', 'kube-probe/1.29'],
  ...['python-requests/2.32', 'Go-http-client/2.0', 'okhttp/4.12', 'Java/21', 'Wget/1.21', '-', ''],
];
const userAgents: Case[] = USER_AGENTS.map((agent) => ({
  name: `the User-Agent "${agent}"`,
  operation: LIST,
  change: withHeaders({ 'user-agent': agent }),
}));

const toCreate = (name: string, body: string, headers: Record<string, string>): Case => ({
  name,
  operation: CREATE,
  expected: 'either',
  untraced: 'name',
  change: inTurn(withBody(body), withHeaders(headers)),
});

/** Requests that a service may reject for different reasons: each has an error page of its own. */
const rejectable: Case[] = [
  ...['image/png', 'text/csv', 'application/xml'].map(
    (accept): Case => ({
      name: `Accept: ${accept}`,
      operation: LIST,
      change: withHeaders({ accept }),
    }),
  ),
  ...['text/plain', 'application/xml', ''].map((type) =>
    toCreate(`the media type "${type}"`, '<x/>', { 'content-type': type }),
  ),
  ...['x', 'gzip', 'deflate', 'br'].map((coding) =>
    toCreate(`Content-Encoding: ${coding}`, 'x', { 'content-encoding': coding }),
  ),
  ...['/1/x', '/%zz', `?x=${'x'.repeat(6000)}`].map(
    (end): Case => ({
      name: `a list request with ${end.slice(0, 20)} after the path`,
      operation: LIST,
      change: (usual) => ({ ...usual, path: usual.path + end }),
    }),
  ),
  { name: 'If-Match', operation: LIST, change: withHeaders({ 'if-match': '"x"' }) },
  { name: 'a Range', operation: LIST, change: withHeaders({ range: 'bytes=999999999-' }) },
];

const ANY_REQUEST = ['authentication.key-not-in-answers', 'http.no-server-error'];

export const free: DrawnCases[] = [
  // Code that remembers a query answers the next list with it.
  {
    name: 'queries before a list',
    slugs: ANY_REQUEST,
    part: 'list',
    perRound: 8,
    how: 'before a list',
    tables: [queries],
  },
  {
    name: 'requests that may be rejected',
    slugs: ANY_REQUEST,
    perRound: 6,
    tables: [[...freeRequests, ...rejectable, ...userAgents]],
  },
];

/** The key as a cookie beside a valid request: the session of somebody else. */
export const withCookie: Case = {
  name: 'a cookie beside the key',
  operation: LIST,
  phase: 'valid',
  change: withHeaders({ cookie: 'theme=dark' }),
};
