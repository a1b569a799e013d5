import fc from 'fast-check';
import { lists, members, oneOf, random } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { Request } from '../../src/http/exchange.ts';
import type { AftermathCase, Row, RowsCase } from '../../src/plan/steps/aftermath.ts';
import { firstKnown } from '../../src/plan/steps/first.ts';
import type { FreeCase } from '../../src/plan/steps/free-requests.ts';
import type { RowOfQueries } from '../../src/plan/steps/queries-in-turn.ts';
import type { ListCase, RereadCase } from '../../src/plan/steps/reads.ts';
import { OPERATIONS } from '../authentication.ts';
import { freelyAnswered } from '../key-elsewhere.ts';
import { listsAfterQueries } from '../list-total.ts';
import { furtherLists } from '../list-users.ts';
import { knownUsersAgain } from '../retrieve-user.ts';
import { afterBad, afterOne, afterRows, BAD, type BadRequest } from '../survival.ts';
import { lines } from './words.ts';

/** The place of a user among those who were retrieved: counted from the first, or back from the last, or a share of them. */
const places = random<number>(
  fc.oneof(
    fc.constantFrom(0, 0, 1, -1),
    fc.integer({ min: 1, max: 999 }).map((share) => share / 1000),
  ),
  (value) => typeof value === 'number' && Number.isFinite(value) && Math.abs(value) < 1e6,
);
const reread = ({ place }: { place: number }): RereadCase => ({
  what: Number.isInteger(place) ? `the user at place ${place}` : 'a user of the run',
  pick: (proven) => proven.at(Number.isInteger(place) ? place : Math.floor(place * proven.length)),
});

const row = (count: number, make: Row['make']) => ({ count, make });
const ROWS: Record<string, Pick<Row, 'count' | 'make'>> = {
  'wrong keys': row(24, (run) => run.listing({ authorization: `Bearer ${run.client.secrets.wrongKey}` })),
  'malformed bodies': row(24, (run) => run.creating('{"email":')),
  'retrievals of unknown users': row(24, (run) => run.retrieval('null')),
  'retrievals with a wrong key': row(40, (run, users) => {
    const { identifier } = firstKnown(users);
    return run.retrieval(identifier.segment, { authorization: `Bearer ${run.client.secrets.wrongKey}` });
  }),
  'creations that are given up half-way': row(12, (run) => ({
    ...run.creating(run.factory.make()),
    framing: 'aborted',
    connection: 'new',
  })),
  'creations without a key': row(24, (run) => run.creating('{}', {})),
};

const QUERIES = lines('queries');

const posting =
  (body: string, type: string, headers = {}) =>
  (request: Request): Request => ({
    ...request,
    method: 'POST',
    headers: { ...request.headers, 'content-type': type, ...headers },
    body,
  });
const getting =
  (headers: Record<string, string>, end = '') =>
  (request: Request): Request => ({
    ...request,
    path: `${request.path}${end}`,
    headers: { ...request.headers, ...headers },
  });
/** What a service rejects each for another reason, so that each of its error pages is seen. */
const REJECTED: Record<string, (request: Request) => Request> = {
  'a creation at the path of a user': (request) => ({
    ...posting('{}', 'application/json')(request),
    path: `${request.path}/1`,
  }),
  'an Accept of HTML alone': getting({ accept: 'text/html' }),
  'an Accept of an image': getting({ accept: 'image/png' }),
  'a text as the body': posting('x', 'text/plain'),
  'XML as the body': posting('<x/>', 'application/xml'),
  'a body without a media type': posting('x', ''),
  'an unknown Content-Encoding': posting('x', 'application/json', { 'content-encoding': 'x' }),
  'a body of 1.2 MB': posting('x'.repeat(1_200_000), 'application/json'),
  'a query of 6,000 characters': getting({}, `?x=${'x'.repeat(6000)}`),
  'a path below a user': getting({}, '/1/x'),
  'a malformed escape': getting({}, '/%zz'),
  'an If-Match': getting({ 'if-match': '"x"' }),
  'a Range': getting({ range: 'bytes=999999999-' }),
};
/** The usual list, written otherwise. */
const free = (what: string, write: (request: Request) => Request = (one) => one): FreeCase => ({
  what,
  make: (run) => ({ request: write(run.listing()) }),
});
/** What is the same each time, and only how often it comes tells more. */
const asUsual = members({ written: oneOf(['as usual']) });

export const reads: Topic[] = [
  topic({
    what: 'known users again',
    params: members({ place: places }),
    toCase: reread,
    perRound: 36,
    fills: [into(knownUsersAgain)],
    isUsual: true,
    ofUser: (place) => ({ place }),
  }),
  topic({
    what: 'query parameters',
    params: members({ query: oneOf(QUERIES) }),
    toCase: ({ query }): FreeCase => free(`the query ${query}`, (one) => ({ ...one, path: `${one.path}?${query}` })),
    perRound: 14,
    fills: [into(freelyAnswered)],
  }),
  topic({
    what: 'requests that may be rejected',
    params: members({ request: oneOf(Object.keys(REJECTED)) }),
    toCase: ({ request }): FreeCase => free(request, REJECTED[request]),
    perRound: 3,
    reads: false,
    fills: [into(freelyAnswered)],
  }),
  topic({
    what: 'lists as usual',
    params: asUsual,
    toCase: ({ written }): ListCase => ({ what: written }),
    perRound: 6,
    fills: [into(furtherLists)],
    isUsual: true,
  }),
  topic({
    what: 'lists after a query',
    params: members({ queries: lists(oneOf(QUERIES), 8) }),
    toCase: ({ queries }): RowOfQueries => ({
      what: queries.map((one) => `?${one}`).join(', '),
      queries: queries.map((one) => `?${one}`),
    }),
    perRound: 1,
    fills: [into(listsAfterQueries)],
    smaller: ({ queries }) => (queries.length === 1 ? [] : queries.map((one) => ({ queries: [one] }))),
  }),
  topic({
    what: 'rejected requests in a row',
    params: members({ rows: lists(oneOf(Object.keys(ROWS)), 2) }),
    toCase: ({ rows }): RowsCase => {
      const all = rows.flatMap((name) => {
        const found = ROWS[name];
        return found ? [{ ...found, what: `${found.count} ${name} in a row` }] : [];
      });
      return { what: all.map(({ what }) => what).join(', '), rows: all };
    },
    perRound: 1,
    fills: [into(afterRows)],
    smaller: ({ rows }) => (rows.length === 1 ? [] : rows.map((one) => ({ rows: [one] }))),
  }),
  topic({
    what: 'usual requests after rejected ones',
    params: members({ bad: oneOf([...BAD.keys()]), operation: oneOf(OPERATIONS) }),
    toCase: ({ bad, operation }): AftermathCase => afterOne(BAD.get(bad) as BadRequest, operation),
    perRound: 15,
    users: 1,
    fills: [into(afterBad)],
  }),
];
