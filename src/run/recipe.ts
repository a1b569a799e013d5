import { type Creation, isAccepted } from '../history/creation.ts';
import type { CaseResult, History } from '../history/history.ts';
import { showsOnlyUser } from '../history/record.ts';
import {
  type Exchange,
  endOf,
  isAborted,
  isServerError,
  isSuccess,
  type Request,
} from '../http/exchange.ts';
import {
  distinct,
  failuresIn,
  isFailed,
  type Judged,
  type RecipeStep,
  simplestFirst,
} from '../requirement/outcome.ts';

/** Failures of a requirement for which a recipe is looked for, at most. */
const MOST_FAILURES = 30;

/**
 * Adds to each failed requirement the requests that repeat one of its failures against a service
 * that was just started, if a few requests can. The outcome then ends with the exchanges of that
 * failure.
 */
export function withRecipes(judged: readonly Judged[], history: History): Judged[] {
  return judged.map((requirement): Judged => {
    if (!isFailed(requirement)) return requirement;
    const failures = simplestFirst(failuresIn(requirement.findings)).slice(0, MOST_FAILURES);
    for (const { exchanges } of failures) {
      const recipe = recipeFor(exchanges, history);
      if (recipe === undefined) continue;
      const { outcome } = requirement;
      const shown = distinct([...outcome.exchanges, ...exchanges]);
      return { ...requirement, outcome: { ...outcome, exchanges: shown, recipe } };
    }
    return requirement;
  });
}

/** Creations that a recipe makes before a list, at most: a fault that needs more is a history. */
const MOST_CREATIONS = 2;

/**
 * Returns the requests that repeat a failure against a service that was just started; creations
 * come first. Undefined if no few requests can: the failure needs many users, other requests in
 * flight, or a history.
 */
function recipeFor(
  evidence: readonly Exchange[],
  history: History,
): RecipeStep<Exchange>[] | undefined {
  const shown = fromLastNegative(evidence);
  const last = shown.at(-1);
  if (last === undefined || evidence.some((exchange) => needsMore(exchange, history))) {
    return undefined;
  }
  const isAlone = shown.every((exchange) => exchange.isValid || exchange === last);
  if (isAlone && isRightAtOtherTimes(last, history)) return undefined;
  if (isBesideOthers(last, history) || isServiceFault(last, history)) return undefined;
  const exchanges = new Set(
    shown.flatMap((exchange) => [...neededFor(exchange, history), exchange]),
  );
  const users = new Map<Exchange, Creation>();
  // The loop also reaches exchanges that it adds.
  for (const exchange of exchanges) {
    if (isList(exchange, history)) {
      const before = creationsBefore(exchange, history);
      const isOfFinding = shown.some(({ request }) => request.method === 'POST');
      if (isOfFinding) continue;
      if (before.length > MOST_CREATIONS) return undefined;
      for (const { exchange: created } of before) if (created) exchanges.add(created);
    } else if (exchange.request.method === 'GET') {
      if (isDerived(exchange, history)) return undefined;
      const user = userIn(exchange, history);
      if (user?.exchange === undefined) {
        if (!isRepeatable(exchange, history)) return undefined;
        continue;
      }
      users.set(exchange, user);
      exchanges.add(user.exchange);
    }
  }
  const ordered = [...exchanges].sort((a, b) => a.id - b.id);
  // Packets matter in the failure itself only, not in the creation of the user before it.
  if (shown.some(({ request }) => request.framing === 'packets')) return undefined;
  if (ordered.some(({ request }) => !fitsIntoShell(request))) return undefined;
  return ordered.map((exchange) => stepOf(exchange, ordered, users));
}

/** Returns the last negative exchange and those after it: what was before it is not needed. */
function fromLastNegative(evidence: readonly Exchange[]): readonly Exchange[] {
  const ordered = [...evidence].sort((a, b) => a.id - b.id);
  const negative = ordered.findLastIndex(({ isValid }) => !isValid);
  return ordered.slice(Math.max(negative, 0));
}

/**
 * Returns what must come before a request: the first request of its case, the user whose data it
 * shows or who shares a value with it, and the first retrieval of a user who is retrieved again.
 */
function neededFor(exchange: Exchange, history: History): Exchange[] {
  const { results, rereads, creations } = history;
  const isSent = (sent: { exchange?: Exchange }) => sent.exchange === exchange;
  const result = results.find(isSent);
  const { body = '' } = exchange.request;
  const shared = creations.find((created) => {
    const { email, name } = created.user;
    const isShared = body.toLowerCase().includes(email.toLowerCase()) || body.includes(`"${name}"`);
    return isShared && isAccepted(created) && !isSent(created);
  });
  const requested = userIn(exchange, history);
  // A cache may have stored the first retrieval.
  const isAgain = result !== undefined || rereads.some(({ read }) => isSent(read));
  const firstRead = isAgain ? requested?.reads[0] : undefined;
  const shown = shownIn(exchange, result?.leak, history, requested);
  const needed = [shown?.exchange, shared?.exchange, firstRead?.exchange, result?.before];
  return needed.flatMap((other) => (other && other.id < exchange.id ? [other] : []));
}

/** Returns a user whose data a response shows, but for the one who was requested. */
function shownIn(
  exchange: Exchange,
  leak: string | undefined,
  history: History,
  requested: Creation | undefined,
): Creation | undefined {
  if (isList(exchange, history)) return undefined;
  const { body = '' } = exchange.response ?? {};
  return history.creations.find((creation) => {
    const { email, name } = creation.user;
    const isShown = body.includes(email) || (leak && [email, name].join().includes(leak));
    return isShown && creation !== requested && creation.exchange !== exchange;
  });
}

