import { type Creation, createdAt, type Identifier } from '../history/creation.ts';
import { isPaginated, isReadable, itemsOf, type List } from '../history/list.ts';
import type { Read } from '../history/record.ts';
import {
  candidatesIn,
  isUsualPlace,
  kindOf,
  MOST_CANDIDATES,
  placeRank,
  segmentOf,
} from './identifier.ts';
import type { World } from './world.ts';

/** A place in which responses show a value for each user. */
interface SharedPlace {
  place: string;
  /** The value of each user. */
  identifiers: Identifier[];
}

const LIST_ITEM = 'list item';

/** Places that are tried again while a user may not be there yet. */
const MOST_RETRIED_PLACES = 6;

/**
 * Finds the place of identifiers in responses: its values retrieve two users, or the one user of a
 * list in read-only mode. Sets the place of the run, and the identifiers of the users.
 *
 * A value of both users, such as a role, is not an identifier. A count that equals the identifier
 * of one user by chance does not retrieve the other.
 */
export async function findPlace(world: World, users: readonly Creation[]): Promise<void> {
  const wrongPlaces = new Set<string>();
  const reads: Read[][] = users.map(() => []);
  let limit = MOST_CANDIDATES;
  const search = async (): Promise<SharedPlace | undefined> => {
    const list = await world.nextList();
    const candidates = sharedPlaces(world, users, list).slice(0, limit);
    limit = MOST_RETRIED_PLACES;
    for (const candidate of candidates) {
      if (wrongPlaces.has(candidate.place)) continue;
      const result = await tryPlace(world, users, candidate, reads);
      if (result === 'found') return candidate;
      if (result === 'wrong') wrongPlaces.add(candidate.place);
    }
    return undefined;
  };
  // A wrong response at a usual place is not stale, so a retry would change nothing.
  const isDone = (result: SharedPlace | undefined) =>
    result !== undefined || [...wrongPlaces].some(isUsualPlace);
  const since = Math.max(...users.map(createdAt));
  const shared = await world.until(search, isDone, since);
  for (const [index, user] of users.entries()) {
    user.isSought = true;
    const read = mostInformative(reads[index] ?? []);
    if (read) user.reads.push(read);
  }
  world.place = shared?.place;
  for (const [index, user] of users.entries()) {
    const identifier = shared?.identifiers[index];
    if (identifier) noteIdentifier(world, user, identifier);
  }
}

/** Returns the places in which all users have a value, each another one; the likeliest first. */
function sharedPlaces(
  world: World,
  users: readonly Creation[],
  list: List | undefined,
): SharedPlace[] {
  const [first = [], ...others] = users.map((user) => valuesOf(world, user, list));
  const otherPlaces = others.map((values) => {
    return new Map(values.toReversed().map((value) => [value.place, value]));
  });
  const shared = first.flatMap((identifier): SharedPlace[] => {
    const { place, text } = identifier;
    const otherIdentifiers = otherPlaces.flatMap((values) => values.get(place) ?? []);
    const isInAll = otherIdentifiers.length === others.length;
    const isSame = otherIdentifiers.some((candidate) => candidate.text === text);
    return isInAll && !isSame ? [{ place, identifiers: [identifier, ...otherIdentifiers] }] : [];
  });
  return shared.sort((a, b) => placeRank(a.place) - placeRank(b.place));
}

/** Returns the values that may be the identifier of a user: from responses and from the request. */
function valuesOf(world: World, creation: Creation, list: List | undefined): Identifier[] {
  return [
    ...(world.candidates.get(creation) ?? []),
    ...listedValues(world, creation, list),
    ...sentValues(world, creation),
  ];
}

function listedValues(world: World, creation: Creation, list: List | undefined): Identifier[] {
  if (list === undefined || !isReadable(list)) return [];
  const [item] = itemsOf(list, creation);
  return world.sendable(candidatesIn(item, LIST_ITEM));
}

/** Returns the email and the name: a service may identify users by one, or by the lower case. */
function sentValues(world: World, { user }: Creation): Identifier[] {
  const lowerCase = user.email.toLowerCase();
  const values = [
    { text: user.email, place: 'request: email' },
    { text: lowerCase, place: 'request: email' },
    { text: user.name, place: 'request: name' },
  ];
  const distinct = values.filter(({ text }, index) => {
    return values.findIndex((value) => value.text === text) === index;
  });
  const usable = distinct.filter(({ text }) => text.trim() !== '');
  const identifiers = usable.map(({ text, place }) => ({ text, place, segment: segmentOf(text) }));
  return world.sendable(identifiers);
}

