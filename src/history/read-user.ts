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
  type Read,
  recordsIn,
} from './record.ts';

/** Whether one path leads to a part of what another path leads to. */
const isWithin = (path: Path, outer: Path): boolean =>
  path.length > outer.length && outer.every((step, index) => step === path[index]);

/** Reads a response for the record of one user, who is recognized by what was sent to create the user. */
export function readUser(answer: Answer, creation: Creation, ledger: Ledger): Read {
  const { exchange, ok, json } = answer;
  const records = recordsIn(json).map((record) => ({
    ...record,
    owner: ledger.ownerOf(record.value, creation),
  }));
  const [own] = records
    .filter(({ owner }) => owner === creation)
    .sort((a, b) => likeness(b.value, creation) - likeness(a.value, creation));
  const others = records.flatMap(({ value, path, owner }) => {
    if (owner === undefined || owner === creation) return [];
    // Beside the user's record, half a record (an account, a contact) is not another user.
    if (own && (!isUserRecord(value) || isWithin(path, own.path))) return [];
    const { email, name } = members(value);
    const text = textOf(email) ?? 'a user without an email';
    return text === creation.user.email ? [`${text} with the name ${show(name)}`] : [text];
  });
  // Records of unknown users that share an array with the user's record are other users as well.
  const inSameArray = Array.isArray(own?.outer) ? own.outer.filter(isUserRecord) : [];
  const unknownOthers = inSameArray.slice(1).map(() => 'another user');
  return {
    exchange,
    ok,
    ...(own && { record: compactRecord(own.value) }),
    place: own?.place ?? '',
    others: others.length > 0 ? others : unknownOthers,
    isUnreadable: exchange.response?.jsonFault !== undefined || exchange.response?.cut === true,
  };
}

/** How many members of a record are those that a creation sent. */
function likeness(record: Item, { traces }: Creation): number {
  const { email, name } = members(record);
  const isSameEmail = textOf(email)?.toLowerCase() === traces.email?.toLowerCase();
  return Number(isSameEmail) + Number(name === traces.name) + Number(isUserRecord(record));
}
