import { type Creation, createdAt, type Identifier } from '../history/creation.ts';
import { isPaginated, isReadable, itemsOf, type List } from '../history/list.ts';
import type { Item, Read } from '../history/record.ts';
import {
  candidatesIn,
  isUsualPlace,
  kindOf,
  MOST_CANDIDATES,
  placeRank,
  segmentOf,
} from './identifier.ts';
import type { World } from './world.ts';

/** Places that are tried again while a user may not be there yet. */
const TRIED_AGAIN = 6;

/** A place in which responses show a value for each user. */
interface SharedPlace {
  place: string;
  identifiers: Identifier[];
}

/**
 * Finds where responses carry the identifier: the place whose value retrieves each of two users, or the one user of a
 * list in read-only mode. A value that both
 * users share, such as a role, is no identifier; and a count that equals the identifier of one by chance does not
 * retrieve the other. Sets the places of the run, and the identifiers of both users.
 */
export async function findPlace(world: World, users: readonly Creation[]): Promise<void> {
  const wrong = new Set<string>();
  const reads: Read[][] = users.map(() => []);
  let tried = 0;
  const search = async (): Promise<SharedPlace | undefined> => {
    const list = await world.nextList();
    const shared = sharedPlaces(world, users, list);
    const some = tried === 0 ? shared.slice(0, MOST_CANDIDATES) : shared.slice(0, TRIED_AGAIN);
    tried += 1;
    for (const one of some) {
      if (wrong.has(one.place)) continue;
      const found = await tryPlace(world, users, one, reads);
      if (found === 'found') return one;
      if (found === 'wrong') wrong.add(one.place);
    }
    return undefined;
  };
  // A wrong response at a usual place is not stale: waiting would change nothing.
  const isDone = (found: SharedPlace | undefined) =>
    found !== undefined || [...wrong].some(isUsualPlace);
  const since = Math.max(...users.map(createdAt));
  const found = await world.until(search, isDone, since);
  for (const [index, user] of users.entries()) {
    user.isSought = true;
    // Of values that do not retrieve the user, only the response is kept that says most about what is wrong.
    const [telling] = [...(reads[index] as Read[])].sort((a, b) => tells(b) - tells(a));
    if (telling) user.reads.push(telling);
  }
  if (found) setPlaces(world, users, found);
}

function setPlaces(world: World, users: readonly Creation[], found: SharedPlace): void {
  const shared = sharedPlaces(world, users, world.lists.at(-1));
  const isSame = ({ identifiers }: SharedPlace) =>
    identifiers.every(({ text }, index) => text === found.identifiers[index]?.text);
  world.places = shared.filter(isSame).map(({ place }) => place);
  for (const [index, user] of users.entries()) {
    const identifier = found.identifiers[index] as Identifier;
    world.ledger.identify(user, identifier);
    world.observe('identifier', `${kindOf(identifier.text)}, in the ${identifier.place}`);
  }
}

/** How much a response says: the user most, then another user, another 2xx, and a failure. */
function tells({ ok, record, others, exchange }: Read): number {
  if (ok && record) return 5;
  if (ok) return others.length > 0 ? 4 : 3;
  const status = exchange.response?.status ?? 0;
  return status >= 500 ? 2 : status === 404 ? 1 : 0;
}

/** Retrieves both users by the values in one place. */
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
    if (read.ok && read.record !== undefined) continue;
    return isWrong(world, read) ? 'wrong' : 'missing';
  }
  return 'found';
}

/** Whether a response is not one of those with which services say that an identifier is unknown. */
function isWrong(world: World, read: Read): boolean {
  const status = read.exchange.response?.status ?? 0;
  const isRejection = status >= 400 && status < 500 && ![401, 403, 407].includes(status);
  return !isRejection && !world.mayBeStale(read);
}

/** The places in which all users have a value, and not the same; the likeliest first. */
function sharedPlaces(
  world: World,
  users: readonly Creation[],
  list: List | undefined,
): SharedPlace[] {
  const [first = [], ...others] = users.map((user) => valuesOf(world, user, list));
  const shared = first.flatMap((identifier): SharedPlace[] => {
    const { place, text } = identifier;
    const ofOthers = others.flatMap((values) => values.find((one) => one.place === place) ?? []);
    const isOwn = ofOthers.length === others.length && ofOthers.every((one) => one.text !== text);
    return isOwn ? [{ place, identifiers: [identifier, ...ofOthers] }] : [];
  });
  return shared.sort((a, b) => placeRank(a.place) - placeRank(b.place));
}

