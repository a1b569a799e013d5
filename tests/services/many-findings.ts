import { brokenBy } from './named.ts';
import { existingUsers } from './patches.ts';
import type { Patch } from './service.ts';

/** Markup that a service returns as a name. */
export const NASTY = '<script>alert(1)</script><img src=x onerror=alert(1)>';

const FAULTS = [
  'no Location',
  'any type is stored',
  'a path with an identifier is taken for a public file',
  'any token is good',
];

/** Makes a service fail requirements of every kind, and return markup. */
export const manyFindings: Patch = (service) => {
  service.users.push(...existingUsers(40).map((user) => ({ ...user, name: NASTY })));
  service.listed = () => service.users.slice(0, 20);
  for (const name of FAULTS) brokenBy(name)(service);
  const { retrieve } = service;
  service.retrieve = async (id, request) => {
    const reply = await retrieve(id, request);
    return reply.status === 404 ? { ...reply, headers: { 'x-nasty': NASTY }, body: NASTY } : reply;
  };
};
