import { isAccepted } from './creation.ts';
import type { FollowUp } from './history.ts';
import { showsOnlyUser } from './record.ts';

/**
 * Whether a valid request after a negative one got the usual response: its user alone, a 2xx, or a
 * list with users. A wrong total fails a requirement of its own.
 */
export function isAsUsual({ read, creation, list }: FollowUp): boolean {
  if (read) return showsOnlyUser(read);
  if (creation) return isAccepted(creation);
  return list?.ok === true && list.faults.data === undefined;
}
