import {
  type Case,
  CREATE,
  inTurn,
  onEach,
  RETRIEVE,
  WRONG_KEY,
  withAuthorization,
  withBody,
  withPath,
} from '../src/requirement/case.ts';
import { noKey, noToken, wrongKey } from './credentials.ts';
import { keyElsewhere } from './key-elsewhere.ts';
import { cutShort, extended, oneCharacter, otherCase } from './near-keys.ts';
import { noScheme, otherScheme, otherSyntax } from './schemes.ts';

const withWrongKey = withAuthorization(`Bearer ${WRONG_KEY}`);

/** Cases with a wrong key and a second fault. */
export const wrongTwice: Case[] = [
  ...onEach(
    'a wrong key and an unknown identifier',
    inTurn(
      withWrongKey,
      withPath(() => '/users/null'),
    ),
    {
      operations: [RETRIEVE],
    },
  ),
  ...onEach('a wrong key and a truncated body', inTurn(withWrongKey, withBody('{')), {
    operations: [CREATE],
  }),
  ...onEach('a wrong key and a body without email and name', inTurn(withWrongKey, withBody('{}')), {
    operations: [CREATE],
  }),
  ...onEach('a wrong key and the email of a user who exists', withWrongKey, {
    operations: [CREATE],
    user: { email: (_, other) => other.email },
  }),
];

/** All cases with credentials that must be rejected. */
export const rejectedCredentials: Case[] = [
  noKey,
  wrongKey,
  noToken,
  cutShort,
  extended,
  otherCase,
  oneCharacter,
  otherScheme,
  noScheme,
  otherSyntax,
  wrongTwice,
  keyElsewhere.query,
  keyElsewhere.header,
  keyElsewhere.cookie,
  keyElsewhere.body,
].flat();
