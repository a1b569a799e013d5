import type { Answer } from '../http/exchange.ts';
import { textOf } from '../http/value.ts';
import type { Creation, Ledger } from './ledger.ts';
import { bounded, isRecord, isWithin, members, type Read, type RecordPlace, recordsIn } from './record.ts';

/** Reads an answer for the record of one user, who is known by what was sent to create it. */
export function readUser({ exchange, ok, json }: Answer, creation: Creation, ledger: Ledger): Read {
  const found = recordsIn(json);
  const own = ownRecord(found, creation, ledger);
  const strangers = found.filter(({ record, at }) => {
    const owner = ledger.ownerOf(record);
    if (owner === undefined || owner === creation) return false;
    // Beside the record of the user, half a record (an account, a contact) is no further user.
    return own === undefined || (isRecord(record) && !isWithin(at, own.at));
  });
  const others = strangers.map(({ record }) => textOf(members(record).email) ?? 'a user without an email');
  // Users of nobody's that stand in one array with this one are further users, too.
  const beside = own && own.siblings > 1 ? Array.from({ length: own.siblings - 1 }, () => 'another user') : [];
  const { response } = exchange;
  return {
    exchange,
    ok,
    ...(own && { record: bounded(own.record) }),
    path: own?.path ?? '',
    others: others.length > 0 ? others : beside,
    unreadable: response?.jsonFault !== undefined || response?.cut === true,
  };
}

/** The record of a creation's user: the object that has its email and its name, else the one that is likest to be it. */
function ownRecord(found: RecordPlace[], creation: Creation, ledger: Ledger): RecordPlace | undefined {
  const owned = found.filter(({ record }) => ledger.ownerOf(record) === creation);
  const { email, name } = creation.traces;
  const has = (record: Record<string, unknown>) => {
    const own = members(record);
    const sameEmail = textOf(own.email)?.toLowerCase() === email?.toLowerCase();
    return Number(sameEmail) + Number(own.name === name) + Number(isRecord(record));
  };
  return owned.sort((a, b) => has(b.record) - has(a.record))[0];
}
