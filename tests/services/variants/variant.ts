import type { Settings } from '../../../src/settings/settings.ts';
import type { Patch, Reply, Service, User } from '../service.ts';

/** A conforming service that makes another choice than the usual service. */
export interface Variant {
  /** The slug of the choice. */
  choice: string;
  name: string;
  patch: Patch;
  /** The slugs of the SHOULD requirements that it fails. */
  breaks: string[];
  /** The slugs of further SHOULD requirements that fail in a thorough run alone. */
  breaksInDepth?: string[];
  /**
   * Settings that it needs, such as a longer settle time. Such a variant is not combined with
   * others.
   */
  settings?: Partial<Settings>;
}

/** Declares a conforming service and the SHOULD requirements that it fails. */
export function variant(
  choice: string,
  name: string,
  patch: Patch,
  breaks: string[] = [],
): Variant {
  return { choice, name, patch, breaks };
}

/** Replaces the record of a user in responses; also in the list, unless `item` was replaced. */
export function shows(service: Service, record: (user: User) => unknown): void {
  service.record = record;
}

/** Removes the Location from the create response. */
export const noLocation: Patch = (service) => {
  const { created } = service;
  service.created = (user) => ({ ...created(user), headers: {} });
};

/** Changes every response. */
export function afterwards(service: Service, change: (reply: Reply) => Reply): void {
  const { handle } = service;
  service.handle = async (request) => change(await handle(request));
}

/** Stores each user only after some milliseconds. */
export function lagging(milliseconds: number): Patch {
  return (service) => {
    const { store } = service;
    service.store = (user) => {
      setTimeout(() => store(user), milliseconds);
    };
  };
}

/** The list shows each user only after some milliseconds. */
export const listedAfter =
  (milliseconds: number): Patch =>
  (service) => {
    const ageOf = agesOf(service);
    service.listed = () => service.users.filter((user) => ageOf(user) > milliseconds);
  };

/** The list shows each user 60 ms late. */
export const listedLate: Patch = listedAfter(60);

/** Returns a function that returns how many milliseconds ago a user was stored. */
export function agesOf(service: Service): (user: User) => number {
  const storedAt = new Map<User, number>();
  const { store } = service;
  service.store = (user) => {
    storedAt.set(user, performance.now());
    store(user);
  };
  return (user) => performance.now() - (storedAt.get(user) ?? 0);
}
