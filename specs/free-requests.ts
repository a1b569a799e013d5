import { KEY } from '../src/http/key.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  LIST,
  RETRIEVE,
  sentAlone,
  withHeaders,
} from '../src/requirement/case.ts';

/**
 * Requests a page as a browser does: many services show more on an HTML error page than in JSON.
 */
export const asBrowser: Change = withHeaders({
  accept: 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
});

/**
 * Sends a user without a name: the email suffices to recognize the user, if the service creates
 * one.
 */
const withoutName =
  (furtherMembers: object = {}): Change =>
  (usual, { user }) => ({
    ...usual,
    body: JSON.stringify({ email: user.email, name: '', ...furtherMembers }),
  });

const creation = (name: string, change: Change): Case => ({
  name,
  operation: CREATE,
  phase: 'free',
  change,
  expected: 'either',
});

const withQuery =
  (query: string): Change =>
  (usual) => ({ ...usual, path: usual.path + query });

/** A creation with a media type that the interface does not mention. */
export const asText = sentAlone(
  creation(
    'a text/plain creation',
    inTurn(withoutName(), withHeaders({ 'content-type': 'text/plain' })),
  ),
);

/** Requests to which any response conforms that contains no key and is no 5xx. */
export const freeRequests: Case[] = [
  {
    name: 'an Accept that allows no JSON',
    operation: LIST,
    phase: 'free',
    change: withHeaders({ accept: 'text/html' }),
  },
  asText,
  creation(
    'a creation of 1.1 MB',
    inTurn(withoutName({ padding: 'x'.repeat(1_100_000) }), asBrowser),
  ),
  {
    // The path belongs to no user. Code that removes the key from echoed headers may expect one
    // spelling.
    name: 'a POST to the path of a user',
    operation: CREATE,
    phase: 'free',
    expected: 'either',
    change: (usual, context) => {
      const headers = { authorization: undefined, AUTHORIZATION: `bearer ${KEY}` };
      const request = inTurn(withHeaders(headers), asBrowser)(usual, context);
      return { ...usual, ...request, path: `${usual.path}/null`, body: '{ }' };
    },
  },
  {
    name: 'a list request with a query',
    operation: LIST,
    phase: 'free',
    change: withQuery('?page=1&limit=1&per_page=1&page_size=1&test=1&debug=1&verbose=1&trace=1'),
  },
  {
    name: 'a retrieval with the ETag of the user',
    operation: RETRIEVE,
    phase: 'free',
    known: 'first',
    change: (usual, context) => {
      const { userTag } = context;
      if (userTag === undefined) return undefined;
      return withHeaders({ 'if-none-match': userTag })(usual, context);
    },
  },
  {
    name: 'leading zeros before an integer',
    operation: RETRIEVE,
    phase: 'free',
    known: 'first',
    observed: ['unknown identifiers', 'leading zeros are ignored'],
    change: (usual, { identifier = '' }) => {
      const path = usual.path.replace(/[^/]+$/, (segment) => `00${segment}`);
      return /^\d+$/.test(identifier) ? { ...usual, path } : undefined;
    },
  },
];
