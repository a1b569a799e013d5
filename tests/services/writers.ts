import type { Patch, Service, User } from './service.ts';

/** Makes a user whom another client creates. */
export const otherUser = (number: number): User => ({
  id: `other-${number}`,
  email: `other.${number}@example.org`,
  name: `Other ${number}`,
});

/**
 * Another client creates `many` users after every `lists` lists, up to `most` users. It counts
 * lists, so that no run depends on the clock.
 */
export const writesEvery =
  (lists: number, many = 1, most = Number.POSITIVE_INFINITY): Patch =>
  (service) => {
    const { handle } = service;
    let listed = 0;
    let made = 0;
    service.handle = (request) => {
      if (request.path === `${service.base}/users` && request.method === 'GET') listed += 1;
      const due = Math.min(most, Math.floor(listed / lists) * many);
      for (; made < due; made += 1) service.users.push(otherUser(made));
      return handle(request);
    };
  };

/** The list shows the first five users. */
export const pagesOfFive: Patch = (service) => {
  service.listed = () => service.users.slice(0, 5);
};

/** The list shows the last five users. */
export const pagesOfTheNewest: Patch = (service) => {
  service.listed = () => service.users.slice(-5).reverse();
};

/** Rejects a user whose email, or whose name, another user has. */
export function unique(service: Service, member: 'email' | 'name'): void {
  const { create, parse } = service;
  service.create = (request) => {
    const parsed = parse(request.body);
    const taken =
      !('error' in parsed) && service.users.some((user) => user[member] === parsed[member]);
    return taken ? { status: 409, body: { error: `${member} is taken` } } : create(request);
  };
}