function stepOf(
  exchange: Exchange,
  ordered: readonly Exchange[],
  users: ReadonlyMap<Exchange, Creation>,
): RecipeStep<Exchange> {
  const user = users.get(exchange);
  const created = [...users.values()].find((creation) => creation.exchange === exchange);
  const place = created?.identifier?.place;
  const step = user?.exchange ? ordered.indexOf(user.exchange) : -1;
  const segment = user?.identifier?.segment;
  return {
    exchange,
    ...(place !== undefined && { place }),
    ...(segment !== undefined && { identifier: { segment, step } }),
  };
}

/**
 * Whether an exchange ended the service, or was wrong only among other requests, only after many,
 * or only for one of two users.
 */
const needsMore = (exchange: Exchange, history: History): boolean => {
  if (exchange.keyBefore !== undefined) return true;
  const { results, rereads, creations, unauthorized, outages, lockedOut } = history;
  const among = [
    ...results.map(({ concurrent }) => concurrent?.exchange),
    ...rereads.map(({ concurrent, read }) =>
      concurrent?.exchange === read.exchange ? undefined : concurrent?.exchange,
    ),
    ...creations.map((creation) => (creation.isConcurrent ? creation.exchange : undefined)),
    ...results.flatMap(wrongForOneUser),
    ...unauthorized,
    ...outages.map((outage) => outage.exchange),
    lockedOut?.exchange,
  ];
  return among.includes(exchange);
};

/** Returns the wrong responses after a negative request that were right for another user. */
function wrongForOneUser({ followUps = [] }: CaseResult): Exchange[] {
  const right = followUps.filter(({ exchange }) => isSuccess(exchange));
  const operations = new Set(right.map(({ operation }) => operation));
  const wrong = followUps.filter(({ exchange }) => !isSuccess(exchange));
  return wrong.filter(({ operation }) => operations.has(operation)).map(({ exchange }) => exchange);
}

const isList = (exchange: Exchange, { lists }: History): boolean =>
  lists.some((list) => list.exchange === exchange);

const creationsBefore = ({ id }: Exchange, { creations }: History): Creation[] =>
  creations.filter((creation) => {
    return isAccepted(creation) && creation.exchange !== undefined && creation.exchange.id < id;
  });

/** Returns the created user whose identifier is in the path of a request. */
function userIn({ request }: Exchange, { creations }: History): Creation | undefined {
  const [, rest = ''] = /\/users\/(.*)$/i.exec(request.path) ?? [];
  const inPath = creations.filter(({ identifier }) => {
    return identifier !== undefined && rest.includes(identifier.segment);
  });
  // A short identifier may be a part of a longer one.
  return inPath.sort((a, b) => lengthOf(b) - lengthOf(a))[0];
}

const lengthOf = ({ identifier }: Creation): number => identifier?.segment.length ?? 0;

/** Whether a path has an unknown identifier that is made from those of the run. */
const isDerived = ({ request }: Exchange, { results }: History): boolean =>
  results.some((result) => result.isDerived && result.exchange.request.path === request.path);

/** Whether a path without an identifier of the run means the same to a new process. */
const isRepeatable = (exchange: Exchange, { results, existing }: History): boolean =>
  existing.every((user) => user.exchange !== exchange) &&
  results.some(({ exchange: sent, before }) => [sent, before].includes(exchange));

/**
 * Whether a creation was sent beside others that may be the reason for its response: a 5xx, or a 2xx
 * that is no fault by itself.
 */
function isBesideOthers(exchange: Exchange, { creations }: History): boolean {
  const creation = creations.find((created) => created.exchange === exchange);
  const overlaps = (other: Exchange) => other.at <= endOf(exchange) && endOf(other) >= exchange.at;
  if (creation === undefined) return false;
  const isRight = creation.expected !== 'rejected' && isSuccess(exchange);
  if (!isRight && !isServerError(exchange)) return false;
  return creations.some(({ exchange: other }) => other && other !== exchange && overlaps(other));
}

/** Whether a negative request got a 5xx, as valid ones did: the reason may be any request before. */
const isServiceFault = (exchange: Exchange, { exchanges }: History): boolean =>
  !exchange.isValid &&
  isServerError(exchange) &&
  exchanges.some((other) => other.isValid && isServerError(other));

/** Whether a request of the same kind got another response at another time. */
function isRightAtOtherTimes(exchange: Exchange, { exchanges, creations }: History): boolean {
  const status = exchange.response?.status;
  const differs = (other: Exchange | undefined) =>
    other?.response !== undefined && other.response.status !== status;
  const creation = creations.find((candidate) => candidate.exchange === exchange);
  if (creation) {
    const ofKind = creations.filter(({ name, response }) => {
      return name === creation.name && response !== creation.response;
    });
    return ofKind.some((other) => differs(other.exchange));
  }
  const text = textOf(exchange.request);
  const reads = creations.flatMap((user) => user.reads);
  const isWrongRead = reads.some((read) => read.exchange === exchange && !showsOnlyUser(read));
  const isRight = (other: Exchange) =>
    differs(other) ||
    (isWrongRead && reads.some((read) => read.exchange === other && showsOnlyUser(read)));
  return exchanges.some((other) => textOf(other.request) === text && isRight(other));
}

function textOf({ method, path, headers }: Request): string {
  const { 'x-request-id': _, ...others } = headers;
  return JSON.stringify([method, path, others]);
}

/** Whether a shell command can send a request, in whatever packets. */
const fitsIntoShell = ({ framing, cut }: Request): boolean =>
  !cut && framing !== 'bytes' && !isAborted({ framing } as Request);
