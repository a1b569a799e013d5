import { type Exchange, isSuccess, type Request } from '../http/exchange.ts';
import { BEARER } from '../http/key.ts';
import type { Creation } from '../plan/ledger.ts';
import type { Run } from '../plan/run.ts';
import type { Judged } from '../requirement/judge.ts';
import type { Again } from './small.ts';

/** A failure as steps that anybody can repeat, in the order in which they are to be sent. */
export interface Reproduction {
  /** How often it was seen when it was tried again, in words; absent where it was not. */
  seen?: string;
  /** Absent where steps one after the other can't show it. */
  script?: Script;
}

export interface Script {
  steps: ScriptStep[];
  /** How the fault shows after the last step. */
  fault:
    | { kind: 'status'; status: number }
    /** The last request is answered 2xx. */
    | { kind: 'success' }
    /** The created user is not retrieved with this email and name. */
    | { kind: 'user'; email: string; name: string }
    /** The totals of the first and the last list differ by something else than the users created between. */
    | { kind: 'total' };
  expected: string;
  got: string;
}

export type ScriptStep =
  | { do: 'send'; request: Request; seen: string }
  /** Creates a user; what follows finds its identifier where the run found it. */
  | { do: 'create'; request: Request; seen: string; place: string }
  /** Creates further users, one after the other. */
  | { do: 'fill'; users: number }
  | { do: 'wait'; seconds: number };

/** Stand in a script for what differs each time that it runs: a user's own letters, and its identifier. */
export const PLACEHOLDERS = {
  tag: '\u0002tag\u0002',
  Tag: '\u0002Tag\u0002',
  TAG: '\u0002TAG\u0002',
  id: '\u0002id\u0002',
  base: '\u0002base\u0002',
};

/** A pause in the run that may be what a fault needs. Milliseconds. */
const PAUSE_MS = 5000;

/**
 * Tells how a failure of a thorough run can be reproduced. `again` is what came of trying it again: undefined where it was not
 * seen, absent where it was not tried. Pure.
 */
export function reproductionOf(run: Run, { findings }: Judged, again?: Again | 'not seen'): Reproduction {
  const finding = findings.find(({ outcome }) => outcome === 'failed');
  const script = finding?.outcome === 'failed' ? scriptOf(run, finding) : undefined;
  if (again === undefined) return script ? { script } : {};
  const isAlone = again !== 'not seen' && again.how === 'alone';
  return { seen: seenText(again), ...(script && isAlone && { script }) };
}

function seenText(again: Again | 'not seen'): string {
  if (again === 'not seen') return 'once, and not when it was tried again';
  const often = `${again.seen} of ${again.tried} times when it was tried again`;
  if (again.how === 'alone') return `${often} alone`;
  return `${often}, only together with others: it depends on what is sent at the same time, or was sent before`;
}

function scriptOf(
  run: Run,
  { exchanges, expected, got }: { exchanges: Exchange[]; expected: string; got: string },
): Script | undefined {
  const shown = [...new Set(exchanges)].sort((a, b) => a.id - b.id);
  const [first] = shown;
  const last = shown.at(-1);
  if (first === undefined || last?.response === undefined) return undefined;
  if (last !== first && isList(run, first) && isList(run, last)) {
    const users = createdBetween(run, first, last);
    const steps: ScriptStep[] = [send(run, first), ...fill(users), send(run, last)];
    return { steps, fault: { kind: 'total' }, expected, got };
  }
  const user = run.ledger.proven.find(
    (one) => one.identifier && last.request.path.includes(`/users/${one.identifier.segment}`),
  );
  // A user who was there before the run is on this service alone.
  const isOlder = user === undefined ? shown.slice(0, -1).some((one) => isList(run, one)) : user.exchange === undefined;
  if (isOlder) return undefined;
  const isReread = user?.exchange !== undefined && isAuthorised(last) && last.request.method === 'GET';
  const before = shown.slice(0, -1).filter((one) => one !== user?.exchange);
  // A user who is read again long after: what lies between may be what the fault needs.
  const isLater = isReread && user.exchange !== undefined && !shown.includes(user.exchange);
  const steps: ScriptStep[] = [
    ...(user?.exchange ? [create(run, user, user.exchange)] : []),
    ...(isLater && user.exchange
      ? [...fill(createdBetween(run, user.exchange, last)), ...waits(run, user.exchange, last)]
      : []),
    ...before.map((one) => send(run, one, user)),
    send(run, last, user),
  ];
  return { steps, fault: faultOf(run, last, isReread ? user : undefined), expected, got };
}

function faultOf(run: Run, last: Exchange, user: Creation | undefined): Script['fault'] {
  if (user) return { kind: 'user', email: placed(run, user.user.email), name: placed(run, user.user.name) };
  return isSuccess(last) ? { kind: 'success' } : { kind: 'status', status: last.response?.status ?? 0 };
}

const isAuthorised = ({ request }: Exchange) => request.headers.authorization === BEARER.authorization;
const isList = (run: Run, { request }: Exchange) => request.method === 'GET' && request.path === run.path('/users');

function createdBetween(run: Run, after: Exchange, before: Exchange): number {
  return run.creations.filter(({ exchange, answered }) => {
    return exchange && answered === 'created' && exchange.id > after.id && exchange.id < before.id;
  }).length;
}

function fill(users: number): ScriptStep[] {
  return users > 0 ? [{ do: 'fill', users }] : [];
}

function waits(run: Run, after: Exchange, before: Exchange): ScriptStep[] {
  const between = run.record.filter(({ id }) => id >= after.id && id <= before.id);
  const pauses = between
    .slice(1)
    .map(({ at }, index) => at - (between[index]?.at ?? at) - (between[index]?.duration ?? 0));
  const longest = Math.max(0, ...pauses);
  return longest > PAUSE_MS ? [{ do: 'wait', seconds: Math.ceil(longest / 1000) }] : [];
}

const seenOf = ({ response, failure }: Exchange) => (response ? `${response.status}` : (failure ?? 'no answer'));

function send(run: Run, exchange: Exchange, user?: Creation): ScriptStep {
  const { request } = exchange;
  const segment = user?.identifier?.segment;
  const below = request.path.slice(run.client.basePath.length);
  const path = segment === undefined ? below : below.replace(`/users/${segment}`, `/users/${PLACEHOLDERS.id}`);
  const body = request.body === undefined ? {} : { body: placed(run, request.body) };
  return { do: 'send', request: { ...request, path: `${PLACEHOLDERS.base}${path}`, ...body }, seen: seenOf(exchange) };
}

function create(run: Run, user: Creation, exchange: Exchange): ScriptStep {
  const { request, seen } = send(run, exchange) as Extract<ScriptStep, { do: 'send' }>;
  return { do: 'create', request, seen, place: user.identifier?.place ?? '' };
}

/** A text with this run's letters taken out: another run of the script has others. */
function placed(run: Run, text: string): string {
  const { tag } = run.factory;
  const capitalised = tag.charAt(0).toUpperCase() + tag.slice(1);
  return text
    .replaceAll(tag, PLACEHOLDERS.tag)
    .replaceAll(capitalised, PLACEHOLDERS.Tag)
    .replaceAll(tag.toUpperCase(), PLACEHOLDERS.TAG);
}
