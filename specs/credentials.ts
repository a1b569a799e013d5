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

/** The same Authorization header on some operations; absent: on each. */
export const authorization = (
  name: string,
  value: string,
  operations: readonly Operation[] = OPERATIONS,
  more: Partial<Case> = {},
): Case[] => onEach(name, withAuthorization(value), { operations, ...more });

/** Names and headers, of which each operation takes the next one in turn: each is sent once. */
export const oneByOne = (
  rows: readonly (readonly [name: string, value: string])[],
  from = 0,
): Case[] =>
  rows.flatMap(([name, value], at) =>
    authorization(name, value, [OPERATIONS[(from + at) % OPERATIONS.length] as Operation]),
  );

export const noKey = onEach('no Authorization header', withoutKey);
export const wrongKey = authorization('a wrong key', `Bearer ${WRONG_KEY}`).map((one) =>
  one.operation === RETRIEVE ? sentAlone(one) : one,
);

/** A service may check keys only from the first user on. */
export const beforeUsers = {
  noKey: onEach('no Authorization header before the first user', withoutKey, {
    operations: [LIST],
    phase: 'before users',
    needsNoProof: true,
  }),
  wrongKey: authorization('a wrong key before the first user', `Bearer ${WRONG_KEY}`, [CREATE], {
    phase: 'before users',
  }),
};

/** Or only at first; SQL's LIKE takes a percent sign for any key. */
export const atEnd = authorization('the key % at the end of the run', 'Bearer %', [LIST], {
  phase: 'end',
});

/** The cookies of the service itself are no credentials. */
const withOwnCookies: Change = (usual, context) => {
  const { cookies } = context;
  return cookies === undefined
    ? undefined
    : inTurn(withoutKey, withHeaders({ cookie: cookies }))(usual, context);
};
export const ownCookies = onEach(
  "the service's own cookies and no Authorization header",
  withOwnCookies,
);

/** A service may be open for some users only. */
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
    // A cache may have kept the response of this user for that coding.
    { known: 'first' },
  ),
];
