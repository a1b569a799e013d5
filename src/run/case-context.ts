import { type Creation, firstRead, mustExist, type NewUser } from '../history/creation.ts';
import type { CaseResult } from '../history/history.ts';
import { type Exchange, endOf, header, isSuccess, type Request } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import type { Case, CaseContext } from '../requirement/case.ts';
import { segmentOf } from './identifier.ts';
import { Excluded, type World } from './world.ts';

/** A service that sets a cookie with each response would fill the header. */
const MOST_COOKIES = 5;

/** What came of a case, without its name. */
export type SentCase = Omit<CaseResult, 'slugs' | 'name' | 'operation'>;

/** The user of a request that needs none. */
export const NOBODY: NewUser = { email: '', name: '' };

/** The requests of a case. Throws Excluded if it can't be made. */
export function requestsOf(
  world: World,
  one: Case,
  user: NewUser,
  usual: Request,
  known: Creation | undefined,
): Request[] {
  const requests = one.change(usual, contextOf(world, user, known));
  const all = requests === undefined ? [] : [requests].flat();
  if (all.length === 0) throw new Excluded('this key, identifier or service has no such variation');
  return all;
}

/** Makes what a case may use to change a request. */
export function contextOf(world: World, user: NewUser, known: Creation | undefined): CaseContext {
  const { client, ledger } = world;
  const { secrets, record } = client;
  const [first] = ledger.identified;
  return {
    basePath: client.basePath,
    user,
    ...(known?.identifier && { identifier: known.identifier.text }),
    identifiers: ledger.identified.flatMap(({ identifier }) => identifier?.text ?? []),
    wrongKey: secrets.wrongKey,
    isWrongKey: secrets.isWrong,
    isSameSignature: secrets.isSameSignature,
    // Few cases use these, and each is looked for in the whole record.
    get cookies() {
      return cookiesIn(world, record);
    },
    get idempotencyKey() {
      return idempotencyKeyIn(record);
    },
    get userTag() {
      return first && tagsOf(world, [firstRead(first)?.exchange])[0];
    },
    get listTag() {
      return oldListTag(world);
    },
    retrieval: first?.identifier && world.retrieval(first.identifier.segment),
  };
}

/** The cookies that the service has set last, as a Cookie header. */
function cookiesIn(world: World, record: readonly Exchange[]): string | undefined {
  const fields = record.filter(isSuccess).flatMap(({ response }) => response?.headers ?? []);
  const set = fields
    .filter(([name]) => /^set-cookie$/i.test(name))
    .map(([, value]) => value.split(';')[0] ?? '');
  const cookies = [...new Set(returnable(world, set))].slice(-MOST_COOKIES);
  return cookies.length === 0 ? undefined : cookies.join('; ');
}

/**
 * Of values that the target has sent, those that may be sent back in a header: printable ASCII, not too long, and
 * without the key or its mark.
 */
function returnable({ client }: World, values: string[]): string[] {
  return values.filter(
    (value) => /^[!-;=?-~][ -;=?-~]{0,300}$/.test(value) && !client.secrets.holds(value),
  );
}

function tagsOf(world: World, exchanges: (Exchange | undefined)[]): string[] {
  const tags = exchanges.flatMap((exchange) => (exchange && header(exchange, 'etag')) ?? []);
  return returnable(world, tags).filter((tag) => /^(W\/)?"[^"]+"$/.test(tag));
}

/** The ETag of the last list before a creation that it does not count yet. */
function oldListTag(world: World): string | undefined {
  const { path } = world.listing();
  const created = world.ledger.creations
    .filter(mustExist)
    .flatMap(({ exchange }) => exchange?.at ?? []);
  const isOld = (list: Exchange) => created.some((at) => at >= endOf(list));
  const isList = ({ request }: Exchange) => request.method === 'GET' && request.path === path;
  const lists = world.client.record.filter((one) => isList(one) && isSuccess(one) && isOld(one));
  return tagsOf(world, lists).at(-1);
}

function idempotencyKeyIn(record: readonly Exchange[]): string | undefined {
  return record
    .filter(isSuccess)
    .flatMap(({ request }) => request.headers['idempotency-key'] ?? [])
    .at(-1);
}

/**
 * The user whom a case retrieves: a service may be open for some users only, so that each case takes another one,
 * always the same.
 */
export function knownUserOf(world: World, { name, known }: Case): Creation | undefined {
  if (known === 'existing') return undefined;
  const identified = world.ledger.identified.filter(({ expected }) => expected === 'created');
  if (known === 'first') return identified[0];
  return identified[hash(name) % Math.max(1, identified.length)];
}

/** A small number that is the same for the same text. */
function hash(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (31 * sum + letter.charCodeAt(0)) % 65_521;
  return sum;
}

/** The usual request of the operation of a case; undefined if there is no user to retrieve. */
export function usualRequest(
  world: World,
  { operation, known: target }: Case,
  user: NewUser,
  known: Creation | undefined,
): Request | undefined {
  if (operation === 'GET /users') return world.listing();
  if (operation === 'POST /users') return world.creating(user);
  if (target === 'existing') return existingUser(world);
  return known?.identifier && world.retrieval(known.identifier.segment);
}

/** A request to retrieve the first user of the list from before the run. */
function existingUser(world: World): Request | undefined {
  const { identifierMember } = world.ledger;
  const [item] = world.lists[0]?.sample ?? [];
  const text = textOf(item?.[identifierMember ?? '']);
  if (text === undefined) return undefined;
  const [identifier] = world.sendable([{ text, segment: segmentOf(text), place: 'list item' }]);
  return identifier && world.retrieval(identifier.segment);
}
