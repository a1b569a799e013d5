import type { Patch, Service, User } from '../service.ts';
import {
  type Broken,
  broken,
  changed,
  changedSuccess,
  jsonOf,
  membersOf,
  type OperationName,
  operationOf,
} from './broken.ts';

/** Requirements that may fail if a valid request gets a 500. */
const SPORADIC = [
  'create.accepted-exists',
  'create.answers',
  'create.concurrent',
  'create.invalid-status',
  'create.mistyped-status',
  'create.same-email',
  'create.same-name',
  'http.chunked-body',
  'http.concurrent-requests',
  'http.equivalent-requests',
  'http.media-type',
  'http.survives-bad-requests',
  'list.agrees-with-retrieve',
  'retrieve.concurrent',
  'retrieve.created-user',
  'retrieve.odd-status',
  'retrieve.repeatable',
  'retrieve.unknown-status',
];

/**
 * Faults of single creations: odd names, rejected requests, sporadic errors, and wrong responses.
 */
export const brokenCreations: Broken[] = [
  {
    ...broken(
      'http.survives-bad-requests',
      'creations get no response after ten without an email or a name',
      (service) => {
        const { create } = service;
        let free = 10;
        service.create = (request) => {
          if (free === 0) return new Promise(() => {});
          const { email, name } = Object(jsonOf(request));
          if (typeof email !== 'string' || typeof name !== 'string') free -= 1;
          return create(request);
        };
      },
      ['create.answered'],
    ),
    settings: { timeoutMs: 1500 },
  },
  broken(
    'create.identifier-agrees',
    'the create response has the identifier of the previous user',
    (service) => {
      const { created } = service;
      service.created = (user) => ({
        ...created(user),
        body: { ...user, id: service.users.at(-2)?.id ?? user.id },
      });
    },
  ),
  broken(
    'create.refused-creates-nothing',
    'a user with the name null is rejected, and stored all the same',
    (service) => {
      const { create } = service;
      service.create = (request) => {
        const sent = membersOf(jsonOf(request));
        if (typeof sent?.email === 'string' && sent.name === null)
          service.store({ id: service.newId(), email: sent.email, name: '' });
        return create(request);
      };
    },
  ),
  broken(
    'create.accepted-exists',
    'a user with emoji in the name is accepted and not stored',
    (service) => {
      dropping(service, ({ name }) => /\p{Extended_Pictographic}/u.test(name));
    },
  ),
  broken(
    'create.accepted-exists',
    'a user with more than 1,000 characters in the name is accepted and not stored',
    (service) => {
      dropping(service, ({ name }) => name.length > 1000);
    },
  ),
  {
    ...broken(
      'create.concurrent',
      'of two successive users with unusual names the first is lost',
      (service) => {
        const { store } = service;
        service.store = (user) => {
          const before = service.users.at(-1);
          store(user);
          const isUnusual = ({ name = '' } = {}) => /[^ -~]/.test(name);
          if (isUnusual(user) && isUnusual(before))
            service.users = service.users.filter((other) => other !== before);
        };
      },
    ),
    mayAlso: ['retrieve.repeatable'],
  },
  broken(
    'create.accepted-exists',
    'a user in a chunked body is accepted and not stored',
    (service) => {
      const { create } = service;
      service.create = async (request) => {
        const reply = await create(request);
        if (request.headers['transfer-encoding'])
          service.users = service.users.filter((user) => user !== reply.body);
        return reply;
      };
    },
    ['retrieve.created-user'],
  ),
  broken(
    'list.users',
    'a user with quotes in the name is listed without a name',
    (service) => {
      service.item = (user) => (user.name.includes('"') ? { ...user, name: null } : user);
    },
    ['list.agrees-with-retrieve'],
  ),
  {
    ...sporadic('http.no-sporadic-error', 'one retrieval in thirty is 500', 'retrieve', 30),
    also: [],
    mayAlso: [...SPORADIC, 'http.no-server-error'],
  },
  sporadic('http.no-sporadic-error', 'one creation in five is 500', 'create', 5),
  sporadic('http.no-sporadic-error', 'one creation in twenty is 500', 'create', 20),
  {
    ...sporadic('list.answers', 'one list in four is 500', 'list', 4),
    also: [],
    mayAlso: ['http.equivalent-requests', 'http.no-server-error', 'http.no-sporadic-error'],
  },
  broken(
    'http.no-sporadic-error',
    'the first creation makes the table of users, and is 500',
    (service) => {
      const { store } = service;
      let hasTable = false;
      service.store = (user) => {
        if (!hasTable) {
          hasTable = true;
          throw new Error('no such table');
        }
        store(user);
      };
    },
  ),
  broken(
    'create.answers',
    'creating is 500',
    changedSuccess(() => ({ status: 500 }), 'create'),
    ['http.no-server-error'],
  ),
  broken(
    'create.answers',
    'creating is a redirect',
    changedSuccess((reply) => ({ ...reply, status: 303 }), 'create'),
  ),
  broken('create.answers', 'the quota is twelve users', (service) => {
    const { create } = service;
    service.create = (request) =>
      service.users.length >= 12
        ? { status: 402, body: { error: 'too many users' } }
        : create(request);
  }),
  broken(
    'create.refused-creates-nothing',
    '400 for no name, and stored all the same',
    (service) => {
      changed((reply, request) => {
        const { email, name } = membersOf(jsonOf(request)) ?? {};
        if (reply.status === 400 && typeof email === 'string' && name === undefined) {
          service.store({ id: service.newId(), email, name: '' });
        }
        return reply;
      }, 'create')(service);
    },
  ),
  broken(
    'create.refused-creates-nothing',
    '400 for null, and an empty user is stored all the same',
    (service) => {
      changed((reply, request) => {
        if (reply.status === 400 && request.body === 'null')
          service.store({ id: service.newId(), email: '', name: '' });
        return reply;
      }, 'create')(service);
    },
  ),
  broken(
    'create.body-required',
    'an empty body creates the previous user of its connection again',
    filledFromBefore((body, { email, name }) => (body === '' ? { email, name } : undefined)),
    ['list.contains-created'],
  ),
  broken(
    'create.email-required',
    'a creation without email takes the email of the previous creation on its connection',
    filledFromBefore((body, { email }) => {
      const sent = membersOf(jsonOf({ body }));
      return sent && typeof sent.name === 'string' && sent.email === undefined
        ? { email, ...sent }
        : undefined;
    }),
    ['list.contains-created'],
  ),
  broken(
    'create.refused-creates-nothing',
    'a page of five hides the users of rejected creations',
    (service) => {
      service.listed = () => service.users.slice(0, 5);
      changed((reply, request) => {
        if (reply.status === 400 && request.body === '')
          service.store({ id: service.newId(), email: '', name: '' });
        return reply;
      }, 'create')(service);
    },
  ),
  broken(
    'create.status-201',
    'a creation is 200',
    changedSuccess((reply) => ({ ...reply, status: 200 }), 'create'),
  ),
  broken(
    'create.location',
    'no Location',
    changedSuccess((reply) => ({ ...reply, headers: {} }), 'create'),
  ),
  broken(
    'create.location',
    'a Location that leads nowhere',
    changedSuccess((reply) => ({ ...reply, headers: { location: '/users/latest' } }), 'create'),
  ),
  broken(
    'create.location',
    'a Location elsewhere',
    changedSuccess(
      (reply) => ({ ...reply, headers: { location: 'http://users.invalid/1' } }),
      'create',
    ),
  ),
  broken(
    'create.location',
    'a Location that is no address',
    changedSuccess((reply) => ({ ...reply, headers: { location: 'http://[' } }), 'create'),
  ),
];

