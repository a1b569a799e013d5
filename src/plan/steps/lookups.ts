import { userListFault } from '../../../schemas/user-list.ts';
import { type Answer, isAnswered } from '../../http/exchange.ts';
import { show, textOf } from '../../http/value.ts';
import type { Context } from '../context.ts';
import { excluded, Missing } from '../evidence.ts';
import { isWritingOf, kindOf } from '../identifier.ts';
import { isPaged, isReadable, readList } from '../look.ts';
import { isOf, members, recordsIn } from '../record.ts';
import { asBrowserAtTimes, type Bad, type Reply, sendBad } from '../requests.ts';
import type { KnownUser } from '../seek.ts';
import { badStep } from '../step.ts';
import { type FirstUsers, firstKnown, firstUsers } from './first.ts';

/** An identifier that belongs to nobody. */
export interface LookupCase {
  what: string;
  /** The path segments to try, made of the known identifiers: the next where one turns out to be somebody's. */
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

/** What came of asking for it. */
export interface Lookup extends Reply {
  what: string;
  segment: string;
  /** The user that the answer holds, as text, or that it is the list; absent where it holds no user. */
  holds?: string;
  /** The email and name of a user of others whom the list shows without an identifier: this one may be that user's. */
  mayBe?: string;
}

/** Asks for the first identifier of a case. */
export function lookupRequest(run: Context, { what, segments }: LookupCase, users: FirstUsers): Bad {
  const [segment = 'nobody'] = segments([firstKnown(users).identifier.text]);
  return { request: asBrowserAtTimes(run, what, run.retrieval(segment)) };
}

export const lookups = badStep({
  name: 'unknown identifiers',
  needs: { users: firstUsers },
  each: (run, one: LookupCase, { users }) => lookUp(run, one, firstKnown(users)),
});

async function lookUp(run: Context, one: LookupCase, { identifier, read }: KnownUser): Promise<Lookup> {
  const { what, segments, before = 0, asksAhead = false, mayBeList = false } = one;
  const first = identifier.text;
  const others = run.ledger.proven.flatMap(({ identifier }) => identifier?.text ?? []);
  if (asksAhead)
    for (const next of nextIntegers([first, ...others])) await sendBad(run, { request: run.retrieval(next) });
  for (const segment of segments([first, ...others.filter((text) => text !== first)])) {
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
    if (whose) return { what, segment, exchange, status, ok, ...(held && { holds: held }), ...whose };
  }
  throw excluded('every identifier of this kind belongs to a user');
}

/** Identifiers that are likely to be given next, where they are integers. */
function nextIntegers(known: string[]): string[] {
  if (!known.every((text) => kindOf(text) === 'integer')) return [];
  const most = known.map(BigInt).reduce((one, other) => (one > other ? one : other));
  return Array.from({ length: AHEAD }, (_, index) => `${most + BigInt(index + 1)}`);
}

const AHEAD = 4;

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

const NOBODYS = {};
const SOMEBODYS = undefined;

/** Whose an identifier is that was made up and led to a user: nobody's, somebody's, or it may be that user's own. */
async function whoseIs(run: Context, segment: string, { ok, json }: Answer, place: string) {
  const held = ok ? recordsIn(json).find(({ path }) => path === place)?.record : undefined;
  if (held === undefined) return NOBODYS;
  const text = decodeURIComponent(segment);
  const owner = run.ledger.ownerOf(held);
  const shown = owner?.identifier?.text ?? identifierIn(held, run.ledger.identifierMember());
  const possible = shown === undefined ? Object.values(held).flatMap((value) => textOf(value) ?? []) : [shown];
  if (possible.some((one) => one !== text && isWritingOf(text, one))) return SOMEBODYS;
  if (owner !== undefined) return shown === text ? SOMEBODYS : NOBODYS;
  const user = members(held);
  const look = readList(await run.send(run.listing(), 'list'), run.ledger, { watch: (item) => isOf(item, user) });
  if (!isReadable(look)) return NOBODYS;
  const listed = look.watched.map((item) => identifierIn(item, look.identifierMember ?? run.ledger.identifierMember()));
  if (listed.includes(text) || (isPaged(look) && shown === text)) return SOMEBODYS;
  const isOpen = listed.length === 0 ? isPaged(look) && shown === undefined : listed.includes(undefined);
  return isOpen ? { mayBe: show(user) } : NOBODYS;
}

function identifierIn(record: Record<string, unknown>, member: string | undefined): string | undefined {
  return member === undefined ? undefined : textOf(record[member]);
}
