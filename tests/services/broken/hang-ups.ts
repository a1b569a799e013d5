import { setTimeout } from 'node:timers/promises';
import type { Patch } from '../service.ts';
import { type Broken, broken, operationOf } from './broken.ts';

/** The first retrieval of a connection takes a lock for a while, and gives it back with its response. */
const keepsLocks: Patch = (service) => {
  const { handle, write } = service;
  const known = new WeakSet<object>();
  let isLocked = false;
  service.handle = async (request) => {
    if (isLocked) return { status: 500 };
    if (operationOf(request, service) === 'retrieve' && !known.has(request.connection))
      await setTimeout(300);
    known.add(request.connection);
    return handle(request);
  };
  service.write = (response, reply, request) => {
    isLocked ||= response.destroyed;
    write(response, reply, request);
  };
};

/** What a client leaves behind that does not wait for its response. */
export const brokenByHangUps: Broken[] = [
  {
    ...broken(
      'http.survives-bad-requests',
      'a retrieval that is given up keeps its lock',
      keepsLocks,
      ['http.no-sporadic-error', 'http.no-server-error'],
    ),
    // It is down for good, also for the negative cases that are sent later.
    mayAlso: ['create.invalid-status', 'create.mistyped-status'],
  },
];
