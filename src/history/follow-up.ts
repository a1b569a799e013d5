import type { FollowUp, History } from './history.ts';
import { showsOnlyUser } from './record.ts';

/**
 * Whether a valid request after a negative one got the usual response: its user alone, a 2xx, or a
 * list with users. A wrong total fails a requirement of its own.
 */
export function isAsUsual(
  followUp: FollowUp,
  { creations, lists }: Pick<History, 'creations' | 'lists'>,
): boolean {
  const { read, creation } = followUp;
  if (read) return showsOnlyUser(read);
  if (creation !== undefined) return creations[creation]?.response === 'accepted';
  const list = lists[followUp.list ?? -1];
  return list?.ok === true && list.faults.data === undefined;
}
