import type { FollowUp, History } from './history.ts';
import { showsOnlyUser } from './record.ts';

/**
 * Whether a valid request that followed a negative one got the response that it must: its user alone, a 2xx, or a list
 * with users. A total that is wrong fails a requirement of its own.
 */
export function isAsUsual(
  { read, creation, list: index }: FollowUp,
  { creations, lists }: Pick<History, 'creations' | 'lists'>,
): boolean {
  if (read) return showsOnlyUser(read);
  if (creation !== undefined) return creations[creation]?.response === 'accepted';
  const list = lists[index ?? -1];
  return list?.ok === true && list.faults.data === undefined;
}
