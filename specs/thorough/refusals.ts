import { lists, members, oneOf } from '../../src/conduct/domain.ts';
import { into, type Topic, topic } from '../../src/conduct/topic.ts';
import type { Request } from '../../src/http/exchange.ts';
import { segmentOf } from '../../src/plan/identifier.ts';
import type { AftermathCase, Row, RowsCase } from '../../src/plan/steps/aftermath.ts';
import { bodyRequest } from '../../src/plan/steps/bodies.ts';
import { credentialRequest } from '../../src/plan/steps/credentials.ts';
import { firstKnown } from '../../src/plan/steps/first.ts';
import type { FreeCase } from '../../src/plan/steps/free-requests.ts';
import { lookupRequest } from '../../src/plan/steps/lookups.ts';
import { OPERATIONS, on } from '../authentication.ts';
import { freelyAnswered } from '../key-elsewhere.ts';
import { afterBad, afterRows, BAD } from '../survival.ts';
import { bodyCase } from './bodies.ts';

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
  'a path below a user': getting({}, '/1/x'),
  'a malformed escape': getting({}, '/%zz'),
  'an If-Match': getting({ 'if-match': '"x"' }),
  'a Range': getting({ range: 'bytes=999999999-' }),
};
/** A server may close the connection on which it rejects so much. */
const LONG: typeof REJECTED = {
  'a body of 1.2 MB': posting('x'.repeat(1_200_000), 'application/json'),
  'a query of 6,000 characters': getting({}, `?x=${'x'.repeat(6000)}`),
};
const ALL_REJECTED = { ...REJECTED, ...LONG };
const BODIES = [
  '[]',
  '[null]',
  '"x"',
  '1',
  '{"email":$email}',
  '{"name":$name}',
  '{"user":$user}',
  '[$user,$user]',
  ' ',
];
const NOBODY = [
  'x'.repeat(4000),
  'x'.repeat(1500),
  '\0',
  '%',
  "'",
  '*',
  '山',
  'x y',
  '999999999',
  '-1',
  '[object Object]',
  '{}',
];
const HEADERS = ['Bearer', 'Basic eDp5', 'Bearer x y', 'x'.repeat(2000)];

/** Bad requests of all kinds, by their names. */
const ALL_BAD: Record<string, AftermathCase['bad']> = {
  ...Object.fromEntries([...BAD].map(([what, { bad }]) => [what, bad])),
  ...Object.fromEntries(
    Object.entries(REJECTED).map(([what, write]) => [what, (run) => ({ request: write(run.listing()) })]),
  ),
  ...Object.fromEntries(BODIES.map((text) => [`the body ${text}`, (run) => bodyRequest(run, bodyCase(text))])),
  ...Object.fromEntries(
    NOBODY.map((text) => [
      `the identifier ${text.length > 20 ? `of ${text.length} letters` : JSON.stringify(text)}`,
      (run, users) => lookupRequest(run, { what: text, segments: () => [segmentOf(text)] }, users),
    ]),
  ),
  ...Object.fromEntries(
    HEADERS.flatMap((authorization) =>
      OPERATIONS.map((operation): [string, AftermathCase['bad']] => [
        `${operation} with ${authorization.length > 20 ? 'a long header' : authorization}`,
        (run, users) => credentialRequest(run, on(operation, 'another header', { headers: { authorization } }), users),
      ]),
    ),
  ),
  'an email that is there': (run, users) => {
    const { email } = firstKnown(users).creation.user;
    const user = { ...run.factory.make(), email };
    const draft = { what: 'an email that is there', fate: 'may' as const, inCompany: true, user };
    return { request: run.creating(user), draft: { ...draft, traces: user } };
  },
};

export const refusals: Topic[] = [
  topic({
    what: 'requests that may be rejected',
    params: members({ request: oneOf(Object.keys(ALL_REJECTED)) }),
    toCase: ({ request }): FreeCase => ({
      what: request,
      make: (run) => ({ request: (ALL_REJECTED[request] as (one: Request) => Request)(run.listing()) }),
    }),
    perRound: 3,
    reads: false,
    fills: [into(freelyAnswered)],
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
    params: members({
      bad: oneOf(Object.keys(ALL_BAD)),
      operation: oneOf(OPERATIONS),
      times: oneOf([1, 1, 1, 3]),
    }),
    toCase: ({ bad, operation, times }): AftermathCase => ({
      what: `${operation} after ${times > 1 ? `${times} times ` : ''}${bad}`,
      bad: ALL_BAD[bad] as AftermathCase['bad'],
      ...{ operation, times },
    }),
    perRound: 30,
    users: 2,
    fills: [into(afterBad)],
  }),
];
