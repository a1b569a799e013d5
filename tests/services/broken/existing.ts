import type { Service, User } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Users who were there before the run can not be retrieved as the list shows them. */
export const brokenExisting: Broken[] = [
  broken('retrieve.existing-users', 'users of an import can not be retrieved', (service) => {
    imported(service);
    const { find } = service;
    service.find = (id) => (id.startsWith('old-') ? undefined : find(id));
  }),
  broken(
    'retrieve.existing-users',
    'users of an import are retrieved with another name',
    (service) => {
      imported(service);
      service.record = (user) =>
        isImported(user) ? { ...user, name: user.name.toUpperCase() } : user;
      service.item = (user) => user;
    },
  ),
  broken(
    'retrieve.existing-users',
    'two users of an import are under one identifier',
    (service) => {
      imported(service);
      service.users.push({ id: 'old-1', email: 'another@example.org', name: 'Another' });
    },
  ),
  broken('retrieve.existing-users', 'a user of an import is retrieved as another', (service) => {
    imported(service);
    const { find } = service;
    service.find = (id) => (id === 'old-2' ? service.users[0] : find(id));
  }),
  broken(
    'retrieve.existing-users',
    'users of an import are retrieved with another email',
    (service) => {
      imported(service);
      service.record = (user) =>
        isImported(user) ? { ...user, email: `${user.id}@example.net` } : user;
      service.item = (user) => user;
    },
  ),
  broken('retrieve.existing-users', 'two of three hundred are under one identifier', (service) => {
    for (let old = 0; old < 300; old += 1) {
      const id = old === 150 ? 'old-20' : `old-${old}`;
      service.users.push({ id, email: `old.${old}@example.org`, name: `Old ${old}` });
    }
  }),
];

/** Users who are there before the run. */
function imported(service: Service): void {
  for (let old = 0; old < 3; old += 1) {
    service.users.push({ id: `old-${old}`, email: `old.${old}@example.org`, name: `Old ${old}` });
  }
}

function isImported({ id }: User): boolean {
  return `${id}`.startsWith('old-');
}
