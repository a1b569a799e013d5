import type { Request } from '../service.ts';
import {
  alsoAuthorised,
  type Broken,
  broken,
  changedSuccess,
  type OperationName,
  operationOf,
  tokenOf,
} from './broken.ts';

const unguarded = (operation: OperationName) =>
  alsoAuthorised((request, service) => operationOf(request, service) === operation);

/** Requests that services reject, and the usual status. */
const REJECTED: [status: number, isRejected: (request: Request) => boolean][] = [
  [406, ({ headers }) => headers.accept === 'text/html'],
  [415, ({ headers }) => headers['content-type'] === 'text/plain'],
  [405, ({ method, path }) => method === 'POST' && path.split('/').length > 3],
  [413, ({ body }) => body.length > 1024 * 1024],
];

/** Operations that are open without the key or with any key, and rejections that show too much. */
export const brokenAuthentication: Broken[] = [
  broken(
    'authentication.retrieve-needs-key',
    'a user from before the run may be read by anybody',
    (service) => {
      service.users.push({
        id: 'demonstration-4711',
        email: 'demo@example.org',
        name: 'Demo User',
      });
      alsoAuthorised(({ path }) => path.endsWith('/demonstration-4711'))(service);
    },
  ),
  ...REJECTED.map(([status, isRejected]) =>
    broken(
      'authentication.key-not-in-answers',
      `a ${status} repeats the Authorization header`,
      (service) => {
        const { handle, key } = service;
        service.handle = (request) =>
          isRejected(request) && service.authorised(request)
            ? { status, body: { error: `curl -H "Authorization: Bearer ${key}"` } }
            : handle(request);
      },
    ),
  ),
  broken(
    'authentication.key-not-in-answers',
    'a list with a query repeats the request headers',
    changedSuccess(
      (reply, { query, headers }) =>
        query.size > 0 ? { ...reply, body: { ...(reply.body as object), asked: headers } } : reply,
      'list',
    ),
  ),
  broken(
    'authentication.refusal-shows-no-user',
    'a 401 for a creation shows a part of an email',
    (service) => {
      service.refuse = ({ method }) => ({
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { last: method === 'POST' ? service.users.at(0)?.email.split('@')[0] : undefined },
      });
    },
  ),
  broken('authentication.list-needs-key', 'the list is open', unguarded('list')),
  broken('authentication.list-needs-key', 'the list is open without the header', (service) => {
    alsoAuthorised(
      (request) => operationOf(request, service) === 'list' && !request.headers.authorization,
    )(service);
  }),
  broken(
    'authentication.list-needs-key',
    'the list needs no key until the first creation',
    alsoAuthorised(
      ({ method, headers }, { users }) =>
        method === 'GET' && !headers.authorization && users.length === 0,
    ),
  ),
  broken(
    'authentication.wrong-key',
    'keys are not compared until the first creation',
    alsoAuthorised((request, { users }) => tokenOf(request) !== '' && users.length === 0),
  ),
  broken(
    'authentication.wrong-key',
    'keys are not compared any more at the end of a run',
    (service) => {
      let isLate = false;
      const { authorised, find } = service;
      // Users whose email begins with a digit are retrieved after all negative cases.
      service.find = (id) => {
        const user = find(id);
        isLate ||= /^\d/.test(user?.email ?? '');
        return user;
      };
      service.authorised = (request) => authorised(request) || (isLate && tokenOf(request) !== '');
    },
  ),
  broken('authentication.create-needs-key', 'creating is open', unguarded('create')),
  broken(
    'authentication.create-needs-key',
    'the guard is on GET only',
    alsoAuthorised(({ method }) => method === 'POST'),
  ),
  broken(
    'authentication.wrong-key',
    'creating is open until there is a user',
    alsoAuthorised(({ method }, { users }) => method === 'POST' && users.length === 0),
  ),
  broken('authentication.retrieve-needs-key', 'retrieving is open', unguarded('retrieve')),
  broken('authentication.retrieve-needs-key', 'the guard matches the path exactly', (service) => {
    alsoAuthorised(({ path }) => path !== `${service.base}/users`)(service);
  }),
  broken(
    'authentication.retrieve-needs-key',
    'all users but the first may be read without the key',
    alsoAuthorised(
      ({ method, path }, { users }) =>
        method === 'GET' && /users\/./.test(path) && !path.endsWith(`${users[0]?.id}`),
    ),
  ),
  broken(
    'authentication.retrieve-needs-key',
    'a path with an identifier is taken for a public file',
    alsoAuthorised(({ path, method }) => method === 'GET' && path.split('/').length > 3),
  ),
  broken(
    'authentication.wrong-key',
    'any token is good',
    alsoAuthorised((request) => tokenOf(request) !== ''),
  ),
  broken(
    'authentication.wrong-key',
    'a wrong key is good for reading',
    alsoAuthorised((request) => request.method === 'GET' && tokenOf(request) !== ''),
  ),
  broken(
    'authentication.wrong-key',
    'a token as long as the key is good',
    alsoAuthorised((request, { key }) => tokenOf(request).length === key.length),
  ),
];
