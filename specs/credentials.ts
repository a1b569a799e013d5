import type { Operation } from '../src/history/history.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  LIST,
  OPERATIONS,
  onEach,
  RETRIEVE,
  sentAlone,
  WRONG_KEY,
  withAuthorization,
  withHeaders,
  withoutKey,
} from '../src/requirement/case.ts';

/** Cases that set the same Authorization header on some operations, by default on each. */
export const authorization = (
  name: string,
  value: string,
  operations: readonly Operation[] = OPERATIONS,
  more: Partial<Case> = {},
): Case[] => onEach(name, withAuthorization(value), { operations, ...more });

/** Cases that each send a header once: the operations take turns. */
export const oneByOne = (rows: readonly (readonly [name: string, value: string])[]): Case[] =>
  rows.flatMap(([name, value], index) =>
    authorization(name, value, [OPERATIONS[index % OPERATIONS.length] as Operation]),
  );

/** Sends the cases of one operation with nothing else in flight. */
export const sentAloneOn = (operation: Operation, cases: readonly Case[]): Case[] =>
  cases.map((candidate) => (candidate.operation === operation ? sentAlone(candidate) : candidate));

export const noKey = onEach('no Authorization header', withoutKey);
export const wrongKey = sentAloneOn(RETRIEVE, authorization('a wrong key', `Bearer ${WRONG_KEY}`));

/** A service may start checking keys only once it has a user. */
export const beforeUsers = {
  noKey: onEach('no Authorization header before the first user', withoutKey, {
    operations: [LIST],
    phase: 'before users',
  }),
  wrongKey: authorization('a wrong key before the first user', `Bearer ${WRONG_KEY}`, [CREATE], {
    phase: 'before users',
  }),
};

/**
 * A service may stop checking keys after a while. In SQL's LIKE, a percent sign matches any key.
 */
export const atEnd = authorization('the key % at the end of the run', 'Bearer %', [LIST], {
  phase: 'end',
});

/** The cookies that the service has set are no credentials. */
const withOwnCookies: Change = (usual, context) => {
  const { cookies } = context;
  if (cookies === undefined) return undefined;
  return inTurn(withoutKey, withHeaders({ cookie: cookies }))(usual, context);
};
export const ownCookies = onEach(
  "the service's own cookies and no Authorization header",
  withOwnCookies,
);

/** A service may require the key for only some of its users. */
export const existingUser = onEach(
  'no Authorization header, for a user from before the run',
  withoutKey,
  {
    operations: [RETRIEVE],
    known: 'existing',
  },
);

export const noToken = [
  ...authorization('an empty Authorization header', ''),
  ...onEach(
    'the scheme without a token, and accept-encoding: gzip, br',
    inTurn(withHeaders({ 'accept-encoding': 'gzip, br' }), withAuthorization('Bearer')),
    // A cache may hold the response for this user in that coding.
    { known: 'first' },
  ),
];
