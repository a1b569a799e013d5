import { textOf } from '../http/value.ts';
import type { Item } from './record.ts';

/**
 * Returns the rank of a member as the place of an identifier; a lower rank is likelier. Names that
 * APIs use for identifiers come first, but any other member may be it.
 */
export function identifierRank(name: string, value = '', path = name): number {
  if (/^_?id$/i.test(name)) return path.includes('.') ? 1 : 0;
  if (/^(uuid|guid|uid|user_?id|user_?uuid|identifier|key|pk)$/i.test(name)) return 2;
  if (/id$/i.test(name)) return 3;
  if (value.includes('@')) return 6;
  return /\s/.test(value) ? 7 : 5;
}

/** The highest rank of a name that APIs use for identifiers. */
export const USUAL_NAME = 3;

/** The members in which responses show the identifiers of users; absent if none does. */
export interface IdentifierMembers {
  created?: string;
  retrieved?: string;
  listed?: string;
}

/**
 * Returns the member that shows the identifier in the records of all users; the likeliest, if there
 * are several. With a single record it must have a usual name, because a count may equal the
 * identifier by chance.
 */
export function identifierMember(
  users: readonly (readonly [identifier: string | undefined, record: Item | undefined])[],
): string | undefined {
  const identified = users.filter(([identifier]) => identifier !== undefined);
  const [firstUser] = identified;
  if (firstUser === undefined) return undefined;
  const isInAll = (name: string) =>
    identified.every(([identifier, record]) => textOf(record?.[name]) === identifier);
  const [, firstRecord = {}] = firstUser;
  const names = Object.keys(firstRecord).filter(isInAll);
  const [name] = names.sort((a, b) => identifierRank(a) - identifierRank(b));
  if (name === undefined) return undefined;
  const isCertain = identified.length > 1 || identifierRank(name) <= USUAL_NAME;
  return isCertain ? name : undefined;
}
