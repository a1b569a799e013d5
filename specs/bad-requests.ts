import type { Request } from '../src/http/exchange.ts';
import { someOf } from '../src/plan/step.ts';
import type { AftermathCase } from '../src/plan/steps/aftermath.ts';
import { type BodyCase, bodyRequest, type MistypedCase } from '../src/plan/steps/bodies.ts';
import { type CredentialCase, credentialRequest } from '../src/plan/steps/credentials.ts';
import { firstKnown } from '../src/plan/steps/first.ts';
import { type LookupCase, lookupRequest } from '../src/plan/steps/refusals.ts';
import { CREATE, casesOf, LIST, noHeader, RETRIEVE, wrongKey } from './authentication.ts';
import { EVERY_MISTYPED, INVALID } from './create-user.ts';
import { LISTED_KINDS } from './plain-users.ts';
import { asText } from './refusals.ts';
import { NOBODYS, UNREAD } from './unknown-users.ts';

export type BadRequest = Pick<AftermathCase, 'what' | 'bad'>;

// Bad requests of cases that other steps send, too.
const byCredentials = (one: CredentialCase): BadRequest => {
  return { what: `${one.operation} with ${one.what}`, bad: (run, users) => credentialRequest(run, one, users) };
};
const byIdentifier = (one: LookupCase): BadRequest => {
  return { what: one.what, bad: (run, users) => lookupRequest(run, one, users) };
};
export const byBody = (one: BodyCase | MistypedCase): BadRequest => {
  return { what: one.what, bad: (run) => bodyRequest(run, one) };
};

/**
 * A creation with a body that no server reads at once: one that rejects it unread may take the rest for the next
 * request.
 */
const withLongBody = (one: CredentialCase): CredentialCase =>
  one.operation === CREATE
    ? { ...one, what: `${one.what} and a body of over ${LONG} characters`, members: { about: 'x'.repeat(LONG) } }
    : one;
const LONG = 66_000;

/** A request of a client that hangs up. */
const givenUp = (what: string, make: (...given: Parameters<BadRequest['bad']>) => Request): BadRequest => {
  return { what, bad: (...given) => ({ request: { ...make(...given), framing: 'aborted' } }) };
};
/** A body in chunks: a server that takes none may reject it unread as well. */
const inChunks = ({ what, bad }: BadRequest): BadRequest => ({
  what: `${what}, in chunks`,
  bad: (...given) => {
    const { request, ...rest } = bad(...given);
    return { request: { ...request, framing: 'chunked' }, ...rest };
  },
});

/** Requests that no service carries out, by what they are rejected for. */
const KINDS = {
  wrongKey: [...wrongKey, ...noHeader].map(withLongBody).map(byCredentials),
  otherCase: casesOf('other case').map(byCredentials),
  identifier: NOBODYS.map(byIdentifier),
  path: UNREAD.map(byIdentifier),
  members: [...INVALID.email.elsewhere, ...INVALID.name.elsewhere].map(byBody),
  empty: INVALID.empty.elsewhere.slice(0, 1).map(byBody),
  json: [...INVALID.object.elsewhere, ...INVALID.empty.elsewhere, ...EVERY_MISTYPED.slice(0, 2)].map(byBody),
  cut: INVALID.cut.elsewhere.map(byBody),
  mistyped: EVERY_MISTYPED.map(byBody),
  mediaType: [{ what: asText.what, bad: asText.make }],
  givenUp: [
    givenUp('a creation that is given up half-way', (run) => run.creating(run.factory.make())),
    // Of another user than the next one.
    givenUp('a retrieval that is given up', (run, users) => {
      const { identifier = firstKnown(users).identifier } = run.ledger.proven.at(-1) ?? {};
      return run.retrieval(identifier.segment);
    }),
  ],
};
export const BAD = Object.values(KINDS).flat();

/** An operation directly after a bad request. */
export const afterOne = ({ what, bad }: BadRequest, operation: AftermathCase['operation']): AftermathCase => {
  return { what: `${operation} after ${what}`, bad, operation };
};

/** A creation directly before a bad one on its connection: what is left of it may fill in what that one lacks. */
const beforeOne = ({ what, bad }: BadRequest): AftermathCase => {
  return { what: `${CREATE} before ${what}`, bad, operation: CREATE, isBefore: true };
};

/** An operation after one of a kind, in each run another one. */
function afterKind(operation: AftermathCase['operation'], kind: BadRequest[], turn = 0): AftermathCase[] {
  const all = kind.map((one) => afterOne(one, operation));
  return someOf(all, 1, turn);
}

const thenRetrieved = [
  // With a body that may stay unread.
  KINDS.wrongKey.filter(({ what }) => what.startsWith(CREATE)),
  KINDS.otherCase,
  KINDS.identifier,
  KINDS.members.map(inChunks),
  KINDS.cut,
  KINDS.givenUp,
];
const credentials = KINDS.wrongKey.slice(0, 2);
const thenListed = [KINDS.members, KINDS.cut.slice(0, 2), credentials, KINDS.identifier, KINDS.path].flat();

const created: AftermathCase[] = [
  ...[KINDS.wrongKey, KINDS.members, KINDS.cut, KINDS.json].flatMap((kind, at) => afterKind(CREATE, kind, at + 2)),
  ...afterKind(CREATE, KINDS.mediaType).map((one) => ({ ...one, isLast: true as const })),
  ...someOf(KINDS.members.map(beforeOne)),
  ...KINDS.empty.map(beforeOne),
];

/** Creations after bad requests and before some, after most a retrieval; the list, which may be long, after one. */
export const allAfter = [
  ...created.map((one, place) => ({ ...one, ...(LISTED_KINDS[place] && { kind: LISTED_KINDS[place] }) })),
  ...thenRetrieved.flatMap((kind, at) => afterKind(RETRIEVE, kind, at + 3)),
  ...afterKind(LIST, thenListed),
];
