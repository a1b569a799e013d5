import { isAnswered, isLost, isSuccess } from '../src/http/exchange.ts';
import { isTaken } from '../src/http/failure.ts';
import { cases, Missing, type OrMissing, orMissingOf, present, wholeRun, type Yields } from '../src/plan/evidence.ts';
import { named, type ServiceEnd } from '../src/plan/service-end.ts';
import { faultOf, someOf, type Tried, type YieldOf } from '../src/plan/step.ts';
import { type AftermathCase, type AfterRow, aftermath, refusalsInARow } from '../src/plan/steps/aftermath.ts';
import { type BodyCase, bodyRequest, type MistypedCase } from '../src/plan/steps/bodies.ts';
import { type Attempt, attempted, type CredentialCase, credentialRequest } from '../src/plan/steps/credentials.ts';
import { firstKnown } from '../src/plan/steps/first.ts';
import { type LastLooks, lastLooks } from '../src/plan/steps/last.ts';
import { isAsBefore } from '../src/plan/steps/reads.ts';
import { type LookupCase, lookupRequest } from '../src/plan/steps/refusals.ts';
import { each, type Finding, notVerified, of, PASSED, that } from '../src/requirement/finding.ts';
import { CREATE, casesOf, LIST, noHeader, onUsed, RETRIEVE, wrongKey } from './authentication.ts';
import { EVERY_MISTYPED, INVALID } from './create-user.ts';
import { isAuthorised } from './http.ts';
import { LISTED_KINDS } from './plain-users.ts';
import { asText } from './refusals.ts';
import { chapter, drawn, must, rule } from './requirement.ts';
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

/** A creation with a body that no server reads at once: who rejects it unread may take the rest for a request. */
const withLongBody = (one: CredentialCase): CredentialCase =>
  one.operation === CREATE
    ? { ...one, what: `${one.what} and a body of over ${LONG} characters`, members: { about: 'x'.repeat(LONG) } }
    : one;
const LONG = 66_000;

