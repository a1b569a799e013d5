import type { Patch, Reply, Request } from '../service.ts';
import { type Broken, broken, changed, operationOf } from './broken.ts';

/** Rejects an email that another user has. */
const rejectsDuplicates: Patch = (service) => {
  const { create, parse } = service;
  service.create = (request) => {
    const parsed = parse(request.body);
    const isTaken = 'email' in parsed && service.users.some(({ email }) => email === parsed.email);
    return isTaken ? { status: 409, body: { error: 'the email is taken' } } : create(request);
  };
};

/** Rejects a value that a column of the database cannot hold. */
const rejectsNames =
  (isTooMuch: (name: string) => boolean): Patch =>
  (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      return 'name' in parsed && isTooMuch(parsed.name) ? { error: 'the name is invalid' } : parsed;
    };
  };

/** Each rejected creation of a kind keeps one of ten connections; without one, nothing responds. */
const losesConnections =
  (isLost: (reply: Reply, request: Request) => boolean): Patch =>
  (service) => {
    const { list, create, retrieve } = service;
    let free = 10;
    const withConnection = <T>(use: () => T): T | Promise<never> =>
      free > 0 ? use() : new Promise<never>(() => {});
    service.retrieve = (id, request) => withConnection(() => retrieve(id, request));
    service.list = (request) => withConnection(() => list(request));
    service.create = (request) =>
      withConnection(async () => {
        const reply = await create(request);
        if (isLost(reply, request)) free -= 1;
        return reply;
      });
  };

const inTurn =
  (...patches: Patch[]): Patch =>
  (service) => {
    for (const patch of patches) patch(service);
  };

const leaking = (name: string, ...patches: Patch[]): Broken => ({
  ...broken('http.survives-bad-requests', name, inTurn(...patches)),
  settings: { timeoutMs: 1000 },
});

/** After each rejected creation of a kind the next retrieval is rejected, too. */
const rejectsNext =
  (isBad: (reply: Reply, request: Request) => boolean): Patch =>
  (service) => {
    const { handle } = service;
    let isDue = false;
    service.handle = async (request) => {
      if (isDue && operationOf(request, service) === 'retrieve') {
        isDue = false;
        return { status: 403, body: { error: 'try again' } };
      }
      const reply = await handle(request);
      isDue ||= isBad(reply, request);
      return reply;
    };
  };

/** Encodes the body of each response in Latin-1 if a request prefers that. */
const prefersLatin: Patch = changed((reply, { headers }) => {
  if (!/^ISO-8859-1/.test(`${headers['accept-charset'] ?? ''}`)) return reply;
  const body = Buffer.from(JSON.stringify(reply.body ?? null), 'latin1');
  return { ...reply, headers: { ...reply.headers, 'content-type': 'application/json' }, body };
});

/**
 * A pool of three connections, used in turn for reads. A refused duplicate leaves its transaction
 * open on one of them, which from then on shows the users of that moment.
 */
const leavesSnapshot: Patch = (service) => {
  const { retrieve, create } = service;
  const snapshots: (Set<string> | undefined)[] = [undefined, undefined, undefined];
  let turn = 0;
  service.create = async (request) => {
    const reply = await create(request);
    // The pool ends the transactions that are open for long.
    if (reply.status === 409) snapshots[0] = new Set(service.users.map(({ id }) => String(id)));
    return reply;
  };
  service.retrieve = (id, request) => {
    turn = (turn + 1) % snapshots.length;
    const seen = snapshots[turn];
    return seen === undefined || seen.has(id) ? retrieve(id, request) : service.missing(id);
  };
};

/** Services that lose state after a rejection, or respond otherwise to a stock client. */
export const brokenStateInTheWild: Broken[] = [
  broken('http.equivalent-requests', 'an offer of h2c is 400', (service) => {
    const { handle } = service;
    service.handle = (request) =>
      request.headers.upgrade === 'h2c' && request.headers['http2-settings'] !== undefined
        ? { status: 400, body: 'Unsupported upgrade request.' }
        : handle(request);
  }),
  broken('http.equivalent-requests', 'an Accept-Charset with Latin-1 gets it', prefersLatin, [
    'http.json',
  ]),
  leaking(
    'each refused duplicate keeps one of ten connections',
    rejectsDuplicates,
    losesConnections(({ status }) => status === 409),
  ),
  broken(
    'create.same-email',
    'the next retrieval after each refused duplicate is 403',
    inTurn(
      rejectsDuplicates,
      rejectsNext(({ status }) => status === 409),
    ),
  ),
  broken(
    'retrieve.repeatable',
    'a refused duplicate leaves a transaction open on one of three connections',
    inTurn(rejectsDuplicates, leavesSnapshot),
  ),
  leaking(
    'each name with a NUL keeps one of ten connections',
    rejectsNames((name) => name.includes('\0')),
    losesConnections(({ status }, { body }) => status === 400 && body.includes('\\u0000')),
  ),
  leaking(
    'each name that is too long keeps one of ten connections',
    rejectsNames((name) => name.length > 255),
    losesConnections(({ status }, { body }) => status === 400 && body.length > 255),
  ),
  leaking(
    'each creation without a name keeps one of ten connections',
    losesConnections(
      ({ status }, { body }) => status === 400 && /^\{"email":"[^"]*"\}$/.test(body),
    ),
  ),
];
