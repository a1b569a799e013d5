import { randomUUID } from 'node:crypto';
import { userListFault } from '../../../schemas/user-list.ts';
import { type Exchange, isAnswered, type Request } from '../../http/exchange.ts';
import { isScalar, show } from '../../http/value.ts';
import type { Context } from '../context.ts';
import { type CaseEvidence, excluded, Missing, part, present } from '../evidence.ts';
import { isReadable } from '../look.ts';
import { isFine, type KnownRead, members, recordsIn } from '../record.ts';
import { type Bad, patienceOf, type Reply, sendBad } from '../requests.ts';
import { readAgain } from '../seek.ts';
import { named } from '../service-end.ts';
import { badStep, caseStep, maybe, step, type Tried, tryAgain } from '../step.ts';
import { type BodyCase, bodyRequest } from './bodies.ts';
import { type FirstUsers, firstKnown, firstLook, firstUsers } from './first.ts';

/** What came of a request that no service carries out. */
export interface Refusal extends Reply {
  /**
   * The list without a key: at the end, where a wrong one is open as well, it proves nothing more. A creation with a
   * wrong key, at the end the list. An identifier of nobody.
   */
  what: 'no key' | 'wrong key' | 'nobody';
  /** When it was sent. */
  when: string;
  /** The records of users in the answer, as text, by their place. */
  records: ReadonlyMap<string, string>;
}

/** A service may behave only from the first creation on: these go out before it. */
export const earlyRefusals = step({
  name: 'bad requests before the first creation',
  needs: {},
  each: async (run): Promise<Refusal[]> => {
    const when = 'before the first user was created';
    const all = await Promise.all([
      refusal(run, 'no key', when, { request: run.listing({}) }),
      refusal(run, 'nobody', when, { request: nobodys(run) }),
      ...(run.settings.readOnly ? [] : [refusal(run, 'wrong key', when, creationWithWrongKey(run, when))]),
    ]);
    run.ledger.saysNobody = all.some(({ what, ok, exchange }) => what === 'nobody' && !ok && isAnswered(exchange));
    return all;
  },
});

/** Or only at the beginning: these go out at the end, and a malformed creation whose next request is a valid one. */
export const lateRefusals = step({
  name: 'bad requests at the end',
  needs: { early: maybe(earlyRefusals) },
  each: async (run, _, { early }): Promise<Refusal[]> => {
    // The same identifier: the first time may make what the second one finds.
    const before = present([early].flat()).find(({ what }) => what === 'nobody')?.exchange.request;
    const when = 'at the end of the run';
    const [wrongKey, nobody] = await Promise.all([
      refusal(run, 'wrong key', when, { request: run.listing({ authorization: `Bearer ${ANY_KEY}` }) }),
      refusal(run, 'nobody', when, { request: { ...nobodys(run), ...(before && { path: before.path }) } }),
      run.settings.readOnly ? undefined : sendBad(run, bodyRequest(run, EMPTY), 'text', patienceOf(run)),
    ]);
    return [wrongKey, nobody];
  },
});

const EMPTY: BodyCase = { what: 'an empty object at the end', make: () => ({ body: '{}', traces: {} }) };

/** Of no known one's kind, which may be somebody's. It begins with no digit: a lenient lookup may ignore what follows one. */
const nobodys = (run: Context) => run.retrieval(`f${randomUUID().slice(1)}`);

function creationWithWrongKey(run: Context, when: string): Required<Bad> {
  const user = run.factory.make();
  const draft = { what: `a wrong key ${when}`, fate: 'must-not' as const, user, traces: user };
  return { request: run.creating(user, { authorization: `Bearer ${run.client.secrets.wrongKey}` }), draft };
}

/** What LIKE takes for any key. */
const ANY_KEY = '%';

/** On a connection that is closed then: what is kept for others has carried nothing but what they sent. */
async function refusal(run: Context, what: Refusal['what'], when: string, bad: Bad): Promise<Refusal> {
  const onNew = { ...bad, request: { ...bad.request, connection: 'new' as const } };
  const { exchange, status, ok, json } = await sendBad(run, onNew, 'record');
  const users = recordsIn(json).filter(({ record }) => Object.values(members(record)).every(isScalar));
  const records = new Map(users.map(({ path, record }) => [path, show(record)]));
  return { what, when, exchange, status, ok, records };
}

/** What came of both. */
const steps = [earlyRefusals, lateRefusals];
export const refusalsAround: CaseEvidence<Refusal> = part(
  (yields) => steps.flatMap((step) => [yields.of(step)].flat()),
  steps.map((step) => [step, undefined]),
);

