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

/** List requests with a query, whose response may show anything. */
export const queries: Case[] = lines('queries').map((query) => ({
  name: `the query ?${query}`,
  operation: LIST,
  change: (usual) => ({ ...usual, path: `${usual.path}?${query}` }),
}));

/** Other clients: a service may treat the suite's own name specially. */
const USER_AGENTS = [
  'axios/1.7.9',
  'PostmanRuntime/7.43',
  'curl/8.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64)',
  'Googlebot/2.1',
  'kube-probe/1.29',
  'python-requests/2.32',
  'Go-http-client/2.0',
  'okhttp/4.12',
  'Java/21',
  'Wget/1.21',
  '-',
  '',
];
const userAgents: Case[] = USER_AGENTS.map((agent) => ({
  name: `the User-Agent "${agent}"`,
  operation: LIST,
  change: withHeaders({ 'user-agent': agent }),
}));

const creation = (name: string, body: string, headers: Record<string, string>): Case => ({
  name,
  operation: CREATE,
  expected: 'either',
  untraced: 'name',
  change: inTurn(withBody(body), withHeaders(headers)),
});

/**
 * Requests that a service may reject for different reasons, so that they show different error
 * pages.
 */
const rejectable: Case[] = [
  ...['image/png', 'text/csv', 'application/xml'].map(
    (accept): Case => ({
      name: `Accept: ${accept}`,
      operation: LIST,
      change: withHeaders({ accept }),
    }),
  ),
  ...['text/plain', 'application/xml', ''].map((type) =>
    creation(`the media type "${type}"`, '<x/>', { 'content-type': type }),
  ),
  ...['x', 'gzip', 'deflate', 'br'].map((coding) =>
    creation(`Content-Encoding: ${coding}`, 'x', { 'content-encoding': coding }),
  ),
  ...['/1/x', '/%zz', `?x=${'x'.repeat(6000)}`].map(
    (ending): Case => ({
      name: `a list request with ${ending.slice(0, 20)} after the path`,
      operation: LIST,
      change: (usual) => ({ ...usual, path: usual.path + ending }),
    }),
  ),
  { name: 'If-Match', operation: LIST, change: withHeaders({ 'if-match': '"x"' }) },
  { name: 'a Range', operation: LIST, change: withHeaders({ range: 'bytes=999999999-' }) },
];

/** The requirements that judge the response to any request. */
const ANY_REQUEST = ['authentication.key-not-in-answers', 'http.no-server-error'];

export const free: DrawnCases[] = [
  // Code that remembers a query applies it to the next list.
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

/** A valid request with a cookie, by which a service may see another session. */
export const withCookie: Case = {
  name: 'a cookie beside the key',
  operation: LIST,
  phase: 'valid',
  change: withHeaders({ cookie: 'theme=dark' }),
};
