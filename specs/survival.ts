import { isAsUsual } from '../src/history/follow-up.ts';
import type { CaseResult, History, Outage } from '../src/history/history.ts';
import {
  isAborted,
  isAnswered,
  isLost,
  isServerError,
  type Request,
} from '../src/http/exchange.ts';
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
import {
  type Finding,
  failed,
  named,
  notVerified,
  passed,
  verify,
} from '../src/requirement/finding.ts';
import { namesOf } from '../src/run/away.ts';
import { wrongKey } from './credentials.ts';
import { statusOf } from './expectations.ts';
import { asText } from './free-requests.ts';
import { INVALID } from './invalid-bodies.ts';
import { mistypedCases } from './mistyped-values.ts';
import { otherCase } from './near-keys.ts';
import { chapter, must, rule } from './requirement.ts';
import { otherSyntax } from './schemes.ts';
import { odd } from './unknown-identifiers.ts';

/** Bytes that no server reads at once: who rejects the request unread may take the rest for the next one. */
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

/** The cases of other requirements that are sent in the phase in which nothing else is in flight. */
const [unauthorized, rejected, unknown] = [
  [...wrongKey, ...otherCase, ...otherSyntax],
  [...Object.values(INVALID).flat(), ...mistypedCases, asText],
  odd,
].map((cases) => cases.filter(isSentAlone)) as [Case[], Case[], Case[]];

/** One of each list in turn. */
const alternating = (lists: Case[][]): Case[] =>
  Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, at) =>
    lists.flatMap((list) => list[at] ?? []),
  ).flat();

/** One negative request of each kind. Chapters take turns. */
const disturbing: Case[] = alternating([
  [
    ...unauthorized,
    alone('no Authorization header and a long body', CREATE, inTurn(withoutKey, withLongBody)),
  ],
  [
    ...rejected,
    alone(
      'no member name, in chunks',
      CREATE,
      inTurn(
        withBody(({ email }) => JSON.stringify({ email })),
        framed('chunked'),
      ),
    ),
    aborted('a creation that is given up within its body', CREATE, 'aborted'),
    aborted(
      'a creation that is given up after the first byte of its body',
      CREATE,
      'aborted at the head',
    ),
    aborted('a creation that is given up after its body', CREATE, 'aborted at the end'),
  ],
  [
    ...unknown,
    aborted('a retrieval that is given up', RETRIEVE, 'aborted'),
    aborted('a list request that is given up', LIST, 'aborted'),
  ],
]);

const AS_BEFORE = 'the same response as before';

/** Expects that valid requests after a negative one are answered as before. */
function expectAnswered(
  { exchange, name, operation, followUps = [] }: CaseResult,
  history: History,
): Finding[] {
  return followUps.flatMap((followUp): Finding[] => {
    const { exchange: after, operation: next } = followUp;
    if (!isAnswered(after) && !isAnswered(exchange) && !isAborted(exchange.request)) {
      return [notVerified(`${after.failure}`, exchange, after)];
    }
    const isAsBefore = isAsUsual(followUp, history) && !isLost(after);
    const status = `${statusOf(after)}${statusOf(after) < 300 ? ' with another user, or none,' : ''}`;
    const got = `${isLost(after) ? 'no response' : status} for ${next} directly after that request`;
    return named(`${operation} with ${name}`, verify(isAsBefore, AS_BEFORE, got, exchange, after));
  });
}

/** A target that went away each time after the same request. */
function causes({ exchange, again, text }: Outage): Finding[] {
  if (exchange === undefined) return [];
  const got = again
    ? `none: ${text}, each time after ${namesOf([again])}: does it crash the process?`
    : `none: ${text}, directly after ${namesOf([exchange])}`;
  return [failed(AS_BEFORE, got, exchange, again)];
}

/** No valid request is answered any more after many negative ones. */
function lockedOut({ lockedOut: locked }: History): Finding[] {
  if (locked === undefined) return [];
  const { after, exchange } = locked;
  const got = `${exchange.response?.status ?? exchange.failure}, and no other valid request succeeds`;
  return [failed(AS_BEFORE, got, after, exchange)];
}

/** The last creation is answered as any other, after all that was rejected. */
function lastCreation({ creations, exchanges }: History): Finding[] {
  const last = creations.findLast(({ expected, isAfterNegative, isConcurrent }) => {
    return expected === 'created' && !isAfterNegative && !isConcurrent;
  });
  const { exchange, response } = last ?? {};
  // It was sent alone, and twice if there was no response in time.
  const isSilence =
    response === 'unknown' &&
    isSilent(exchange?.failure) &&
    exchange?.attempts !== 0 &&
    exchanges.some(({ id, failure }) => id > (exchange?.id ?? 0) && failure === undefined);
  const isFailure = response === 'rejected' && exchange !== undefined && isServerError(exchange);
  if (exchange === undefined || !(isSilence || isFailure)) return [];
  const wereAccepted = creations.some(
    (creation) => creation.response === 'accepted' && creation.expected === 'created',
  );
  if (!wereAccepted) return [];
  const before = exchanges.findLast(({ id, isValid }) => id < exchange.id && !isValid);
  const got = isSilence ? 'no response' : `${statusOf(exchange)}`;
  return [failed(AS_BEFORE, `${got} after the rejected requests`, before, exchange)];
}

export const survival = chapter('HTTP and JSON', [
  must('http.survives-bad-requests', rule('1.1'), {
    sentence:
      'After rejected, malformed and aborted requests the service still responds to the next valid one.',
    cases: disturbing,
    expect: expectAnswered,
    needs: ['list', 'users', 'end'],
    check: (history) => [
      ...history.outages.flatMap(causes),
      ...lockedOut(history),
      ...lastCreation(history),
      ...amongWrongKeys(history),
    ],
  }),
]);

/** The right key is accepted on a connection between wrong ones. */
function amongWrongKeys({ results }: History): Finding[] {
  return results.flatMap(({ usual, slugs }): Finding[] => {
    const isKeyCase = slugs.some((slug) => slug.startsWith('authentication.'));
    if (!isKeyCase || usual === undefined || isLost(usual.exchange)) return [];
    // It may come from a replica that lags.
    if (statusOf(usual.exchange) === 404) return [];
    const got = `${statusOf(usual.exchange)} between rejected requests`;
    return [usual.ok ? passed(usual.exchange) : failed(AS_BEFORE, got, usual.exchange)];
  });
}
