import { randomUUID } from 'node:crypto';
import { userListFault } from '../../../schemas/user-list.ts';
import { type Answer, isAnswered } from '../../http/exchange.ts';
import { isScalar, show, textOf } from '../../http/value.ts';
import type { Context } from '../context.ts';
import { after, type CaseEvidence, excluded, Missing, orMissingOf, part, present } from '../evidence.ts';
import { decoded, isWritingOf, kindOf } from '../identifier.ts';
import { isPaged, isReadable, readList } from '../look.ts';
import { isOf, members, recordsIn } from '../record.ts';
import { asBrowserAtTimes, type Bad, patienceOf, sendBad } from '../requests.ts';
import { badStep, maybe, step, type YieldOf } from '../step.ts';
import { type BodyCase, bodyRequest } from './bodies.ts';
import { type FirstUsers, firstKnown, firstLook, firstUsers } from './first.ts';

/** A service may behave only from the first creation on: these go out before it. */
export const earlyRefusals = step({
  name: 'bad requests before the first creation',
  needs: {},
  each: async (run) => {
    const when = 'before the first user was created';
    const user = run.factory.make();
    const draft = { what: `a wrong key ${when}`, fate: 'must-not' as const, user, traces: user };
    const creation = run.creating(user, { authorization: `Bearer ${run.client.secrets.wrongKey}` });
    const all = await Promise.all([
      refusal(run, 'no key', when, { request: run.listing({}) }),
      refusal(run, 'nobody', when, { request: nobodys(run) }),
      ...(run.settings.readOnly ? [] : [refusal(run, 'wrong key', when, { request: creation, draft })]),
    ]);
    run.ledger.saysNobody = all.some(({ what, ok, exchange }) => what === 'nobody' && !ok && isAnswered(exchange));
    return all;
  },
});

/** Or only at the beginning: these go out at the end, and a malformed creation whose next request is a valid one. */
export const lateRefusals = step({
  name: 'bad requests at the end',
  needs: { early: maybe(earlyRefusals) },
  each: async (run, _, { early }) => {
    // The same identifier: the first time may make what the second one finds.
    const before = present([early].flat()).find(({ what }) => what === 'nobody')?.exchange.request;
    const when = 'at the end of the run';
    const [wrongKey, nobody] = await Promise.all([
      // What LIKE takes for any key.
      refusal(run, 'wrong key', when, { request: run.listing({ authorization: 'Bearer %' }) }),
      refusal(run, 'nobody', when, { request: { ...nobodys(run), ...(before && { path: before.path }) } }),
      run.settings.readOnly ? undefined : sendBad(run, bodyRequest(run, EMPTY), 'text', patienceOf(run)),
    ]);
    return [wrongKey, nobody];
  },
});

const EMPTY: BodyCase = { what: 'an empty object at the end', make: () => ({ body: '{}', traces: {} }) };

/**
 * Of no known one's kind, which may be somebody's. It begins with no digit: a lenient lookup may ignore what follows
 * one.
 */
const nobodys = (run: Context) => run.retrieval(`f${randomUUID().slice(1)}`);

/**
 * What comes of a request that no service carries out: the list without a key, where at the end a wrong one proves
 * nothing more if it is open as well; a creation with a wrong key, at the end the list; an identifier of nobody. The
 * records of users in the answer are kept as text, by their place.
 *
 * It is sent on a connection that is closed then: what is kept for others has carried nothing but what they sent.
 */
async function refusal(run: Context, what: 'no key' | 'wrong key' | 'nobody', when: string, bad: Bad) {
  const onNew = { ...bad, request: { ...bad.request, connection: 'new' as const } };
  const { exchange, status, ok, json } = await sendBad(run, onNew, 'record');
  const users = recordsIn(json).filter(({ record }) => Object.values(members(record)).every(isScalar));
  const records = new Map(users.map(({ path, record }) => [path, show(record)]));
  return { what, when, exchange, status, ok, records };
}

export type Refusal = Awaited<ReturnType<typeof refusal>>;

const [early, late] = [orMissingOf(earlyRefusals), orMissingOf(lateRefusals)];
const around = part((yields) => [early.from(yields), late.from(yields)].flat());
/** What came of both. */
export const refusalsAround: CaseEvidence<Refusal> = after(around, early, late);

/**
 * A request whose response is left open, such as one to another address: only what it may not hold is looked for in it.
 * Throws Missing where there is none to try.
 */
export type FreeCase = { what: string; make: (run: Context) => Bad };

/** The response to it, and whether it is a user list. */
export type FreeResponse = YieldOf<typeof freeRequests>;

export const freeRequests = badStep({
  name: 'requests that may be rejected in many ways',
  needs: { look: firstLook },
  // Before second users are created: what answers with a list may keep it until the next creation.
  early: () => 1,
  each: async (run, { make }: FreeCase) => {
    const { exchange, status, ok, json } = await sendBad(run, make(run), 'record', patienceOf(run));
    // Some servers cut the connection where a body is too long.
    if (!isAnswered(exchange)) throw excluded(`${exchange.failure}`, [exchange]);
    return { exchange, status, ok, isList: ok && userListFault(json) === undefined };
  },
});