/** Completes creations from the previous creation on their connection. */
function filledFromBefore(fill: (body: string, before: User) => object | undefined): Patch {
  return (service) => {
    const { create } = service;
    const last = new WeakMap<object, User>();
    service.create = (request) => {
      const before = last.get(request.connection);
      const filled = before && fill(request.body, before);
      const sent = { ...request, ...(filled && { body: JSON.stringify(filled) }) };
      const { email, name } = membersOf(jsonOf(sent)) ?? {};
      if (typeof email === 'string' && typeof name === 'string')
        last.set(request.connection, { id: '', email, name });
      return create(sent);
    };
  };
}

/** Accepts some users without storing them. */
function dropping(service: Service, isDropped: (user: User) => boolean): void {
  const { store } = service;
  service.store = (user) => {
    if (!isDropped(user)) store(user);
  };
}

/** Declares a service that returns 500 for every n-th authorised request of an operation. */
function sporadic(slug: string, name: string, operation: OperationName, every: number): Broken {
  const patch: Patch = (service) => {
    const { handle } = service;
    let requests = 0;
    service.handle = async (request) => {
      if (!service.authorised(request) || operationOf(request, service) !== operation)
        return handle(request);
      requests += 1;
      return requests % every === 0 ? { status: 500 } : handle(request);
    };
  };
  return { ...broken(slug, name, patch, ['http.no-server-error']), mayAlso: SPORADIC };
}
