import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../tests/services/listen.ts';
import { type Patch, start, type User, withPeople } from '../tests/services/service.ts';

/** Starts a conforming service with one user from before the run. */
export function plain(): Promise<Running> {
  return start(withPeople);
}

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
  return start(withUsers(existingUsers(userCount)));
}

/**
 * Starts a conforming service whose users have further members, in every response. A few users are
 * from before the run.
 */
export function wide(memberCount: number): Promise<Running> {
  return start(withMembers(memberCount), withUsers(existingUsers(10)));
}

/** Starts a conforming service with a user from before the run whose name is long. */
export function longName(length: number): Promise<Running> {
  return start(withUsers(existingUsers(1).map((user) => ({ ...user, name: 'x'.repeat(length) }))));
}

/**
 * Adds users from before the run. Their part of the list is serialized once, so that the service
 * costs little. Patches of a user's JSON come before this one.
 */
function withUsers(existing: User[]): Patch {
  return (service) => {
    const { find, store } = service;
    const textOf = (user: User) => service.json(service.item(user));
    const byId = new Map(existing.map((user) => [user.id, user]));
    const beginning = Buffer.from(`{"data":[${existing.map(textOf).join(',')}`);
    const created: string[] = [];
    service.find = (id) => byId.get(id) ?? find(id);
    service.store = (user) => {
      store(user);
      created.push(`,${textOf(user)}`);
    };
    service.list = () => {
      const total = existing.length + created.length;
      const end = Buffer.from(`${created.join('')}],"total":${total}}`);
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.concat([beginning, end]),
      };
    };
  };
}

/**
 * Adds the same members to the JSON of each user, as text: copying an object with 1,000 members
 * takes some ten milliseconds.
 */
function withMembers(count: number): Patch {
  const members = Array.from({ length: count }, (_, index) => `"m${index}":"value ${index}"`);
  const end = `,${members.join(',')}}`;
  return (service) => {
    const { json } = service;
    service.json = (body) => (isUser(body) ? json(body).replace(/}$/, end) : json(body));
  };
}

const isUser = (body: unknown) => typeof body === 'object' && body !== null && 'id' in body;

const existingUsers = (count: number): User[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `old-${index}`,
    email: `old.user.${index}@example.org`,
    name: `Old User Number ${index}`,
  }));
