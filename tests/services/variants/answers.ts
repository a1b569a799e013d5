import { randomInt } from 'node:crypto';
import { jsonOf, membersOf } from '../broken/broken.ts';
import { existingUsers } from '../patches.ts';
import type { Service } from '../service.ts';
import { shows, type Variant, variant } from './variant.ts';

/** Choices of create requests, and of the bodies and statuses of responses. */
export const answerVariants: Variant[] = [
  variant('create-request', 'what the body lacks is taken from the query', (service) => {
    readingCreation(service, (body, query) => ({ ...Object.fromEntries(query), ...body }));
  }),
  variant('create-request', 'the names of members in any case', (service) => {
    readingCreation(service, (body) =>
      Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value])),
    );
  }),
  variant('create-request', 'a user may be in the member user', (service) => {
    readingCreation(service, ({ user, ...body }) => user ?? body);
  }),
  variant(
    'create-answer',
    'empty, 204',
    (service) => {
      service.created = (user) => ({ status: 204, headers: { location: `/v1/users/${user.id}` } });
    },
    ['create.status-201'],
  ),
  variant(
    'create-answer',
    '200 and the identifier alone',
    (service) => {
      service.created = ({ id }) => ({ status: 200, body: { id } });
    },
    ['create.status-201'],
  ),
  variant(
    'create-answer',
    'the identifier as the whole body',
    (service) => {
      service.created = ({ id }) => ({
        status: 201,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(id),
      });
    },
    ['create.location'],
  ),
  variant('create-answer', '202, and the user appears later', (service) => {
    service.created = ({ id }) => ({ status: 202, body: { id } });
    const { store } = service;
    service.store = (user) => {
      setTimeout(() => store(user), 40);
    };
  }),
  variant('retrieve-answer', 'data', (service) => {
    shows(service, (user) => ({ data: user }));
    service.item = (user) => user;
  }),
  variant('retrieve-answer', 'user, with who asked beside it', (service) => {
    shows(service, (user) => ({
      user,
      meta: { requestedBy: { email: 'admin@example.com', name: 'Admin' } },
    }));
    service.item = (user) => user;
  }),
  variant('retrieve-answer', 'an array of one', (service) => {
    shows(service, (user) => ({ data: [user] }));
    service.item = (user) => user;
  }),
  variant('list', 'pages of five', (service) => {
    service.listed = () => service.users.slice(0, 5);
  }),
  variant('list', 'pages of five, the newest first, with further members', (service) => {
    service.list = () => ({
      status: 200,
      body: {
        data: [...service.users].reverse().slice(0, 5),
        total: service.users.length,
        page: 1,
        next: '/v1/users?page=2',
      },
    });
  }),
  variant('list', 'in another order each time', (service) => {
    service.listed = () => [...service.users].sort(() => randomInt(3) - 1);
  }),
  variant('list', 'users are there before', (service) => {
    service.users.push(
      { id: 'first', email: 'someone@example.org', name: 'Some One' },
      { id: 'second', email: 'else@example.org', name: 'Else' },
    );
  }),
  variant('list', 'a total of 1e0 style and 3.0', (service) => {
    service.list = () => ({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: `{"total":${service.users.length}.0,"data":${JSON.stringify(service.users)}}`,
    });
  }),
  variant('states', 'a new user is pending', (service) => {
    shows(service, (user) => ({ ...user, status: 'pending', activated: false, invitedBy: null }));
  }),
  variant('create-answer', 'an absolute Location and no body', (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      const reply = await handle(request);
      const location = reply.headers?.location;
      if (location === undefined || reply.status !== 201) return reply;
      return { status: 201, headers: { location: `http://${request.headers.host}${location}` } };
    };
  }),
  variant('create-answer', 'a Location relative to the list', (service) => {
    service.created = (user) => ({
      status: 201,
      headers: { location: `users/${encodeURIComponent(user.id)}` },
      body: {},
    });
  }),
  variant(
    'create-answer',
    'values that are not those of the user',
    (service) => {
      service.created = ({ id }) => ({ status: 201, body: { id, email: 'hidden', name: null } });
    },
    ['create.location'],
  ),
  variant(
    'create-answer',
    '203 and an envelope',
    (service) => {
      service.created = (user) => ({
        status: 203,
        body: { ok: true, result: { user: service.record(user) } },
      });
    },
    ['create.status-201'],
  ),
  variant('retrieve-answer', 'JSON:API, with people included', (service) => {
    const people = [1, 2].map((id) => ({
      type: 'people',
      id,
      email: `person.${id}@example.org`,
      name: 'A Person',
    }));
    shows(service, ({ id, ...attributes }) => ({
      data: { type: 'users', id, attributes },
      included: people,
    }));
    service.item = (user) => user;
  }),
  variant('retrieve-answer', 'a deep envelope', (service) => {
    shows(service, (user) => ({ response: { result: { item: user } }, took: 3 }));
    service.item = (user) => user;
  }),
  variant('list', 'pages of 25, the newest first', (service) => {
    service.listed = () => [...service.users].reverse().slice(0, 25);
  }),
  variant('list', 'further members, an array of people among them', (service) => {
    service.list = () => ({
      status: 200,
      body: {
        admins: [{ email: 'admin@example.org', name: 'Admin' }],
        data: service.listed().map((user) => service.item(user)),
        total: service.total(),
        links: { self: '/v1/users' },
      },
    });
  }),
  variant('list', 'three hundred users are there before', (service) => {
    service.users.push(...existingUsers(300));
  }),
];

/**
 * Replaces create bodies that are objects. `read` makes the new body of the old one and the query.
 */
function readingCreation(
  service: Service,
  read: (body: Record<string, unknown>, query: URLSearchParams) => unknown,
): void {
  const { create } = service;
  service.create = (request) => {
    const body = membersOf(jsonOf(request));
    return create(
      body ? { ...request, body: JSON.stringify(read({ ...body }, request.query)) } : request,
    );
  };
}
