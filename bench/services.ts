import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../tests/services/listen.ts';
import { start } from '../tests/services/service.ts';

/** A conforming service that takes so many milliseconds for each answer. */
export function slow(milliseconds: number): Promise<Running> {
  return start((service) => {
    const { handle } = service;
    service.handle = async (request) => {
      await sleep(milliseconds);
      return handle(request);
    };
  });
}

/** A conforming service that has so many users, about 100 bytes each in the list. */
export function large(users: number): Promise<Running> {
  const old = (index: number) => {
    return {
      id: `old-${index}`,
      email: `old.user.${index}@example.org`,
      name: `Old User Number ${index}`,
    };
  };
  const items = Array.from({ length: users }, (_, index) => JSON.stringify(old(index))).join(',');
  return start((patched) => {
    const { find } = patched;
    patched.find = (id) => {
      const [, index] = /^old-(\d+)$/.exec(id) ?? [];
      return index !== undefined && Number(index) < users ? old(Number(index)) : find(id);
    };
    patched.list = () => {
      const data = [items, ...patched.users.map((user) => JSON.stringify(user))].join(',');
      const body = `{"data":[${data}],"total":${users + patched.users.length}}`;
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    };
  });
}
