import { type Patch, type Service, withPeople } from '../service.ts';
import { pagesOfFive, writesEvery } from '../writers.ts';
import { type Broken, broken, changedList } from './broken.ts';

const both =
  (...patches: Patch[]): Patch =>
  (service) => {
    for (const patch of patches) patch(service);
  };

const total =
  (count: (service: Service) => number): Patch =>
  (service) => {
    service.total = () => count(service);
  };

/** The total is right in the first list after a creation, and one too many in every other list from then on. */
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

/** The total counts who was there before, and others. */
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
    'the total is one too many where somebody was there before',
    (service) => {
      withPeople(service);
      service.total = () => service.users.length + 1;
    },
  ),
  broken('list.total-exact', 'the list lacks its first user, who was there before', (service) => {
    withPeople(service);
    withPeople(service);
    service.listed = () => service.users.slice(1);
  }),
  broken('list.contains-created', 'the list lacks the tenth user', (service) => {
    service.listed = () => service.users.filter((_, index) => index !== 9);
  }),
  broken(
    'list.contains-created',
    'the list is joined of pages of twenty, of which each but the first lacks its first user',
    (service) => {
      service.listed = () => service.users.filter((_, index) => index === 0 || index % 20 !== 0);
    },
  ),
  broken('list.contains-created', 'the list lacks the first of our users', (service) => {
    withPeople(service);
    service.listed = () => service.users.filter((_, index) => index !== 1);
  }),
  broken(
    'list.total-counts-creations',
    'a page whose total grows by two, while others write',
    both(
      writesEvery(20),
      pagesOfFive,
      total(({ users }) => users.length * 2),
    ),
  ),
  broken(
    'list.total-counts-creations',
    'a page whose total loses what is created over this interface, while others write',
    both(writesEvery(20), pagesOfFive, losing),
    ['list.contains-created'],
  ),
  broken('list.total-unchanged-by-reads', 'the total wobbles', wobbling, ['list.total-exact']),
  broken(
    'list.total-unchanged-by-reads',
    'the total behind a page wobbles',
    both(pagesOfFive, wobbling),
  ),
  broken(
    'list.total-unchanged-by-reads',
    'a retrieval of nobody is counted',
    (service) => {
      const { missing } = service;
      let asked = 0;
      service.missing = (id) => {
        asked += 1;
        return missing(id);
      };
      service.total = () => service.users.length + asked;
    },
    ['list.total-exact'],
  ),
  broken(
    'list.data-array',
    'a list of one user is that user and no array',
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