/** Retrieves all users by their values in one place. */
async function tryPlace(
  world: World,
  users: readonly Creation[],
  { identifiers }: SharedPlace,
  reads: Read[][],
): Promise<'found' | 'missing' | 'wrong'> {
  for (const [index, user] of users.entries()) {
    const { segment } = identifiers[index] as Identifier;
    const read = await world.readOnce(user, world.retrieval(segment));
    reads[index]?.push(read);
    if (isFound(read)) continue;
    return isWrong(world, read) ? 'wrong' : 'missing';
  }
  return 'found';
}

const isFound = ({ ok, record }: Read): boolean => ok && record !== undefined;

/** Whether a response differs from those with which services reject an unknown identifier. */
function isWrong(world: World, read: Read): boolean {
  const status = read.exchange.response?.status ?? 0;
  const isRejection = status >= 400 && status < 500 && ![401, 403, 407].includes(status);
  return !isRejection && !world.mayBeStale(read);
}

/** Returns the read that says most about a fault: others, of wrong values, are not recorded. */
function mostInformative(reads: readonly Read[]): Read | undefined {
  const [first] = [...reads].sort((a, b) => informationIn(b) - informationIn(a));
  return first;
}

/** Ranks a response: highest the user, then another user, another 2xx, and a failure. */
function informationIn({ ok, record, others, exchange }: Read): number {
  if (ok && record) return 5;
  if (ok) return others.length > 0 ? 4 : 3;
  const status = exchange.response?.status ?? 0;
  if (status >= 500) return 2;
  return status === 404 ? 1 : 0;
}

function noteIdentifier(world: World, creation: Creation, identifier: Identifier): void {
  world.ledger.identify(creation, identifier);
  world.observe('identifier', `${kindOf(identifier.text)}, in the ${identifier.place}`);
}

/** A value that may be an identifier, and the response to its retrieval. */
interface Try {
  identifier: Identifier;
  read: Read;
}

/**
 * Retrieves a user by the value in the place of identifiers, again while the user may not be there
 * yet. Returns the response that shows the user, or else the last one; undefined if no response has
 * a value in this place.
 */
export async function findUser(world: World, creation: Creation): Promise<Read | undefined> {
  const { identifier } = creation;
  if (identifier) return world.retrieve(creation, world.retrieval(identifier.segment));
  if (world.place === undefined) return undefined;
  creation.isSought = true;
  const search = () => tryPlaceOf(world, creation);
  const isDone = (latest: Try | undefined) => latest !== undefined && isFinal(world, latest);
  const last = await world.until(search, isDone, createdAt(creation));
  if (last === undefined) return undefined;
  creation.reads.push(last.read);
  if (isFound(last.read)) {
    delete creation.missingIn;
    noteIdentifier(world, creation, last.identifier);
  }
  return last.read;
}

/** Tries the value of the create response or of the request, or else that of a list. */
async function tryPlaceOf(world: World, creation: Creation): Promise<Try | undefined> {
  const { candidates, place } = world;
  const values = [...(candidates.get(creation) ?? []), ...sentValues(world, creation)];
  const inPlace = values.filter((value) => value.place === place);
  if (inPlace.length > 0) return tryValues(world, creation, inPlace);
  const list = await world.nextList();
  noteMissing(creation, list);
  const places = [place, `${LIST_ITEM}: ${world.ledger.identifierMembers.listed}`];
  const listed = listedValues(world, creation, list).filter((value) =>
    places.includes(value.place),
  );
  return tryValues(world, creation, listed);
}

/** Whether a response shows the user, another user, or a failure, so that it is not stale. */
const isFinal = (world: World, { read }: Try): boolean => isFound(read) || !world.mayBeStale(read);

/** Tries values until one retrieves the user. Returns that try, or else the last one. */
async function tryValues(
  world: World,
  creation: Creation,
  values: Identifier[],
): Promise<Try | undefined> {
  let last: Try | undefined;
  for (const identifier of values) {
    const read = await world.readOnce(creation, world.retrieval(identifier.segment));
    last = { identifier, read };
    if (isFound(read)) return last;
  }
  return last;
}

/** Notes a list of all users that lacks the user. */
function noteMissing(creation: Creation, list: List): void {
  const items = itemsOf(list, creation);
  const isMissing = isReadable(list) && !isPaginated(list) && items.length === 0;
  if (isMissing) creation.missingIn = list.exchange;
  else delete creation.missingIn;
}
