import { isAccepted } from '../src/history/creation.ts';
import type { CaseResult, FollowUp, History, Outage } from '../src/history/history.ts';
import { isAnswered, isLost, isServerError, type Request } from '../src/http/exchange.ts';
import { isSilent } from '../src/http/failure.ts';
import {
  type Case,
  type Change,
  CREATE,
  inTurn,
  isSentAlone,
  LIST,
  RETRIEVE,
  sentAlone,
  withBody,
  withoutKey,
} from '../src/requirement/case.ts';
import { type Finding, failed, named, notVerified, passed } from '../src/requirement/finding.ts';
import { namesOf } from '../src/run/away.ts';
import { describeWrongRead } from './concurrent-creations.ts';
import { wrongKey } from './credentials.ts';
import { statusOf } from './expectations.ts';
import { asText } from './free-requests.ts';
import { INVALID } from './invalid-bodies.ts';
import { mistypedCases } from './mistyped-values.ts';
import { otherCase } from './near-keys.ts';
import { chapter, must, rule } from './requirement.ts';
import { otherSyntax } from './schemes.ts';
import { odd } from './unknown-identifiers.ts';

/**
 * More bytes than a server reads at once: one that rejects the request early may parse the rest as
 * the next request.
 */
const LONG_BODY = 66_000;

const withLongBody: Change = withBody((user) =>
  JSON.stringify({ ...user, about: 'x'.repeat(LONG_BODY) }),
);

type Framing = NonNullable<Request['framing']>;

const framed =
  (framing: Framing): Change =>
  (usual) => ({ ...usual, framing });

const alone = (
  name: string,
  operation: Case['operation'],
  change: Change,
  more: Partial<Case> = {},
): Case => sentAlone({ name, operation, change, ...more });

const aborted = (name: string, operation: Case['operation'], framing: Framing) =>
  alone(name, operation, framed(framing), operation === CREATE ? { expected: 'either' } : {});

// Other requirements declare some of these cases: those that are sent with nothing else in flight.

const credentialCases: Case[] = [
  ...[...wrongKey, ...otherCase, ...otherSyntax].filter(isSentAlone),
  alone('no Authorization header and a long body', CREATE, inTurn(withoutKey, withLongBody)),
];

const creationCases: Case[] = [
  ...[...Object.values(INVALID).flat(), ...mistypedCases, asText].filter(isSentAlone),
  alone(
    'no member name, in chunks',
    CREATE,
    inTurn(
      withBody(({ email }) => JSON.stringify({ email })),
      framed('chunked'),
    ),
  ),
  aborted('a creation aborted within its body', CREATE, 'aborted'),
  aborted('a creation aborted after the first byte of its body', CREATE, 'aborted at the head'),
  aborted('a creation aborted after its body', CREATE, 'aborted at the end'),
];

const readCases: Case[] = [
  ...odd.filter(isSentAlone),
  aborted('an aborted retrieval', RETRIEVE, 'aborted'),
  aborted('an aborted list request', LIST, 'aborted'),
];

/** Returns the first case of each list, then the second of each, and so on. */
function alternate(...lists: Case[][]): Case[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list[index] ?? []),
  );
  return turns.flat();
}

/**
 * Negative requests of each kind. The kinds take turns, so that a run that ends early has sent some
 * of each.
 */
const disturbing: Case[] = alternate(credentialCases, creationCases, readCases);

const SURVIVES = 'http.survives-bad-requests';

/** Whether other requirements declare a case, such as a duplicate, that valid requests follow. */
const isOfOthers = ({ slugs }: CaseResult): boolean => !slugs.includes(SURVIVES);

export const survival = chapter('HTTP and JSON', [
  must(SURVIVES, rule('1.1'), {
    sentence:
      'After rejected, malformed and aborted requests the service still responds to the next valid one.',
    cases: disturbing,
    expect: expectFollowUps,
    needs: ['list', 'users', 'end'],
    check: (history) => [
      ...history.results.filter(isOfOthers).flatMap(expectFollowUps),
      ...history.outages.flatMap(judgeOutage),
      ...checkNotLockedOut(history),
      ...checkLastCreation(history),
      ...checkRightKeys(history),
    ],
  }),
]);

const AS_BEFORE = 'the same response as before';

/**
 * Expects that valid requests after a negative one get the same response as before. A wrong one
 * that did not come again when both were repeated is judged by the requirements on valid requests.
 */
function expectFollowUps({ exchange, name, operation, followUps = [] }: CaseResult): Finding[] {
  return followUps.flatMap((followUp): Finding[] => {
    const { exchange: after, operation: next, earlier } = followUp;
    if (earlier) {
      const got = `${describeFollowUp(followUp)} for ${next} directly after that request, each time`;
      const failure = failed(AS_BEFORE, got, ...earlier, after);
      return named(`${operation} with ${name}`, failure);
    }
    if (isAnswered(after)) return [passed(exchange, after)];
    return [notVerified(`${after.failure}`, exchange, after)];
  });
}

function describeFollowUp({ exchange, read }: FollowUp): string {
  if (isLost(exchange)) return 'no response';
  const status = statusOf(exchange);
  return read && status < 300 ? `${status} with ${describeWrongRead(read)}` : `${status}`;
}

/** Fails for a request after which the service went away, each time it was sent. */
function judgeOutage({ exchange, again, text }: Outage): Finding[] {
  if (exchange === undefined) return [];
  const got = again
    ? `none: ${text}, each time after ${namesOf([again])}: does it crash the process?`
    : `none: ${text}, directly after ${namesOf([exchange])}`;
  return [failed(AS_BEFORE, got, exchange, again)];
}

/** Fails if no valid request succeeded any more after many negative ones. */
function checkNotLockedOut({ lockedOut }: History): Finding[] {
  if (lockedOut === undefined) return [];
  const { after, exchange } = lockedOut;
  const got = `${exchange.response?.status ?? exchange.failure}, and no other valid request succeeds`;
  return [failed(AS_BEFORE, got, after, exchange)];
}

/**
 * Checks that the last creation, after all rejected requests, gets a response. A wrong response
 * fails the requirements on valid requests.
 */
function checkLastCreation({ creations, exchanges }: History): Finding[] {
  const lastCreation = creations.findLast(({ expected, isAfterNegative, isConcurrent }) => {
    return expected === 'created' && !isAfterNegative && !isConcurrent;
  });
  const { exchange, response } = lastCreation ?? {};
  if (exchange === undefined || response !== 'unknown' || exchange.attempts === 0) return [];
  // The creation was sent alone, and twice. A later response excludes an outage.
  const isAnyLater = exchanges.some(({ id, failure }) => id > exchange.id && failure === undefined);
  if (!isSilent(exchange.failure) || !isAnyLater || !creations.some(isAccepted)) return [];
  return [failed(AS_BEFORE, 'no response after the rejected requests', exchange)];
}

/** Checks that the right key is accepted on a connection between wrong ones. */
function checkRightKeys({ results }: History): Finding[] {
  return results.flatMap(({ usual, slugs }): Finding[] => {
    const isKeyCase = slugs.some((slug) => slug.startsWith('authentication.'));
    if (!isKeyCase || usual === undefined || isLost(usual.exchange)) return [];
    // A 404 may come from a replica that lags, and a 500 fails `http.no-sporadic-error`.
    if (statusOf(usual.exchange) === 404 || isServerError(usual.exchange)) return [];
    const got = `${statusOf(usual.exchange)} between rejected requests`;
    return [usual.ok ? passed(usual.exchange) : failed(AS_BEFORE, got, usual.exchange)];
  });
}
