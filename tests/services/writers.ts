import type { Patch, Service } from './service.ts';

/**
 * Somebody else creates users with every so many lists, up to a number: by count, so that no clock decides what a run
 * sees.
 */
export const writesEvery =
  (lists: number, many = 1, most = Number.POSITIVE_INFINITY): Patch =>
  (service) => {
    const { handle } = service;
    let [listed, made] = [0, 0];
    service.handle = (request) => {
      if (request.path === `${service.base}/users` && request.method === 'GET') listed += 1;
      for (; made < Math.min(most, Math.floor(listed / lists) * many); made += 1) {
        service.users.push({
          id: `other-${made}`,
          email: `other.${made}@example.org`,
          name: `Other ${made}`,
        });
      }
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

/** Refuses a second user of one email, or of one name. */
export function unique(service: Service, member: 'email' | 'name'): void {
  const { create, parse } = service;
  service.create = (request) => {
    const parsed = parse(request.body);
    const taken =
      !('error' in parsed) && service.users.some((user) => user[member] === parsed[member]);
    return taken ? { status: 409, body: { error: `${member} is taken` } } : create(request);
  };
}
