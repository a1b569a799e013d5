import { textOf } from '../http/value.ts';
import type { Item } from './record.ts';

/**
 * Ranks a member as the place of an identifier by its name; lower is likelier. The names are those that APIs use for
 * identifiers; any other member may still be it.
 */
export function likelihood(name: string, value = '', path = name): number {
  if (/^_?id$/i.test(name)) return path.includes('.') ? 1 : 0;
  if (/^(uuid|guid|uid|user_?id|user_?uuid|identifier|key|pk)$/i.test(name)) return 2;
  if (/id$/i.test(name)) return 3;
  if (value.includes('@')) return 6;
  return /\s/.test(value) ? 7 : 5;
}

/** A rank up to which the name of a member says that it is an identifier. */
export const USUAL_NAME = 3;

/**
 * Returns the member by which records show the known identifiers of their users: the likeliest that does so in all of
 * them. A single record tells it by a usual name only, because a count may equal the identifier by chance.
 */
export function identifierMember(
  users: readonly (readonly [identifier: string | undefined, record: Item | undefined])[],
): string | undefined {
  const known = users.filter(([identifier]) => identifier !== undefined);
  const [first] = known;
  if (first === undefined) return undefined;
  const isInAll = (name: string) =>
    known.every(([identifier, record]) => textOf(record?.[name]) === identifier);
  const names = Object.keys(first[1] ?? {}).filter(isInAll);
  const [name] = names.sort((a, b) => likelihood(a) - likelihood(b));
  if (name === undefined) return undefined;
  return known.length > 1 || likelihood(name) <= USUAL_NAME ? name : undefined;
}
