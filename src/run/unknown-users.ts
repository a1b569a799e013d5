import { isAccepted } from '../history/creation.ts';
import type { Held } from '../history/history.ts';
import { isPaginated, isReadable, readList } from '../history/list.ts';
import { type Item, isUserRecord, members, recordsIn, showsUser } from '../history/record.ts';
import type { Answer } from '../http/exchange.ts';
import { show, textOf } from '../http/value.ts';
import { decodeSegment, isFormOf } from './identifier.ts';
import type { World } from './world.ts';

/** Held by a response whose identifier belongs to a user after all. */
export const SOMEBODYS = 'a user who has this identifier';

/**
 * Returns what a response to an unknown identifier holds: the list, one of the run's users whatever the status, or any
 * user where retrieving shows them. Undefined if it holds no user.
 */
export async function heldIn(
  world: World,
  answer: Answer,
  isList: boolean,
): Promise<Held | undefined> {
  const { json, ok, exchange } = answer;
  const records = recordsIn(json).filter(({ value }) => textOf(members(value).email) !== undefined);
  if (isList && records.length > 0) return { text: 'the list' };
  const place = placeOfRecords(world);
  const found = records.find(({ value, place: own }) => {
    const owner = world.ledger.ownerOf(value);
    if (owner && isAccepted(owner)) return true;
    return ok && own === place && textOf(members(value).name) !== undefined;
  });
  if (found === undefined) return undefined;
  const held = { text: show(found.value) };
  const segment = exchange.request.path.slice(exchange.request.path.lastIndexOf('/') + 1);
  const identifier = decodeSegment(segment);
  if (!ok || found.place !== place || identifier === undefined) return held;
  return ofWhom(world, found.value, identifier, held);
}

/** Where retrieve responses show the record. */
const placeOfRecords = ({ ledger }: World) => ledger.identified[0]?.reads[0]?.place ?? '';

/** Tells whether a record that an identifier returned may be that of a user who has it. */
async function ofWhom(world: World, record: Item, identifier: string, held: Held): Promise<Held> {
  const somebodys = { text: SOMEBODYS };
  const { ledger } = world;
  const owner = ledger.ownerOf(record);
  const shown = owner?.identifier?.text ?? textOf(record[ledger.identifierMember ?? '']);
  const possible =
    shown === undefined ? Object.values(record).flatMap((value) => textOf(value) ?? []) : [shown];
  // A lenient lookup is free.
  if (possible.some((text) => text !== identifier && isFormOf(identifier, text))) return somebodys;
  const isEmail = shown === undefined && textOf(members(record).email) === identifier;
  if (owner) return shown === identifier || isEmail ? somebodys : held;
  return ofOtherClient(world, record, identifier, shown, held);
}

/** The same for a user of another client, by what the list shows. */
async function ofOtherClient(
  world: World,
  record: Item,
  identifier: string,
  shown: string | undefined,
  held: Held,
): Promise<Held> {
  const somebodys = { text: SOMEBODYS };
  const answer = await world.sendValid(world.listing(), 'list');
  const list = readList(answer, world.ledger);
  if (!isReadable(list)) return held;
  const member = list.identifierMember ?? world.ledger.identifierMember ?? '';
  const user = members(record);
  const items = ((answer.json as { data: unknown[] }).data ?? []).filter(isUserRecord);
  const listed = items.filter((item) => showsUser(item, user)).map((item) => textOf(item[member]));
  if (listed.includes(identifier) || (isPaginated(list) && shown === identifier)) return somebodys;
  const isOpen =
    listed.length === 0 ? isPaginated(list) && shown === undefined : listed.includes(undefined);
  return isOpen ? { ...held, mayBe: show(user) } : held;
}
