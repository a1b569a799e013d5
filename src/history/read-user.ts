import type { Answer } from '../http/exchange.ts';
import { show, textOf } from '../http/value.ts';
import type { Creation } from './creation.ts';
import type { Ledger } from './ledger.ts';
import {
  compactRecord,
  type Item,
  isUserRecord,
  members,
  type Path,
  type PlacedRecord,
  type Read,
  recordsIn,
} from './record.ts';

/** Reads the response to the retrieval of a user, recognized by the strings of the creation. */
export function readUser(answer: Answer, creation: Creation, ledger: Ledger): Read {
  const { exchange, ok, json } = answer;
  const records = recordsIn(json).map((record): OwnedRecord => {
    return { ...record, owner: ledger.ownerOf(record.value, creation) };
  });
  const [userRecord] = records
    .filter(({ owner }) => owner === creation)
    .sort((a, b) => likeness(b.value, creation) - likeness(a.value, creation));
  const others = records
    .filter((record) => showsOtherUser(record, creation, userRecord))
    .map(({ value }) => describeUser(value, creation));
  return {
    exchange,
    ok,
    ...(userRecord && { record: compactRecord(userRecord.value) }),
    place: userRecord?.place ?? '',
    others: others.length > 0 ? others : usersBeside(userRecord, creation),
    ...(userRecord === undefined && shownInstead(records)),
    isUnreadable: exchange.response?.jsonFault !== undefined || exchange.response?.cut === true,
  };
}

/** A record with the creation of its user. */
interface OwnedRecord extends PlacedRecord {
  owner: Creation | undefined;
}

/** Returns how well a record fits the strings of a creation. */
function likeness(record: Item, { traces }: Creation): number {
  const { email, name } = members(record);
  const isSameEmail = textOf(email)?.toLowerCase() === traces.email?.toLowerCase();
  return Number(isSameEmail) + Number(name === traces.name) + Number(isUserRecord(record));
}

/** Whether a record shows another user of the run. */
function showsOtherUser(
  { value, path, owner }: OwnedRecord,
  creation: Creation,
  userRecord: OwnedRecord | undefined,
): boolean {
  if (owner === undefined || owner === creation) return false;
  if (userRecord === undefined) return true;
  // Beside the user's record, an object with only an email or a name (an account, a contact) is not
  // another user.
  return isUserRecord(value) && !isWithin(path, userRecord.path);
}

/** Whether one path leads to a part of the value at another path. */
const isWithin = (path: Path, outer: Path): boolean =>
  path.length > outer.length && outer.every((step, index) => step === path[index]);

/** Describes another user by the email, with the name if the emails are equal. */
function describeUser(record: Item, creation: Creation): string {
  const { email, name } = members(record);
  const text = textOf(email) ?? 'a user without an email';
  return text === creation.user.email ? `${text} with the name ${show(name)}` : text;
}

/** Describes the further records in the array of the user's record. */
function usersBeside(userRecord: OwnedRecord | undefined, creation: Creation): string[] {
  if (!Array.isArray(userRecord?.outer)) return [];
  const records = userRecord.outer.filter(isUserRecord);
  const beside = records.filter((record) => record !== userRecord.value);
  return beside.map((record) => describeUser(record, creation));
}

function shownInstead(records: readonly OwnedRecord[]): { instead?: string } {
  const record = records.find(({ value }) => isUserRecord(value));
  const instead = textOf(record?.value.email);
  return instead === undefined ? {} : { instead };
}
