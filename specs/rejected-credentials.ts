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

const invalidBodies = [
  ['a wrong key and a truncated body', '{'],
  ['a wrong key and a body without email and name', '{}'],
] as const;
const withWrongKey = withAuthorization(`Bearer ${WRONG_KEY}`);

/** A wrong key, and something else that is wrong. */
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
  ...invalidBodies.flatMap(([name, body]) =>
    onEach(name, inTurn(withWrongKey, withBody(body)), { operations: [CREATE] }),
  ),
  ...onEach('a wrong key and the email of a user who exists', withWrongKey, {
    operations: [CREATE],
    user: { email: (_, other) => other.email },
  }),
];

/** All credentials that are rejected. */
export const rejectedCredentials = [
  ...[
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
  ],
  ...[wrongTwice, keyElsewhere.query, keyElsewhere.header, keyElsewhere.cookie, keyElsewhere.body],
].flat();