/** An identifier that belongs to nobody. */
export interface LookupCase {
  what: string;
  /**
   * The path segments to try, made of the known identifiers: the next where one is known as well, or turns out to be
   * somebody's.
   */
  segments: (known: string[]) => string[];
  /** How often it is asked for before: who asks again may get what the first time has made up. */
  before?: number;
  /**
   * Whether the integers behind the largest known one are asked for as well: what they are answered must not be kept
   * for them.
   */
  asksAhead?: boolean;
  /** Whether a proxy may take the path for that of the list: an encoded slash may be decoded on the way. */
  mayBeList?: boolean;
}

/** Asks for the first identifier of a case. */
export function lookupRequest(run: Context, { what, segments }: LookupCase, users: FirstUsers): Bad {
  const [segment = 'nobody'] = segments([firstKnown(users).identifier.text]);
  return { request: asBrowserAtTimes(run, what, run.retrieval(segment)) };
}

export const lookups = badStep({
  name: 'unknown identifiers',
  needs: { users: firstUsers },
  each: async (run, { what, segments, before = 0, asksAhead, mayBeList }: LookupCase, { users }) => {
    const { identifier, read } = firstKnown(users);
    const known = [...new Set([identifier.text, ...run.ledger.proven.flatMap((one) => one.identifier?.text ?? [])])];
    for (const next of asksAhead ? nextIntegers(known) : []) await sendBad(run, { request: run.retrieval(next) });
    for (const segment of segments(known).filter((one) => !known.includes(decoded(one) ?? one))) {
      const request = asBrowserAtTimes(run, what, run.retrieval(segment));
      const ask = () => sendBad(run, { request }, 'record');
      for (let times = 0; times < before; times += 1) await ask();
      const answer = await ask();
      const { exchange, status, ok } = answer;
      // No answer yields no user: some servers cut the connection where a path is odd.
      if (!isAnswered(exchange) && exchange.attempts === 0) throw new Missing(`${exchange.failure}`, [exchange]);
      const isList = ok && !userListFault(answer.json);
      const held = holds(run, answer, read.path, isList);
      // Routers of some frameworks redirect a path that ends in a slash to the one without it.
      if (mayBeList && (isList || (!held && status >= 300 && status < 400)))
        throw excluded('a proxy may have decoded the slash, so that the path is another one');
      if (!held && isAnswered(exchange)) run.observe('status for an unknown identifier', `${status}`);
      const whose = held ? await whoseIs(run, segment, answer, read.path) : NOBODYS;
      if (whose) return { what, segment, exchange, status, ok, holds: held, ...whose };
    }
    throw excluded('every identifier of this kind belongs to a user');
  },
});

/**
 * What came of asking for an identifier: `holds` is the user that the answer holds, as text, or that it is the list;
 * `mayBe` the email and name of a user of others whom the list shows without an identifier, whose it may be.
 */
export type Lookup = YieldOf<typeof lookups>;

/** Identifiers that are likely to be given next, where they are integers. */
function nextIntegers(known: string[]): string[] {
  if (!known.every((text) => kindOf(text) === 'integer')) return [];
  const most = known.map(BigInt).reduce((one, other) => (one > other ? one : other));
  return [1n, 2n, 3n, 4n].map((step) => `${most + step}`);
}

/** The user that an answer holds, as text: one of the run's, whatever the status, or a record where users are shown. */
function holds(run: Context, { ok, json }: Answer, place: string, isList: boolean): string | undefined {
  const records = recordsIn(json).filter(({ record }) => textOf(members(record).email) !== undefined);
  if (isList && records.length > 0) return 'the list';
  const found = records.find(({ record, path }) => {
    const owner = run.ledger.ownerOf(record);
    return owner?.answered === 'created' || (ok && path === place && textOf(members(record).name) !== undefined);
  });
  return found && show(found.record);
}

const NOBODYS = { mayBe: undefined };
const SOMEBODYS = undefined;

/** Whose an identifier is that was made up and led to a user: nobody's, somebody's, or it may be that user's own. */
async function whoseIs(run: Context, segment: string, { ok, json }: Answer, place: string) {
  const held = ok ? recordsIn(json).find(({ path }) => path === place)?.record : undefined;
  if (held === undefined) return NOBODYS;
  const text = decodeURIComponent(segment);
  const owner = run.ledger.ownerOf(held);
  const shown = owner?.identifier?.text ?? textOf(held[run.ledger.identifierMember ?? '']);
  const possible = shown === undefined ? Object.values(held).flatMap((value) => textOf(value) ?? []) : [shown];
  if (possible.some((one) => one !== text && isWritingOf(text, one))) return SOMEBODYS;
  const user = members(held);
  // Who was not looked for has no known identifier: it may be what was sent for an email.
  const isEmail = shown === undefined && textOf(user.email) === text;
  if (owner !== undefined) return shown === text || isEmail ? SOMEBODYS : NOBODYS;
  const look = readList(await run.send(run.listing(), 'list'), run.ledger, { watch: (item) => isOf(item, user) });
  if (!isReadable(look)) return NOBODYS;
  const listed = look.watched.map((item) => textOf(item[look.identifierMember ?? run.ledger.identifierMember ?? '']));
  if (listed.includes(text) || (isPaged(look) && shown === text)) return SOMEBODYS;
  const isOpen = listed.length === 0 ? isPaged(look) && shown === undefined : listed.includes(undefined);
  return isOpen ? { mayBe: show(user) } : NOBODYS;
}
