import { type Patch, waitForHangUp } from '../service.ts';
import { type Broken, broken, operationOf } from './broken.ts';

/**
 * The first retrieval of a connection holds a lock for a while and releases it with its response. A
 * client that hangs up leaves the service locked.
 */
const keepsLocks: Patch = (service) => {
  const { handle, write } = service;
  const connections = new WeakSet<object>();
  let isLocked = false;
  service.handle = async (request) => {
    if (isLocked) return { status: 500 };
    if (operationOf(request, service) === 'retrieve' && !connections.has(request.connection))
      await waitForHangUp(300);
    connections.add(request.connection);
    return handle(request);
  };
  service.write = (response, reply, request) => {
    isLocked ||= response.destroyed;
    write(response, reply, request);
  };
};

/** Faults after a client that does not wait for its response. */
export const brokenByHangUps: Broken[] = [
  {
    ...broken('http.survives-bad-requests', 'an aborted retrieval keeps its lock', keepsLocks),
    // The service stays down, also for the negative cases that are sent later.
    mayAlso: ['create.invalid-status', 'create.mistyped-status'],
  },
];
