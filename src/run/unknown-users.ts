import { isAccepted } from '../history/creation.ts';
import type { Held } from '../history/history.ts';
import { isPaginated, isReadable, readList } from '../history/list.ts';
import {
  type Item,
  isUserRecord,
  members,
  type PlacedRecord,
  recordsIn,
  showsUser,
} from '../history/record.ts';
import type { Answer } from '../http/exchange.ts';
import { show, textOf } from '../http/value.ts';
import { decodeSegment, isFormOf } from './identifier.ts';
import type { World } from './world.ts';

/** The text of a disclosure whose identifier belongs to the returned user after all. */
export const IDENTIFIER_OF_USER = 'a user who has this identifier';

/**
 * Returns the users that a response to an unknown identifier discloses: the list, one of the run's
 * users whatever the status, or any user in the place of retrieved records. Undefined if there is
 * none.
 */
export async function findDisclosure(
  world: World,
  answer: Answer,
  isList: boolean,
): Promise<Held | undefined> {
  const { json, ok, exchange } = answer;
  const records = recordsIn(json).filter(({ value }) => textOf(members(value).email) !== undefined);
  if (isList && records.length > 0) return { text: 'the list' };
  const usualPlace = placeOfRecords(world);
  const isInUsualPlace = ({ place }: PlacedRecord) => ok && place === usualPlace;
  const record = records.find((candidate) => {
    const owner = world.ledger.ownerOf(candidate.value);
    if (owner && isAccepted(owner)) return true;
    return isInUsualPlace(candidate) && textOf(members(candidate.value).name) !== undefined;
  });
  if (record === undefined) return undefined;
  const identifier = decodeSegment(lastSegment(exchange.request.path));
  if (!isInUsualPlace(record) || identifier === undefined) return { text: show(record.value) };
  return discloseRecord(world, record.value, identifier);
}

/** Returns the place of the record in retrieve responses. */
const placeOfRecords = ({ ledger }: World): string => ledger.identified[0]?.reads[0]?.place ?? '';

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Describes a record that an identifier returned, unless it may be that of a user who has it. */
async function discloseRecord(world: World, record: Item, identifier: string): Promise<Held> {
  const { ledger } = world;
  const owner = ledger.ownerOf(record);
  const shown = owner?.identifier?.text ?? textOf(record[ledger.identifierMembers.retrieved ?? '']);
  // A service may look identifiers up leniently.
  const possible = shown === undefined ? textsIn(record) : [shown];
  const isLenient = possible.some((text) => text !== identifier && isFormOf(identifier, text));
  if (isLenient) return { text: IDENTIFIER_OF_USER };
  if (owner === undefined) return discloseOtherUser(world, record, identifier, shown);
  const isEmail = shown === undefined && textOf(members(record).email) === identifier;
  const isIdentifier = shown === identifier || isEmail;
  return { text: isIdentifier ? IDENTIFIER_OF_USER : show(record) };
}

const textsIn = (record: Item): string[] =>
  Object.values(record).flatMap((value) => textOf(value) ?? []);

/** Does the same for a user of another client, by the list. */
async function discloseOtherUser(
  world: World,
  record: Item,
  identifier: string,
  shown: string | undefined,
): Promise<Held> {
  const answer = await world.sendValid(world.listing(), 'list');
  const list = readList(answer, world.ledger);
  if (!isReadable(list)) return { text: show(record) };
  const { listed, retrieved } = world.ledger.identifierMembers;
  const member = listed ?? retrieved ?? '';
  const user = members(record);
  const items = ((answer.json as { data: unknown[] }).data ?? []).filter(isUserRecord);
  const listedUsers = items.filter((item) => showsUser(item, user));
  const identifiers = listedUsers.map((item) => textOf(item[member]));
  if (identifiers.includes(identifier)) return { text: IDENTIFIER_OF_USER };
  if (isPaginated(list) && shown === identifier) return { text: IDENTIFIER_OF_USER };
  const isOnOtherPage = isPaginated(list) && shown === undefined;
  const isUnclear = identifiers.length === 0 ? isOnOtherPage : identifiers.includes(undefined);
  return { text: show(record), ...(isUnclear && { mayBe: show(user) }) };
}