/** Sent in another way: by a client that hangs up, or in chunks, which a server that takes none may reject unread. */
const framed = (framing: 'aborted' | 'chunked', what: string, bad: BadRequest['bad']): BadRequest => ({
  what,
  bad: (...given) => {
    const sent = bad(...given);
    return { ...sent, request: { ...sent.request, framing } };
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
    framed('aborted', 'a creation that is given up half-way', (run) => ({ request: run.creating(run.factory.make()) })),
    // Of another user than the next one.
    framed('aborted', 'a retrieval that is given up', (run, users) => {
      const { identifier = firstKnown(users).identifier } = run.ledger.proven.at(-1) ?? {};
      return { request: run.retrieval(identifier.segment) };
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
  KINDS.members.map(({ what, bad }) => framed('chunked', `${what}, in chunks`, bad)),
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

type Aftermath = YieldOf<typeof aftermath>;

/** Retrievals after bad requests, of whom most are sent at the same time. */
export const retrievalsAfterBad = cases(aftermath, ...allAfter.filter(({ operation }) => operation === RETRIEVE));

const AS_BEFORE = 'the same response as before';

const faultIn = (one: Aftermath) => faultOf(one, ({ isRight }) => isRight);

/** Whether an answer was lost by chance, or because a connection is closed after one request, whatever it was. */
function isLostAnyway(one: Aftermath): boolean {
  const { first, usual } = one;
  const fault = faultIn(one);
  const isUsualLost = fault === 'operation' && usual !== undefined && isLost(usual.after);
  return isLost(first.after) && (fault === 'company' || isUsualLost);
}

/**
 * The next valid request is answered. One that got no answer fails only where that is so each time after the same
 * request.
 */
function isAnsweredAfter(one: Aftermath, all: OrMissing<Aftermath>[]): Finding[] {
  const { first, usual, again } = one;
  // A few are tried again: what these show holds for others that got no answer.
  const isChance = present(all).some(isLostAnyway);
  const fault = faultIn(one);
  if (isChance && isLost(first.after) && fault !== 'case') return isAnswered(first.after) ? [PASSED] : [];
  const shownBy = [first.before, first.after, again?.before, again?.after];
  const status = `${first.after.response?.status}${isSuccess(first.after) ? ' with another user, or none,' : ''}`;
  const got = isLost(first.after) ? 'no response' : status;
  const isNot = (when: string) => of(one.one.what, that(false, AS_BEFORE, `${got}${when}`, ...shownBy));
  // What was carried out was not refused, which is a matter of its own.
  if (fault === 'case') return isSuccess(first.before) ? [] : isNot(' each time after that request');
  if (fault === 'company' && !isLost(first.after)) return isNot(' once, between rejected requests');
  // It was answered when it was sent again, and nothing shows that it was not chance.
  if (fault === 'none' || fault === 'company' || isAnswered(first.after)) return [PASSED];
  return [notVerified(`${first.after.failure}`, first.after, usual?.after)];
}

/** A service that is brought back by a supervisor was away all the same, and one that is held up was silent to all. */
function doesHarm({ first, again, after }: Yields['culprits'][number]): Finding {
  const when = `each time after ${named([again])}`;
  const status = after && isLost(after) ? 'no response in time' : after?.response?.status;
  const got = after ? `${status}, ${when}` : `none for a moment, ${when}: does it crash the process?`;
  return that(false, AS_BEFORE, got, first, again, after);
}

/** The right key is taken among wrong ones. */
function isAnsweredAmongWrong({ usual }: Attempt): Finding[] {
  const { exchange } = usual?.read ?? {};
  if (exchange === undefined || isLost(exchange)) return [];
  const got = `${exchange.response?.status} once, between rejected requests`;
  return [that(isSuccess(exchange), AS_BEFORE, got, exchange)];
}

/**
 * Where the service, or a gateway in its place, takes requests and answers no valid one any more, malformed requests
 * have brought that about. Of one that is not there at all nobody knows what ended it.
 */
function isStillThere({ stopped, bad }: Yields): Finding[] {
  if (stopped?.by !== 'service') return [];
  const { why, record } = stopped;
  const [shown] = why.exchanges;
  const malformed = record.filter((one) => {
    return bad.has(one.id) && one.request.method === 'POST' && isAuthorised(one) && one.id < (shown?.id ?? 0);
  });
  const isThere = shown?.response !== undefined || isTaken(shown?.failure);
  if (shown === undefined || !isThere || (!isAnswered(shown) && malformed.length === 0))
    return [notVerified(why.message, ...why.exchanges)];
  const isCreation = shown.request.method === 'POST';
  const others = isCreation
    ? 'both times it was sent alone, while reads succeed'
    : 'and no other valid request succeeds';
  const got = `${shown.response?.status ?? shown.failure}, ${others}`;
  return [that(false, AS_BEFORE, got, malformed.at(-1), shown)];
}

/** A service that was started again, and ends by the same requests, is not there for the next one. */
function endsAgain({ text, again }: ServiceEnd): Finding[] {
  const got = `none: ${text}; after a restart, the same requests ended it again: ${named(again)}`;
  return again.length === 0 ? [] : [that(false, AS_BEFORE, got, ...again)];
}

/** After many refused requests the next valid one is answered, as it is when it is sent again. */
function afterARow(tried: Tried<AfterRow>): Finding {
  const { last, read } = tried.first;
  const fault = faultOf(tried, isAsBefore);
  if (fault === 'none') return PASSED;
  if (!isAnswered(read.exchange) || fault !== 'company')
    return notVerified(read.exchange.failure ?? 'the request fails later, too', read.exchange);
  const got = `${read.exchange.response?.status} directly after ${tried.one.what}`;
  return that(false, AS_BEFORE, got, last, read.exchange);
}

/** The last creation is answered as any other, after all that was refused. */
function isCreatedAtEnd(run: Yields, { created }: LastLooks): Finding[] {
  if (created instanceof Missing || created.first.answered === 'unknown') return [];
  const fault = faultOf(created, ({ answered }) => answered !== 'refused');
  const { exchange } = created.first;
  const status = exchange?.response?.status ?? 0;
  // A 500 that comes once, and any other refusal that comes again, has other reasons.
  const isUpset = (fault === 'company' && status < 500) || (fault === 'operation' && status >= 500);
  if (exchange === undefined || !isUpset) return [PASSED];
  const last = run.record.findLast((one) => run.bad.has(one.id) && one.id < exchange.id);
  const how = fault === 'operation' ? '; no later creation succeeds' : ', once';
  return [that(false, AS_BEFORE, `${status} after the rejected requests${how}`, last, exchange)];
}

/** What came of cases that a thorough run adds to. */
export const afterBad = drawn(aftermath, ...allAfter);
export const afterRows = drawn(refusalsInARow);

export const survival = chapter('HTTP and JSON', [
  must('http.survives-bad-requests', rule('1.1'), {
    sentence: 'After rejected, malformed and aborted requests the service still responds to the next valid one.',
    evidence: {
      run: wholeRun,
      after: afterBad,
      keys: attempted(...onUsed),
      rows: afterRows,
      looks: orMissingOf(lastLooks),
    },
    check: ({ run, after, keys, rows, looks }) => [
      ...(run.ended ? endsAgain(run.ended) : isStillThere(run)),
      ...run.culprits.map(doesHarm),
      ...each(after, (one) => isAnsweredAfter(one, after)),
      ...present(keys).flatMap(isAnsweredAmongWrong),
      ...each(rows, (all) => all.map(afterARow)),
      ...(looks instanceof Missing ? [] : isCreatedAtEnd(run, looks)),
    ],
  }),
]);
