import { whyNoUser } from '../../specs/first-users.ts';
import { settledLists, unreadable } from '../../specs/lists.ts';
import { chapter, must, rule } from '../../specs/requirement.ts';
import type { History } from '../../src/history/history.ts';
import { isDue, isPaginated, isReadable, itemsOf } from '../../src/history/list.ts';
import { type Finding, notApplicable, verify } from '../../src/requirement/finding.ts';
import { broken } from '../services/broken/broken.ts';
import { variant } from '../services/variants/variant.ts';

// The code of "A requirement on the whole run" in CONTRIBUTING.md: `list.contains-created` in short.

function containsCreated(history: History): Finding[] {
  const { creations } = history;
  const isAnyRetrieved = creations.some(({ identifier }) => identifier !== undefined);
  if (!isAnyRetrieved) return whyNoUser(history);
  return settledLists(history).flatMap((list): Finding[] => {
    if (!isReadable(list)) return [unreadable(list)];
    if (isPaginated(list)) return [notApplicable('the list is paginated')];
    return creations.flatMap((creation) => {
      if (!isDue(list, creation)) return [];
      const items = itemsOf(list, creation);
      const expected = `one item for ${creation.user.email}`;
      return [verify(items.length === 1, expected, `${items.length}`, list.exchange)];
    });
  });
}

export const requirements = chapter('List users', [
  must('list.contains-created', rule('5.1'), {
    sentence: 'A created user is in the list exactly once.',
    needs: ['list', 'users', 'plain users', 'end'],
    check: containsCreated,
  }),
]);

export const brokenServices = [
  broken('list.contains-created', 'the last user is listed twice, the first never', (service) => {
    service.listed = () => [...service.users.slice(1), ...service.users.slice(-1)];
  }),
];

export const variants = [
  variant('list', 'a list in pages of five', (service) => {
    service.listed = () => service.users.slice(0, 5);
  }),
];
