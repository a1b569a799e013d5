import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../tests/services/listen.ts';
import { start } from '../tests/services/service.ts';

/** Starts a conforming service that delays each response by some milliseconds. */
export function slow(milliseconds: number): Promise<Running> {
  return start((service) => {
    const { handle } = service;
    service.handle = async (request) => {
      await sleep(milliseconds);
      return handle(request);
    };
  });
}

/**
 * Starts a conforming service with many users from before the run, about 100 bytes each in the
 * list.
 */
export function large(userCount: number): Promise<Running> {
  const items = Array.from({ length: userCount }, (_, index) =>
    JSON.stringify(existingUser(index)),
  ).join(',');
  return start((service) => {
    const { find } = service;
    service.find = (id) => {
      const [, index] = /^old-(\d+)$/.exec(id) ?? [];
      const isExisting = index !== undefined && Number(index) < userCount;
      return isExisting ? existingUser(Number(index)) : find(id);
    };
    service.list = () => {
      const data = [items, ...service.users.map((user) => JSON.stringify(user))].join(',');
      const body = `{"data":[${data}],"total":${userCount + service.users.length}}`;
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    };
  });
}

const existingUser = (index: number) => ({
  id: `old-${index}`,
  email: `old.user.${index}@example.org`,
  name: `Old User Number ${index}`,
});