/** A request whose response is left open, such as one to another address: only what it may not hold is looked for in it. */
export interface FreeCase {
  what: string;
  /** Throws Missing where there is none to try. */
  make: (run: Context) => Bad;
}

/** The response to it. */
export interface FreeResponse extends Reply {
  /** Whether it is a user list. */
  isList: boolean;
}

export const freeRequests = badStep({
  name: 'requests that may be rejected in many ways',
  needs: { look: firstLook },
  // Before second users are created: what answers with a list may keep it until the next creation.
  early: () => 1,
  each: async (run, { make }: FreeCase) => {
    const bad = make(run);
    const { exchange, status, ok, json } = await sendBad(run, bad, 'record', patienceOf(run));
    // Some servers cut the connection where a body is too long.
    if (!isAnswered(exchange)) throw excluded(`${exchange.failure}`, [exchange]);
    return { exchange, status, ok, isList: ok && userListFault(json) === undefined };
  },
});

/** Requests that no service carries out, so many at the same time with none that is valid between. */
export interface Row {
  what: string;
  count: number;
  /** Such a request. */
  make: (run: Context, users: FirstUsers) => Request;
}

/** Some rows, one after the other, each with a usual request after it. */
export interface RowsCase {
  what: string;
  rows: Row[];
}

/** The usual request after a row. */
export interface AfterRow extends KnownRead {
  /** The last of the row. */
  last: Exchange;
}

/** How often the usual request is sent again: what is locked for a number of requests is open again then. */
const AFTER = 40;

/** Of each row, what came of the usual request at once, and where that was wrong, some times later. */
export const refusalsInARow = caseStep({
  name: 'rejected requests in a row',
  needs: { users: firstUsers },
  bad: true,
  each: async (run, { rows }: RowsCase, { users }) => {
    const found: Tried<AfterRow, Row>[] = [];
    // Nothing but reads goes out where nothing may be created, also of what is to be refused.
    const sent = rows.filter(({ make }) => !run.settings.readOnly || make(run, users).method === 'GET');
    if (sent.length === 0) run.mayCreate();
    for (const row of sent) found.push(await afterRow(run, row, users));
    return found;
  },
});

async function afterRow(run: Context, one: Row, users: FirstUsers): Promise<Tried<AfterRow, Row>> {
  const { creation } = firstKnown(users);
  const all = Array.from({ length: one.count }, () => sendBad(run, { request: one.make(run, users) }));
  const last = (await Promise.all(all)).at(-1)?.exchange as Exchange;
  const readOnce = async (): Promise<AfterRow> => ({ last, ...(await readAgain(run, creation)) });
  const isRight = ({ read }: AfterRow) => isFine(read);
  const usual = async () => {
    let after = await readOnce();
    for (let times = 1; times < AFTER && !isRight(after); times += 1) after = await readOnce();
    return after;
  };
  return tryAgain({ one, first: await readOnce() }, { isRight, usual });
}

/**
 * Throws Missing, which ends the plan, where the service no longer answers valid requests: neither a user whom it has answered before, nor the
 * list. What was never answered as it should be was not lost.
 */
export async function mustStillBeThere(run: Context): Promise<void> {
  const wasFine = run.ledger.proven.length > 0 || run.lists.some(isReadable);
  const failed = wasFine ? await failedRead(run) : undefined;
  if (failed === undefined || isReadable(await run.look({}, { ...run.listing(), connection: 'new' }))) return;
  const why = `the service no longer answers valid requests${failed.failure ? `: ${failed.failure}` : ''}`;
  const sent = run.client.record.filter((one) => one.id < failed.id && (isAnswered(one) || run.bad.has(one.id)));
  throw new Missing(`${why}; the last requests before: ${named(sent.slice(-NAMED))}`, [failed], { endsBy: 'service' });
}

/** How many of the last requests are named. */
const NAMED = 3;

/** A valid request, to end what many bad ones were sent in. */
export const stillThere = step({ name: 'whether the service is still there', needs: {}, each: mustStillBeThere });

/** Retrieves the first user; the exchange where that failed. Where there is no user, the list has to do. */
async function failedRead(run: Context): Promise<Exchange | undefined> {
  const [user] = run.ledger.proven;
  if (user === undefined) {
    const look = await run.look();
    return isReadable(look) ? undefined : look.exchange;
  }
  const { read } = await readAgain(run, user, 'new');
  return isFine(read) ? undefined : read.exchange;
}
