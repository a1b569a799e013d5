import { setImmediate, setTimeout } from 'node:timers/promises';
import { type Patch, type Reply, type Request, waitForHangUp } from '../service.ts';
import { type Broken, jsonOf, membersOf, reported } from './broken.ts';

/** An aborted request leaves its reply unread on the only connection to a cache. */
const leavesRepliesUnread: Patch = (service) => {
  const { retrieve, write } = service;
  const unread: Reply[] = [];
  const leases = new WeakMap<Request, () => void>();
  let previous = Promise.resolve();
  service.retrieve = async (id, request) => {
    const waiting = previous;
    previous = new Promise((release) => leases.set(request, release));
    await waiting;
    unread.push(await retrieve(id, request));
    await waitForHangUp(5);
    return { status: 200 };
  };
  service.write = (response, reply, request) => {
    const release = leases.get(request);
    const isCancelled = response.destroyed;
    const isRetrieval = release !== undefined;
    release?.();
    if (isCancelled) return;
    const oldest = isRetrieval ? unread.shift() : undefined;
    write(response, oldest ?? reply, request);
  };
};

/** Invalid JSON crashes the process, and a supervisor restarts it. */
const restartsAfterCrash: Patch = (service) => {
  const { create, write } = service;
  let downUntil = 0;
  service.create = (request) => {
    if (jsonOf(request) === undefined) downUntil = performance.now() + 300;
    return create(request);
  };
  service.write = (response, reply, request) => {
    if (performance.now() < downUntil) response.socket?.resetAndDestroy();
    else write(response, reply, request);
  };
};

/** A 401 leaves the body unread, which then becomes the beginning of the next request. */
const leavesBodiesUnread: Patch = (service) => {
  const { handle } = service;
  const unread = new WeakSet<object>();
  service.handle = (request) => {
    if (unread.delete(request.connection)) return { status: 501, headers: { connection: 'close' } };
    if (request.body !== '' && !service.authorised(request)) unread.add(request.connection);
    return handle(request);
  };
};

/** A second writer fails, because there is no busy timeout. */
const locksDatabase: Patch = (service) => {
  const { create } = service;
  let isLocked = false;
  service.create = async (request) => {
    if (isLocked) return { status: 500, body: { error: 'database is locked' } };
    isLocked = true;
    await setTimeout(2);
    isLocked = false;
    return create(request);
  };
};

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A failed query leaves its transaction open; the next query on that connection fails and rolls
 * back.
 */
const keepsAbortedTransactions: Patch = (service) => {
  const { handle } = service;
  const idle: { isAborted: boolean }[] = [];
  service.handle = async (request) => {
    if (!service.authorised(request)) return handle(request);
    const connection = idle.pop() ?? { isAborted: false };
    await setImmediate();
    const reply = connection.isAborted ? { status: 500 } : await handle(request);
    const [, id] = /\/users\/([^/]+)$/.exec(request.path) ?? [];
    connection.isAborted = !connection.isAborted && id !== undefined && !UUID.test(id);
    idle.push(connection);
    return reply;
  };
};

/** A missing member violates NOT NULL. Nothing handles the rejected promise. */
const ignoresRejections: Patch = (service) => {
  const { create } = service;
  service.create = (request) => {
    const { email, name } = membersOf(jsonOf(request)) ?? { email: '', name: '' };
    return email === undefined || name === undefined ? new Promise(() => {}) : create(request);
  };
};

/** Services in which a request disturbs others, as in a public report. */
export const brokenReportedStates: Broken[] = [
  {
    ...reported(
      'redis-py #2624',
      'http.survives-bad-requests',
      'an aborted request leaves its reply on a pooled connection',
      leavesRepliesUnread,
      ['retrieve.exact-user', 'retrieve.unknown'],
    ),
    mayAlso: ['retrieve.odd', 'retrieve.pattern', 'retrieve.odd-status', 'retrieve.unknown-status'],
  },
  reported(
    'hyperswitch-control-center #4960',
    'http.survives-bad-requests',
    'invalid JSON crashes the process, which a supervisor restarts',
    restartsAfterCrash,
  ),
  reported(
    'werkzeug #2397',
    'http.survives-bad-requests',
    'the body of a rejected request is read as the next request',
    leavesBodiesUnread,
  ),
  {
    ...reported(
      'node-postgres #154',
      'http.survives-bad-requests',
      'an aborted transaction goes back to the pool',
      keepsAbortedTransactions,
      ['http.no-server-error', 'http.no-sporadic-error', 'retrieve.odd-status'],
    ),
    mayAlso: ['retrieve.concurrent'],
  },
  reported(
    'yesod #400',
    'http.no-sporadic-error',
    'SQLite is locked while another request writes',
    locksDatabase,
    ['create.concurrent', 'http.no-server-error'],
  ),
  {
    ...reported(
      'express #3991',
      'create.answered',
      'a rejected promise in an async handler leaves the request without a response',
      ignoresRejections,
    ),
    settings: { timeoutMs: 1500 },
  },
];
