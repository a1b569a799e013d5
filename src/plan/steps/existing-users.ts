import type { Exchange } from '../../http/exchange.ts';
import { textOf } from '../../http/value.ts';
import type { Context } from '../context.ts';
import { safe } from '../create.ts';
import { present } from '../evidence.ts';
import { type Identifier, segmentOf } from '../identifier.ts';
import { isReadable, type Look } from '../look.ts';
import { bounded, isOf, isRecord, members, recordsIn } from '../record.ts';

/** A user who was there before the run, as the list shows it, and what its identifier retrieves. */
export interface ExistingUser {
  email: string;
  name: string;
  identifier: Identifier;
  look: Look;
  exchange: Exchange;
  /** The user that is retrieved: this one, or another; undefined where the answer shows none. */
  record?: Record<string, unknown>;
}

/**
 * Retrieves some of the users whom the run has not created: those whose items show an identifier in the place where the
 * items of our users show theirs. Where the answer is not what the list shows, others may have changed or deleted the user
 * meanwhile, so both are asked once more.
 */
export async function existingUsers(run: Context, last: Look, path: string | undefined): Promise<ExistingUser[]> {
  const { identifierMember: place, sample } = last;
  if (place === undefined || !isReadable(last)) return [];
  const found = present(await Promise.all(sample.map((item) => existingUser(run, last, item, { place, path }))));
  const doubtful = found.filter((one) => !isOf(one.record, one));
  if (doubtful.length === 0) return found;
  // What the list itself shows otherwise by now somebody else is changing.
  const watch = (item: Record<string, unknown>) =>
    doubtful.some((one) => one.identifier.text === textOf(item[place]) && isOf(item, one));
  const look = await run.look({ watch });
  const again = look.watched.map((item) => existingUser(run, look, item, { place, path }));
  return [...found.filter((one) => !doubtful.includes(one)), ...present(await Promise.all(again))];
}

/** Records of one answer that are looked at for the user. */
const LOOKED_AT = 100;

async function existingUser(
  run: Context,
  look: Look,
  item: Record<string, unknown>,
  { place, path }: { place: string; path: string | undefined },
): Promise<ExistingUser | undefined> {
  const { email, name } = members(item);
  const text = textOf(item[place]);
  if (typeof email !== 'string' || typeof name !== 'string' || !text?.isWellFormed()) return undefined;
  const [identifier] = safe([{ text, segment: segmentOf(text), place: `list item: ${place}` }], run);
  if (identifier === undefined) return undefined;
  const { exchange, json } = await run.send(run.retrieval(identifier.segment));
  // What the list shows of a user was bounded in the same way.
  const all = recordsIn(json).filter((one) => isRecord(one.record));
  const records = all.slice(0, LOOKED_AT).map((one) => ({ ...one, record: bounded(one.record) }));
  const own = records.find(({ record }) => isOf(record, { email, name }));
  const shown = own ?? records.find((one) => one.path === path) ?? records[0];
  return { email, name, identifier, look, exchange, ...(shown && { record: shown.record }) };
}
