import fc from 'fast-check';
import {
  type Case,
  CREATE,
  inTurn,
  LIST,
  withBody,
  withHeaders,
  withPath,
} from '../../src/requirement/case.ts';
import type { Kind } from '../../src/thorough/draw.ts';
import { freeRequests } from '../free-requests.ts';
import { headerOf, kind, lineOf, lines, oneOf, shortened, text, weighted } from './arbitraries.ts';

/** The requirements that judge the response to any request. */
const ANY_REQUEST = ['authentication.key-not-in-answers', 'http.no-server-error'];

/** Draws list requests with something after the path. */
const listWith = (ends: fc.Arbitrary<string>): fc.Arbitrary<Case> =>
  ends.map((end) => ({
    name: `${shortened(end)} after the path`,
    operation: LIST,
    change: withPath((path) => path + end),
  }));

/** Draws a list request with a query, whose response may show anything. */
export const query = listWith(text`?${lineOf('queries')}`);

const field = weighted(
  [1, text`user-agent: ${oneOf('', ...lines('user-agents'))}`],
  [1, text`accept: ${oneOf('image/png', 'text/csv', 'application/xml')}`],
  [1, oneOf('if-match: "x"', 'range: bytes=999999999-')],
);

/** Draws list requests of other clients, and those that show error pages. */
const listWithHeader = field.map(
  (line): Case => ({
    name: line,
    operation: LIST,
    change: withHeaders(Object.fromEntries([headerOf(line)])),
  }),
);

/** Draws creations that a service may reject for different reasons. */
const rejectable = weighted(
  [1, text`content-type: ${oneOf('text/plain', 'application/xml', '')}`],
  [1, text`content-encoding: ${oneOf('x', 'gzip', 'deflate', 'br')}`],
).map(
  (line): Case => ({
    name: line,
    operation: CREATE,
    expected: 'either',
    change: inTurn(withBody('<x/>'), withHeaders(Object.fromEntries([headerOf(line)]))),
  }),
);

export const free: Kind<Case>[] = [
  kind(
    'requests that may be rejected',
    ANY_REQUEST,
    6,
    weighted(
      [1, fc.constantFrom(...freeRequests)],
      [1, rejectable],
      [3, listWithHeader],
      [1, listWith(oneOf('/1/x', '/%zz', `?x=${'x'.repeat(6000)}`))],
    ),
  ),
];
