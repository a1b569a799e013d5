import { Gate, type Patch, type Request, type Service, type User } from '../service.ts';
import { type Broken, broken, changed, changedSuccess, jsonOf, object } from './broken.ts';

/** Holds the first creations after the second until so many are under way at the same time; returns their emails. */
function atTheSameTime(service: Service, many: number): Set<string> {
  const { create } = service;
  const gate = new Gate(many);
  const emails = new Set<string>();
  let creations = 0;
  service.create = async (request) => {
    const parsed = service.parse(request.body);
    creations += 1;
    if (creations <= 2 || emails.size >= many || 'error' in parsed) return create(request);
    emails.add(parsed.email);
    await gate.pass();
    return create(request);
  };
  return emails;
}

/** What a query of a database takes. */
async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await new Promise<void>((over) => setImmediate(over));
}

/** What is wrong with how users are made: at the same time, alike, of refused requests, and what is answered. */
export const brokenCreations: Broken[] = [
  broken('create.identifier-agrees', 'the create answer has the identifier of the user before', (service) => {
    const { created } = service;
    service.created = (user) => ({ ...created(user), body: { ...user, id: service.users.at(-2)?.id ?? user.id } });
  }),
  broken(
    'create.refused-creates-nothing',
    'who is refused for a name that is null is there all the same',
    (service) => {
      const { create } = service;
      service.create = (request) => {
        const sent = object(jsonOf(request));
        if (typeof sent?.email === 'string' && sent.name === null)
          service.store({ id: service.newId(), email: sent.email, name: '' });
        return create(request);
      };
    },
  ),
  broken(
    'create.concurrent',
    'a name outside ASCII is kept for the next users with one',
    (service) => {
      const { store } = service;
      let kept: string | undefined;
      service.store = (user) => {
        if (/[^ -~]/.test(user.name)) {
          kept ??= user.name;
          user.name = kept;
        }
        store(user);
      };
    },
    ['round-trip.letters-beyond-ascii', 'round-trip.other-strings'],
  ),
  broken('create.accepted-exists', 'a name with emoji is accepted, and nobody is there', (service) => {
    dropping(service, ({ name }) => /\p{Extended_Pictographic}/u.test(name));
  }),
  broken(
    'create.accepted-exists',
    'a name of more than 1,000 characters is accepted, and nobody is there',
    (service) => {
      dropping(service, ({ name }) => name.length > 1000);
    },
  ),
  broken('create.accepted-exists', 'a body in chunks is accepted, and nobody is there', (service) => {
    const { create } = service;
    service.create = async (request) => {
      const reply = await create(request);
      if (request.headers['transfer-encoding']) service.users = service.users.filter((user) => user !== reply.body);
      return reply;
    };
  }),
  broken(
    'list.users',
    'who has quotes in the name is listed without one',
    (service) => {
      service.item = (user) => (user.name.includes('"') ? { ...user, name: null } : user);
    },
    ['list.agrees-with-retrieve'],
  ),
  broken(
    'http.no-sporadic-error',
    'the third retrieval is 500',
    sporadic(3, ({ path }) => /sers\/./.test(path)),
    ['http.no-server-error'],
  ),
  broken(
    'http.no-sporadic-error',
    'the fifth creation is 500',
    sporadic(5, ({ method }) => method === 'POST'),
    ['http.no-server-error', 'create.concurrent'],
  ),
  broken(
    'http.no-sporadic-error',
    'the second creation is 500',
    sporadic(2, ({ method }) => method === 'POST'),
    ['http.no-server-error'],
  ),
  broken(
    'list.answers',
    'the second list is 500',
    sporadic(2, ({ method, path }) => method === 'GET' && path.endsWith('/users')),
    ['http.no-server-error', 'http.no-sporadic-error'],
  ),
  broken(
    'create.answers',
    'creating is 500',
    changedSuccess(() => ({ status: 500 }), 'create'),
    ['http.no-server-error'],
  ),
  broken(
    'create.answers',
    'creating is answered by a redirect',
    changedSuccess((reply) => ({ ...reply, status: 303 }), 'create'),
  ),
  broken('create.answers', 'the quota is twelve users', (service) => {
    const { create } = service;
    service.create = (request) =>
      service.users.length >= 12 ? { status: 402, body: { error: 'too many users' } } : create(request);
  }),
  broken('create.refused-creates-nothing', '400 for no name, and stored all the same', (service) => {
    changed((reply, request) => {
      const { email, name } = object(jsonOf(request)) ?? {};
      if (reply.status === 400 && typeof email === 'string' && name === undefined) {
        service.store({ id: service.newId(), email, name: '' });
      }
      return reply;
    }, 'create')(service);
  }),
  broken('create.refused-creates-nothing', '400 for null, and an empty user is stored all the same', (service) => {
    changed((reply, request) => {
      if (reply.status === 400 && request.body === 'null') service.store({ id: service.newId(), email: '', name: '' });
      return reply;
    }, 'create')(service);
  }),
  broken('create.refused-creates-nothing', 'a page of five hides what refused creations store', (service) => {
    service.listed = () => service.users.slice(0, 5);
    changed((reply, request) => {
      if (reply.status === 400 && request.body === '') service.store({ id: service.newId(), email: '', name: '' });
      return reply;
    }, 'create')(service);
  }),
  broken('create.concurrent', 'of creations at the same time one is kept', (service) => {
    const together = atTheSameTime(service, 4);
    const { store } = service;
    let kept = false;
    service.store = (user) => {
      if (together.has(user.email) && kept) return;
      kept ||= together.has(user.email);
      store(user);
    };
  }),
  broken('create.concurrent', 'creations at the same time get the same identifier', (service) => {
    const together = atTheSameTime(service, 4);
    const { store } = service;
    service.store = (user) => store(together.has(user.email) ? Object.assign(user, { id: 'the-same' }) : user);
  }),
  broken(
    'create.concurrent',
    'the newest user is answered, so creations at the same time show the identifier of each other',
    (service) => {
      const { created } = service;
      service.create = async ({ body }) => {
        const parsed = service.parse(body);
        if ('error' in parsed) return service.invalid(parsed.error);
        const user = { id: service.newId(), ...parsed };
        service.store(user);
        await someTurns();
        return { ...created(user), body: service.users.at(-1) };
      };
    },
    ['create.identifier-agrees'],
  ),
  broken(
    'create.concurrent',
    'a variable of all requests holds what is created',
    (service) => {
      let parsed: ReturnType<Service['parse']>;
      service.create = async ({ body }) => {
        const own = service.parse(body);
        if ('error' in own) return service.invalid(own.error);
        parsed = own;
        await someTurns();
        const user = { id: service.newId(), ...parsed };
        service.store(user);
        return service.created(user);
      };
    },
    ['list.agrees-with-retrieve', 'list.contains-created'],
  ),
  broken('create.same-name', 'a user of the same name is replaced', (service) => {
    const { store } = service;
    service.store = (user) => {
      service.users = service.users.filter(({ name }) => name !== user.name);
      store(user);
    };
  }),
  broken('create.same-name', 'a user of the same name is given back', (service) => {
    const { create, parse } = service;
    service.create = (request) => {
      const parsed = parse(request.body);
      const same = 'error' in parsed ? undefined : service.users.find(({ name }) => name === parsed.name);
      return same ? { status: 200, body: same } : create(request);
    };
  }),
  broken('create.same-email', 'a second user of one email overwrites the first', (service) => {
    const { create, parse } = service;
    service.create = (request) => {
      const parsed = parse(request.body);
      const same = 'error' in parsed ? undefined : service.users.find(({ email }) => email === parsed.email);
      if (same === undefined) return create(request);
      return service.created(Object.assign(same, parsed));
    };
  }),
  broken('create.same-email', 'an email in another case gives back the first user', (service) => {
    const { create, parse } = service;
    service.create = (request) => {
      const parsed = parse(request.body);
      const folded = 'error' in parsed ? '' : parsed.email.toLowerCase();
      const same = service.users.find(({ email }) => email.toLowerCase() === folded);
      return same && !request.body.includes(same.email) ? { status: 200, body: same } : create(request);
    };
  }),
  broken('create.same-email', 'a second user of one email takes the place of the first', (service) => {
    const { store } = service;
    service.store = (user) => {
      service.users = service.users.filter(({ email }) => email !== user.email);
      store(user);
    };
  }),
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
    changedSuccess((reply) => ({ ...reply, headers: { location: 'http://users.invalid/1' } }), 'create'),
  ),
  broken(
    'create.location',
    'a Location that is no address',
    changedSuccess((reply) => ({ ...reply, headers: { location: 'http://[' } }), 'create'),
  ),
];

/** Accepts some users without keeping them. */
function dropping(service: Service, isDropped: (user: User) => boolean): void {
  const { store } = service;
  service.store = (user) => (isDropped(user) ? undefined : store(user));
}

/** Fails once: the so-manieth of the authorised requests that `isMeant`. */
function sporadic(place: number, isMeant: (request: Request) => boolean): Patch {
  return (service) => {
    const { handle } = service;
    let seen = 0;
    service.handle = async (request) => {
      if (!service.authorised(request) || !isMeant(request)) return handle(request);
      seen += 1;
      return seen === place ? { status: 500 } : handle(request);
    };
  };
}
