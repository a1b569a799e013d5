import { type Creation, firstRead, mustExist, type NewUser } from '../history/creation.ts';
import type { CaseResult } from '../history/history.ts';
import { type Exchange, endOf, header, isSuccess, type Request } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import type { Case, CaseContext } from '../requirement/case.ts';
import { segmentOf } from './identifier.ts';
import { NO_USER } from './users.ts';
import { ExcludedError, type World } from './world.ts';

/** The result of a case, without the name of the case. */
export type BareResult = Omit<CaseResult, 'slugs' | 'name' | 'operation'>;

/** Returns the requests of a case. Throws ExcludedError if it can't be made. */
export function requestsOf(
  world: World,
  { change }: Case,
  user: NewUser,
  usual: Request,
  target: Creation | undefined,
): Request[] {
  const changed = change(usual, contextOf(world, user, target)) ?? [];
  const requests = [changed].flat();
  if (requests.length === 0) {
    throw new ExcludedError('this key, identifier or service has no such variation');
  }
  return requests;
}

/** Returns the paths that a case would request if no identifier were known. */
export function fixedPaths(world: World, { change }: Case, usual: Request): string[] {
  const context = contextOf(world, NO_USER, undefined, []);
  return [change(usual, context)].flat().flatMap((request) => request?.path ?? []);
}

/** Returns the values that a case may use to change a request. */
function contextOf(
  world: World,
  user: NewUser,
  target: Creation | undefined,
  identified: readonly Creation[] = world.ledger.identified,
): CaseContext {
  const { client, ledger } = world;
  const { secrets, record } = client;
  const [first] = ledger.identified;
  return {
    basePath: client.basePath,
    user,
    ...(target?.identifier && { identifier: target.identifier.text }),
    wrongKey: secrets.wrongKey,
    isWrongKey: secrets.isWrong,
    isSameSignature: secrets.isSameSignature,
    // These are getters because each searches the whole run and few cases use it.
    get identifiers() {
      return identified.flatMap(({ identifier }) => identifier?.text ?? []);
    },
    get cookies() {
      return cookiesIn(world, record);
    },
    get headerNames() {
      return headerNamesIn(world, record);
    },
    get idempotencyKey() {
      return idempotencyKeyIn(record);
    },
    get userTag() {
      return first && entityTagsIn(world, [firstRead(first)?.exchange])[0];
    },
    get listTag() {
      return staleListTag(world);
    },
    retrieval: first?.identifier && world.retrieval(first.identifier.segment),
  };
}

/** Cookies in a Cookie header: a service that sets one with each response would fill it. */
const MOST_COOKIES = 5;

/** Returns the cookies that the service set last, as a Cookie header. */
function cookiesIn(world: World, record: readonly Exchange[]): string | undefined {
  const headers = record.filter(isSuccess).flatMap(({ response }) => response?.headers ?? []);
  const setCookies = headers.filter(([name]) => /^set-cookie$/i.test(name));
  const pairs = setCookies.map(([, value]) => value.split(';')[0] ?? '');
  const distinct = new Set(returnable(world, pairs));
  const cookies = [...distinct].slice(-MOST_COOKIES);
  return cookies.length === 0 ? undefined : cookies.join('; ');
}

/** Header names that are sent back, at most. */
const MOST_NAMES = 40;

/** The headers that frame a message or end a connection (RFC 9110 section 7.6.1). */
const FRAMING = /^(connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade)$/;

/** Returns the names of headers in responses, and those that `Vary` names there. */
function headerNamesIn(world: World, record: readonly Exchange[]): string[] {
  const headers = record.filter(isSuccess).flatMap(({ response }) => response?.headers ?? []);
  const names = headers.flatMap(([name, value]) => {
    return /^vary$/i.test(name) ? value.split(/[ ,]+/) : [name];
  });
  const distinct = [...new Set(names.map((name) => name.toLowerCase()))];
  const tokens = distinct.filter((name) => /^[a-z0-9_-]+$/.test(name) && !FRAMING.test(name));
  return returnable(world, tokens).slice(0, MOST_NAMES);
}

/**
 * Returns the received values that may be sent back in a header: printable ASCII, not too long, and
 * without the key or its mark.
 */
function returnable({ client }: World, values: string[]): string[] {
  const isPlain = (value: string) => /^[!-;=?-~][ -;=?-~]{0,300}$/.test(value);
  return values.filter((value) => isPlain(value) && !client.secrets.holds(value));
}

function idempotencyKeyIn(record: readonly Exchange[]): string | undefined {
  const successful = record.filter(isSuccess);
  const keys = successful.flatMap(({ request }) => request.headers['idempotency-key'] ?? []);
  return keys.at(-1);
}

function entityTagsIn(world: World, exchanges: (Exchange | undefined)[]): string[] {
  const tags = exchanges.flatMap((exchange) => (exchange && header(exchange, 'etag')) ?? []);
  return returnable(world, tags).filter((tag) => /^(W\/)?"[^"]+"$/.test(tag));
}

/** Returns the ETag of the last list that was complete before a creation. */
function staleListTag(world: World): string | undefined {
  const { path } = world.listing();
  const creations = world.ledger.creations.filter(mustExist);
  const sentAt = creations.flatMap(({ exchange }) => exchange?.at ?? []);
  const isList = ({ request }: Exchange) => request.method === 'GET' && request.path === path;
  const isStale = (list: Exchange) => sentAt.some((at) => at >= endOf(list));
  const lists = world.client.record.filter((exchange) => {
    return isList(exchange) && isSuccess(exchange) && isStale(exchange);
  });
  return entityTagsIn(world, lists).at(-1);
}

/**
 * Returns the user that a case retrieves. Each case takes another user, always the same one,
 * because a service may be open for some users only.
 */
export function targetUser(world: World, { name, known }: Case): Creation | undefined {
  if (known === 'existing') return undefined;
  const users = world.ledger.identified.filter(({ expected }) => expected === 'created');
  if (known === 'first') return users[0];
  return users[hash(name) % Math.max(1, users.length)];
}

/** Returns a small number that is the same for the same text. */
function hash(text: string): number {
  let sum = 0;
  for (const letter of text) sum = (31 * sum + letter.charCodeAt(0)) % 65_521;
  return sum;
}

/** Returns the usual request of a case's operation; undefined if there is no user to retrieve. */
export function usualRequest(
  world: World,
  { operation, known }: Case,
  user: NewUser,
  target: Creation | undefined,
): Request | undefined {
  if (operation === 'GET /users') return world.listing();
  if (operation === 'POST /users') return world.creating(user);
  if (known === 'existing') return existingUserRetrieval(world);
  return target?.identifier && world.retrieval(target.identifier.segment);
}

/** Returns a request to retrieve the first user of the list from before the run. */
function existingUserRetrieval(world: World): Request | undefined {
  const { listed, retrieved } = world.ledger.identifierMembers;
  const [item] = world.lists[0]?.sample ?? [];
  const text = textOf(item?.[listed ?? retrieved ?? '']);
  if (text === undefined) return undefined;
  const candidate = { text, segment: segmentOf(text), place: 'list item' };
  const [identifier] = world.sendable([candidate]);
  return identifier && world.retrieval(identifier.segment);
}
