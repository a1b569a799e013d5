import type { Patch, User } from './service.ts';

/** Combines patches, which are applied in this order. */
export const combine =
  (...patches: Patch[]): Patch =>
  (service) => {
    for (const patch of patches) patch(service);
  };

/** Makes users with the identifiers `old-0`, `old-1` and so on. */
export const existingUsers = (count: number): User[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `old-${at}`,
    email: `old.${at}@example.org`,
    name: `Old ${at}`,
  }));

/** Identifiers are integers, counted from 1. */
export const integers: Patch = (service) => {
  let next = 1;
  service.newId = () => next++;
};
