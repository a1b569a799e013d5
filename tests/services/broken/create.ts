import type { NewUser, Patch } from '../service.ts';
import { type Broken, broken, jsonOf, type Members, membersOf } from './broken.ts';

/**
 * Also accepts bodies that the conforming service rejects. `make` makes a user of a body; undefined
 * leaves it rejected.
 */
export const lenient =
  (make: (value: unknown, body: string) => Required<Members> | undefined): Patch =>
  (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      if (!('error' in parsed)) return parsed;
      // A service without validation stores values of any type.
      const user = make(jsonOf({ body }), body) as NewUser | undefined;
      return user ?? parsed;
    };
  };

/** Bodies without email and name in which a service finds a user all the same. */
const OTHER_PLACES: [name: string, userIn: (body: Record<string, unknown>) => unknown][] = [
  ['a user within another member', ({ data }) => data],
  ['a user of other members', ({ username, mail }) => ({ name: username, email: mail })],
  ['members with a space before them', (body) => ({ name: body[' name'], email: body[' email'] })],
];

/** Values that are no objects. */
const NO_OBJECTS: [name: string, isIt: (value: unknown) => boolean][] = [
  ['an array with null in it', (value) => Array.isArray(value) && value[0] === null],
  ['an array in an array', (value) => Array.isArray(value) && Array.isArray(value[0])],
  ['false', (value) => value === false],
];

