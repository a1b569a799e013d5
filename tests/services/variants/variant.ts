import type { Settings } from '../../../src/settings/settings.ts';
import type { Patch, Reply, Service, User } from '../service.ts';

/** A conforming service that makes a choice of its own. */
export interface Variant {
  /** The slug of the choice. */
  choice: string;
  name: string;
  patch: Patch;
  /** The SHOULDs that it does not follow, by slug: not left open, but no failure either. */
  breaks: string[];
  /** Those that only a thorough run shows. */
  breaksInDepth?: string[];
  /**
   * Settings that it needs, such as a longer settle time for one that lags by count; then it is not combined with
   * others.
   */
  settings?: Partial<Settings>;
}

/** Declares a conforming service, and the SHOULDs that it breaks. */
export function variant(
  choice: string,
  name: string,
  patch: Patch,
  breaks: string[] = [],
): Variant {
  return { choice, name, patch, breaks };
}

/** Replaces what shows a user in the create and the retrieve answer, and in the list unless that has its own. */
export function shows(service: Service, record: (user: User) => unknown): void {
  service.record = record;
}

/** The create answer without a Location. */
export const noLocation: Patch = (service) => {
  const { created } = service;
  service.created = (user) => ({ ...created(user), headers: {} });
};

/** Changes every answer. */
export function afterwards(service: Service, change: (reply: Reply) => Reply): void {
  const { handle } = service;
  service.handle = async (request) => change(await handle(request));
}

/** A user shows only after some milliseconds. */
export function lagging(milliseconds: number): Patch {
  return (service) => {
    const { store } = service;
    service.store = (user) => void setTimeout(() => store(user), milliseconds);
  };
}

/** Shows a user in the list 60 ms late. */
export const listedLate: Patch = (service) => {
  const since = new Map<User, number>();
  const { store } = service;
  service.store = (user) => {
    since.set(user, performance.now());
    store(user);
  };
  service.listed = () =>
    service.users.filter((user) => performance.now() - (since.get(user) ?? 0) > 60);
};
