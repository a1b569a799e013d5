import { brokenBy } from './named.ts';
import type { Patch } from './service.ts';

/** Markup, as a name that a service sends. */
export const NASTY = '<script>alert(1)</script><img src=x onerror=alert(1)>';

/** Has findings of every kind, and sends markup. */
export const manyFindings: Patch = (service) => {
  for (let old = 0; old < 40; old += 1) {
    service.users.push({ id: `old-${old}`, email: `old.${old}@example.org`, name: NASTY });
  }
  service.listed = () => service.users.slice(0, 20);
  for (const name of [
    'no Location',
    'any type is stored',
    'a path with an identifier is taken for a public file',
    'any token is good',
  ]) {
    brokenBy(name)(service);
  }
  const { retrieve } = service;
  service.retrieve = async (id, request) => {
    const reply = await retrieve(id, request);
    return reply.status === 404 ? { ...reply, headers: { 'x-nasty': NASTY }, body: NASTY } : reply;
  };
};
