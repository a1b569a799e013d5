import type { Service } from '../service.ts';
import { type Broken, broken, jsonOf, object } from './broken.ts';

/** Accepts what the conforming service refuses, as `make` makes a user of it; undefined leaves it refused. */
export const lenient =
  (make: (value: unknown, body: string) => { email: unknown; name: unknown } | undefined) =>
  (service: Service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      if (!('error' in parsed)) return parsed;
      const value = jsonOf({ body } as never);
      return (make(value, body) as { email: string; name: string } | undefined) ?? parsed;
    };
  };

const never = () => new Promise<never>(() => {});

export const brokenCreate: Broken[] = [
  ...(
    [
      ['a user within another member', ({ data }) => data],
      ['a user of other members', ({ username, mail }) => ({ name: username, email: mail })],
      [
        'members with a space before them',
        (body) => ({ name: body[' name'], email: body[' email'] }),
      ],
    ] as [name: string, userIn: (body: Record<string, unknown>) => unknown][]
  ).map(([name, userIn]) =>
    broken('create.members-required', `${name} is created`, (service) => {
      const { create } = service;
      service.create = (request) => {
        const body = jsonOf(request) as Record<string, unknown> | null;
        const isOther =
          object(body) !== undefined &&
          !('email' in (body as object)) &&
          !('name' in (body as object));
        const user = isOther ? object(userIn(body as Record<string, unknown>)) : undefined;
        return user?.email ? create({ ...request, body: JSON.stringify(user) }) : create(request);
      };
    }),
  ),
  broken(
    'create.name-required',
    'the name may be called username',
    lenient((value) => {
      const { email, name, username } = (object(value) ?? {}) as Record<string, unknown>;
      return email && !name && username ? { email, name: username } : undefined;
    }),
  ),
  ...(
    [
      ['an array with null in it', (value) => Array.isArray(value) && value[0] === null],
      ['an array in an array', (value) => Array.isArray(value) && Array.isArray(value[0])],
      ['false', (value) => value === false],
    ] as [what: string, isIt: (value: unknown) => boolean][]
  ).map(([what, isIt]) =>
    broken(
      'create.object-required',
      `${what} is a user`,
      lenient((value) => (isIt(value) ? { email: '', name: '' } : undefined)),
    ),
  ),
  broken(
    'create.accepted-exists',
    'a user with a further member constructor is 201 and nowhere',
    (service) => {
      const { create } = service;
      service.create = (request) =>
        Object.hasOwn(object(jsonOf(request)) ?? {}, 'constructor') && object(jsonOf(request))?.name
          ? service.created({ id: service.newId(), email: '', name: '' })
          : create(request);
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
  broken('create.answers', 'from the 30th user on nobody else is taken', (service) => {
    const { create } = service;
    service.create = (request) =>
      service.users.length < 30 ? create(request) : { status: 403, body: {} };
  }),
  {
    ...broken('create.answered', 'an object as a name is never answered', (service) => {
      const { create } = service;
      service.create = (request) =>
        typeof object(jsonOf(request))?.name === 'object' && object(jsonOf(request))?.name
          ? never()
          : create(request);
    }),
    settings: { timeoutMs: 1000 },
  },
  broken(
    'create.email-required',
    'no email, no matter',
    lenient((value) =>
      typeof object(value)?.name === 'string' && !('email' in (value as object))
        ? { email: '', name: object(value)?.name }
        : undefined,
    ),
  ),
  broken(
    'create.email-required',
    'an email is made of the name',
    lenient((value) => {
      const { email, name } = object(value) ?? {};
      return email === undefined && typeof name === 'string'
        ? { email: `${name}@example.org`, name }
        : undefined;
    }),
  ),
  broken(
    'create.name-required',
    'no name, no matter',
    lenient((value) =>
      typeof object(value)?.email === 'string' && !('name' in (value as object))
        ? { email: object(value)?.email, name: '' }
        : undefined,
    ),
  ),
  broken(
    'create.name-required',
    'the name is stored as undefined',
    lenient((value) => {
      const { email, name } = object(value) ?? {};
      return typeof email === 'string' && name === undefined ? { email, name } : undefined;
    }),
  ),
  broken(
    'create.members-required',
    'an empty object is a user',
    lenient((value) =>
      object(value) && Object.keys(value as object).length === 0
        ? { email: '', name: '' }
        : undefined,
    ),
  ),
  broken(
    'create.members-required',
    'defaults for everything',
    lenient((value) => {
      const members = object(value);
      return members && !('email' in members) && !('name' in members)
        ? { email: 'new@example.org', name: 'New User' }
        : undefined;
    }),
  ),
  broken(
    'create.object-required',
    'an array is taken as a batch',
    lenient((value) => (Array.isArray(value) && object(value[0]) ? value[0] : undefined)),
    ['list.users'],
  ),
  broken(
    'create.object-required',
    'an array of names and values is an object',
    lenient((value) => {
      const isPairs =
        Array.isArray(value) &&
        value.every((one) => Array.isArray(one) && typeof one[0] === 'string');
      const { email, name } = isPairs ? Object.fromEntries(value) : {};
      return typeof email === 'string' && typeof name === 'string' ? { email, name } : undefined;
    }),
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
      const user = object(jsonOf({ body: `${body}}` } as never));
      return body.startsWith('{') && user?.name && user.email ? (user as never) : undefined;
    }),
    // The request with the wrong key and half a body is refused before it.
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
