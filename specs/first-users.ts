import { type Creation, firstRead, isAccepted } from '../src/history/creation.ts';
import type { History } from '../src/history/history.ts';
import { showsOnlyUser, showsUser } from '../src/history/record.ts';
import { type Finding, notApplicable, notVerified } from '../src/requirement/finding.ts';

/** The first users that the service accepted. */
export const firstUsersOf = ({ firstUsers }: History): Creation[] => firstUsers.filter(isAccepted);

/** Says why the run has no user to judge. */
export function whyNoUser(history: History): Finding[] {
  const { isReadOnly, firstUsers } = history;
  if (isReadOnly) return [notApplicable('read-only: nothing is created')];
  const exchanges = firstUsers.flatMap(({ exchange, reads }) => [
    exchange,
    ...reads.map((read) => read.exchange),
  ]);
  const isAnyAccepted = firstUsers.some(isAccepted);
  const reason = isAnyAccepted ? 'no user could be retrieved' : 'no user could be created';
  return [notVerified(reason, ...exchanges)];
}

/**
 * Says that even the first users are not retrieved as they were sent, so that unusual users prove
 * nothing. Returns undefined if they are.
 */
export function whyUnproven(history: History): Finding | undefined {
  for (const user of firstUsersOf(history)) {
    const read = firstRead(user) ?? user.reads[0];
    if (read === undefined) continue;
    if (showsOnlyUser(read) && showsUser(read.record, user.user)) continue;
    return notVerified('even plain users are not retrieved as they were sent', read.exchange);
  }
  return undefined;
}
