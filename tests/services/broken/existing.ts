import { existingUsers } from '../patches.ts';
import type { Service, User } from '../service.ts';
import { type Broken, broken } from './broken.ts';

/** Users from before the run who can't be retrieved as the list shows them. */
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
  broken('retrieve.existing-users', 'two users of an import have one identifier', (service) => {
    imported(service);
    service.users.push({ id: 'old-1', email: 'another@example.org', name: 'Another' });
  }),
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
  broken('retrieve.existing-users', 'two of three hundred users have one identifier', (service) => {
    const isTwin = ({ id }: User) => id === 'old-150';
    const users = existingUsers(300);
    service.users.push(...users.map((user) => (isTwin(user) ? { ...user, id: 'old-20' } : user)));
  }),
];

/** Adds users from before the run. */
function imported({ users }: Service): void {
  users.push(...existingUsers(3));
}

function isImported({ id }: User): boolean {
  return `${id}`.startsWith('old-');
}