/** All values that may be the identifier of a user: of the create response, of the list, and what was sent. */
function valuesOf(world: World, creation: Creation, list: List | undefined): Identifier[] {
  return [
    ...(world.candidates.get(creation) ?? []),
    ...listedValues(world, creation, list),
    ...sentValues(world, creation),
  ];
}

function listedValues(world: World, creation: Creation, list: List | undefined): Identifier[] {
  if (list === undefined || !isReadable(list)) return [];
  const [item] = itemsOf(list, world.ledger.creations.indexOf(creation));
  return world.sendable(candidatesIn(item, 'list item'));
}

/** The email or the name may be the identifier; the case of an email may be folded. */
function sentValues(world: World, { user }: Creation): Identifier[] {
  const values = [
    { text: user.email, place: 'request: email' },
    { text: user.email.toLowerCase(), place: 'request: email' },
    { text: user.name, place: 'request: name' },
  ];
  const distinct = values.filter(
    ({ text }, at) => values.findIndex((one) => one.text === text) === at,
  );
  const usable = distinct.filter(({ text }) => text.trim() !== '');
  return world.sendable(
    usable.map(({ text, place }) => ({ text, place, segment: segmentOf(text) })),
  );
}

/** A value that was tried, and the response to it. */
interface Try {
  identifier: Identifier;
  read: Read;
}

/**
 * Retrieves a user by the values in the places where responses carry identifiers, again while the user may not be
 * there yet. Returns the response that shows the user, or else the last one; undefined if no response shows a value.
 */
export async function findUser(world: World, creation: Creation): Promise<Read | undefined> {
  const { identifier } = creation;
  if (identifier) return world.retrieve(creation, world.retrieval(identifier.segment));
  if (world.places.length === 0) return undefined;
  creation.isSought = true;
  const search = async (): Promise<Try | undefined> => {
    const inResponse = await tryValues(world, creation, ownValues(world, creation));
    // A wrong response is not repeated: that would hide the fault.
    if (inResponse && (isShown(inResponse.read) || !world.mayBeStale(inResponse.read)))
      return inResponse;
    if (!world.places.some((place) => place.startsWith('list item'))) return inResponse;
    const list = await world.nextList();
    const listed = atPlaces(world, listedValues(world, creation, list));
    noteMissing(world, creation, list);
    return (await tryValues(world, creation, listed)) ?? inResponse;
  };
  // A response that shows another user, or a failure, is never stale.
  const isDone = (last: Try | undefined) =>
    last !== undefined && (isShown(last.read) || !world.mayBeStale(last.read));
  const last = await world.until(search, isDone, createdAt(creation));
  if (last === undefined) return undefined;
  creation.reads.push(last.read);
  if (isShown(last.read)) {
    delete creation.missingIn;
    world.ledger.identify(creation, last.identifier);
    world.observe('identifier', `${kindOf(last.identifier.text)}, in the ${last.identifier.place}`);
  }
  return last.read;
}

/** Notes a list of all users that does not show the user. */
function noteMissing({ ledger }: World, creation: Creation, list: List): void {
  const isShownThere = itemsOf(list, ledger.creations.indexOf(creation)).length > 0;
  if (isReadable(list) && !isPaginated(list) && !isShownThere) creation.missingIn = list.exchange;
  else delete creation.missingIn;
}

const isShown = ({ ok, record }: Read) => ok && record !== undefined;

function ownValues(world: World, creation: Creation): Identifier[] {
  return atPlaces(world, [
    ...(world.candidates.get(creation) ?? []),
    ...sentValues(world, creation),
  ]);
}

/** The values in the places of identifiers, each once, in the order of the places. */
function atPlaces({ places }: World, values: Identifier[]): Identifier[] {
  const found = values.filter(({ place }) => places.includes(place));
  found.sort((a, b) => places.indexOf(a.place) - places.indexOf(b.place));
  return found.filter(
    ({ segment }, at) => found.findIndex((one) => one.segment === segment) === at,
  );
}

/** Tries values until one retrieves the user; returns that try, or else the last one. */
async function tryValues(
  world: World,
  creation: Creation,
  values: Identifier[],
): Promise<Try | undefined> {
  let last: Try | undefined;
  for (const identifier of values) {
    const read = await world.readOnce(creation, world.retrieval(identifier.segment));
    last = { identifier, read };
    if (isShown(read)) return last;
  }
  return last;
}

/** The values of a list item that may be its identifier, for a user of another client. */
export function identifiersIn(world: World, item: Item): Identifier[] {
  return world.sendable(candidatesIn(item, 'list item'));
}
