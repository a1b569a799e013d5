import { combine } from '../patches.ts';
import { type Patch, withPeople } from '../service.ts';
import { pagesOfFive, writesEvery } from '../writers.ts';
import { type Broken, broken, changedList } from './broken.ts';
import { total } from './totals.ts';

/**
 * The total is right in the first list after a creation, and one too large in every second list.
 */
const wobbling: Patch = (service) => {
  const { store } = service;
  let lists = 0;
  service.store = (user) => {
    lists = 0;
    store(user);
  };
  service.total = () => {
    lists += 1;
    return service.users.length + (lists % 2 === 0 ? 1 : 0);
  };
};

/** The total counts users from before the run and users of others, but no users of the run. */
const losing: Patch = (service) => {
  for (let old = 0; old < 5; old += 1) {
    service.users.push({
      id: `other-old-${old}`,
      email: `old.${old}@example.org`,
      name: `Old ${old}`,
    });
  }
  service.total = () => service.users.filter(({ id }) => `${id}`.startsWith('other-')).length;
};

/** Totals that are wrong, on services where others write or the list pages. */
export const brokenCounts: Broken[] = [
  broken(
    'list.total-exact',
    'the total is one too large if there is a user from before the run',
    (service) => {
      withPeople(service);
      service.total = () => service.users.length + 1;
    },
  ),
  broken('list.total-exact', 'the list lacks a user from before the run', (service) => {
    withPeople(service);
    withPeople(service);
    service.listed = () => service.users.slice(1);
  }),
  broken('list.contains-created', 'the list lacks the tenth user', (service) => {
    service.listed = () => service.users.filter((_, index) => index !== 9);
  }),
  broken(
    'list.contains-created',
    'each page of twenty but the first lacks its first user in the list that joins them',
    (service) => {
      service.listed = () => service.users.filter((_, index) => index === 0 || index % 20 !== 0);
    },
  ),
  broken('list.contains-created', 'the list lacks the first user of the run', (service) => {
    withPeople(service);
    service.listed = () => service.users.filter((_, index) => index !== 1);
  }),
  broken(
    'list.total-counts-creations',
    'a page whose total grows by two, while others write',
    combine(
      writesEvery(20),
      pagesOfFive,
      total(({ users }) => users.length * 2),
    ),
  ),
  broken(
    'list.total-counts-creations',
    'a page whose total ignores creations over this interface, while others write',
    combine(writesEvery(20), pagesOfFive, losing),
    ['list.contains-created'],
  ),
  broken('list.total-unchanged-by-reads', 'the total wobbles', wobbling, ['list.total-exact']),
  broken(
    'list.total-unchanged-by-reads',
    'the total behind a page wobbles',
    combine(pagesOfFive, wobbling),
  ),
  broken(
    'list.total-unchanged-by-reads',
    'the total counts retrievals of unknown users',
    (service) => {
      const { missing } = service;
      let retrievals = 0;
      service.missing = (id) => {
        retrievals += 1;
        return missing(id);
      };
      service.total = () => service.users.length + retrievals;
    },
    ['list.total-exact'],
  ),
  broken(
    'list.data-array',
    'a list of one user has that user instead of an array',
    changedList((body) => ({ ...body, data: body.data.length === 1 ? body.data[0] : body.data })),
  ),
  broken(
    'list.data-array',
    'a list of one user is an object with a member item',
    changedList((body) => ({
      ...body,
      data: body.data.length === 1 ? { item: body.data[0] } : body.data,
    })),
  ),
];