/** Services that create users of invalid bodies, or respond wrongly to invalid bodies. */
export const brokenCreate: Broken[] = [
  ...OTHER_PLACES.map(([name, userIn]) =>
    broken('create.members-required', `${name} is created`, (service) => {
      const { create } = service;
      service.create = (request) => {
        const body = membersOf(jsonOf(request));
        if (body === undefined || 'email' in body || 'name' in body) return create(request);
        const user = membersOf(userIn({ ...body }));
        return user?.email ? create({ ...request, body: JSON.stringify(user) }) : create(request);
      };
    }),
  ),
  broken(
    'create.name-required',
    'the name may be called username',
    lenient((value) => {
      const { email, name, username } = (membersOf(value) ?? {}) as Record<string, unknown>;
      return email && !name && username ? { email, name: username } : undefined;
    }),
  ),
  ...NO_OBJECTS.map(([name, isIt]) =>
    broken(
      'create.object-required',
      `${name} is a user`,
      lenient((value) => (isIt(value) ? { email: '', name: '' } : undefined)),
    ),
  ),
  broken(
    'create.accepted-exists',
    'a user with a further member constructor is 201 and nowhere',
    (service) => {
      const { create } = service;
      service.create = (request) => {
        const sent = membersOf(jsonOf(request)) ?? {};
        return Object.hasOwn(sent, 'constructor') && sent.name
          ? service.created({ id: service.newId(), email: '', name: '' })
          : create(request);
      };
    },
  ),
  broken(
    'create.object-required',
    'a string with the JSON of a user is a user',
    lenient((value) =>
      typeof value === 'string' && value.startsWith('{"') ? JSON.parse(value) : undefined,
    ),
  ),
  broken('create.body-required', 'white space alone is a user of nothing', (service) => {
    const { create } = service;
    service.create = (request) =>
      /^\s+$/.test(request.body)
        ? create({ ...request, body: '{"email":"","name":""}' })
        : create(request);
  }),
  broken('create.complete-json', 'JSON that ends within a string is completed', (service) => {
    const { parse } = service;
    service.parse = (body) => parse(/:"[^"]+$/.test(body) ? `${body}"}` : body);
  }),
  broken('create.answers', 'after thirty users creations are 403', (service) => {
    const { create } = service;
    service.create = (request) =>
      service.users.length < 30 ? create(request) : { status: 403, body: {} };
  }),
  {
    ...broken('create.answered', 'an object as a name gets no response', (service) => {
      const { create } = service;
      service.create = (request) => {
        const { name } = membersOf(jsonOf(request)) ?? {};
        const isObject = typeof name === 'object' && name !== null;
        return isObject ? new Promise(() => {}) : create(request);
      };
    }),
    settings: { timeoutMs: 1000 },
  },
  broken(
    'create.email-required',
    'no email, no matter',
    lenient((value) => {
      const members = membersOf(value) ?? {};
      return typeof members.name === 'string' && !('email' in members)
        ? { email: '', name: members.name }
        : undefined;
    }),
  ),
  broken(
    'create.email-required',
    'an email is made of the name',
    lenient((value) => {
      const { email, name } = membersOf(value) ?? {};
      return email === undefined && typeof name === 'string'
        ? { email: `${name}@example.org`, name }
        : undefined;
    }),
  ),
  broken(
    'create.name-required',
    'no name, no matter',
    lenient((value) => {
      const members = membersOf(value) ?? {};
      return typeof members.email === 'string' && !('name' in members)
        ? { email: members.email, name: '' }
        : undefined;
    }),
  ),
  broken(
    'create.name-required',
    'the name is stored as undefined',
    lenient((value) => {
      const { email, name } = membersOf(value) ?? {};
      return typeof email === 'string' && name === undefined ? { email, name } : undefined;
    }),
  ),
  broken(
    'create.members-required',
    'an empty object is a user',
    lenient((value) => {
      const members = membersOf(value);
      const isEmpty = members !== undefined && Object.keys(members).length === 0;
      return isEmpty ? { email: '', name: '' } : undefined;
    }),
  ),
  broken(
    'create.members-required',
    'defaults for everything',
    lenient((value) => {
      const members = membersOf(value);
      return members && !('email' in members) && !('name' in members)
        ? { email: 'new@example.org', name: 'New User' }
        : undefined;
    }),
  ),
  broken(
    'create.object-required',
    'an array is taken as a batch',
    lenient((value) => (Array.isArray(value) && membersOf(value[0]) ? value[0] : undefined)),
    ['list.users'],
  ),
  broken(
    'create.object-required',
    'null is a user',
    lenient((value) => (value === null ? { email: '', name: '' } : undefined)),
  ),
  broken(
    'create.object-required',
    'a number is a user',
    lenient((value) => (typeof value === 'number' ? { email: '', name: '' } : undefined)),
  ),
  broken(
    'create.object-required',
    'a string is taken as the email',
    lenient((value) => (typeof value === 'string' ? { email: value, name: '' } : undefined)),
  ),
  broken('create.object-required', 'null is 200 with an error in it', (service) => {
    const { create } = service;
    service.create = (request) =>
      request.body === 'null'
        ? { status: 200, body: { error: 'email is required' } }
        : create(request);
  }),
  broken(
    'create.body-required',
    'an empty body is a user',
    lenient((_, body) => (body === '' ? { email: '', name: '' } : undefined)),
  ),
  broken('create.body-required', 'no body, 200 and nothing created', (service) => {
    const { create } = service;
    service.create = (request) =>
      request.body === '' ? { status: 200, body: {} } : create(request);
  }),
  broken(
    'create.complete-json',
    'truncated JSON is completed',
    lenient((_, body) => {
      const { email, name } = membersOf(jsonOf({ body: `${body}}` })) ?? {};
      return body.startsWith('{') && email && name ? { email, name } : undefined;
    }),
  ),
  broken('create.complete-json', 'half a body is 202', (service) => {
    const { create } = service;
    service.create = (request) =>
      jsonOf(request) === undefined && request.body.startsWith('{"')
        ? { status: 202, body: {} }
        : create(request);
  }),
  broken(
    'create.invalid-status',
    'JSON that does not parse is 500',
    (service) => {
      const { create } = service;
      service.create = (request) =>
        jsonOf(request) === undefined ? { status: 500 } : create(request);
    },
    ['http.no-server-error'],
  ),
  broken('create.invalid-status', 'half a body is a redirect to the help', (service) => {
    const { create } = service;
    service.create = (request) =>
      jsonOf(request) === undefined
        ? { status: 302, headers: { location: '/help' } }
        : create(request);
  }),
];
