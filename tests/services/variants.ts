import { randomInt } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Patch, Reply, Service, User } from './service.ts';

/** A conforming service that uses freedoms; `freedom` names what verdicts leave open. */
export interface Variant {
  name: string;
  freedom: string;
  patch: Patch;
  /** Requirements that can't be judged on it: the list pages, for example, so that nothing else tells. */
  notVerified?: string[];
}

const variant = (freedom: string, name: string, patch: Patch, notVerified?: string[]): Variant => ({
  name,
  freedom,
  patch,
  ...(notVerified && { notVerified }),
});

/** Replaces the members of a user's record. */
const shown = (service: Service, record: (user: User) => unknown) => {
  service.record = record;
};

const integers: Patch = (service) => {
  let next = 1;
  service.newId = () => next++;
};

const emptyCreate: Patch = (service) => {
  service.created = () => ({ status: 201 });
};

const noLocation: Patch = (service) => {
  const { created } = service;
  service.created = (user) => ({ ...created(user), headers: {} });
};

const afterwards = (service: Service, change: (reply: Reply) => Reply) => {
  const { handle } = service;
  service.handle = async (request) => change(await handle(request));
};

export const variants: Variant[] = [
  variant('identifier', 'integers', integers),
  variant('identifier', 'integers from 0', (service) => {
    let next = 0;
    service.newId = () => next++;
  }),
  variant('identifier', 'integers beyond 2^53, as numbers', (service) => {
    let next = 9_007_199_254_740_993n;
    service.newId = () => String(next++);
    service.write = ((write) => (response, reply, request) => {
      const { body } = reply;
      const text = typeof body === 'object' ? JSON.stringify(body).replace(/"id":"(\d+)"/g, '"id":$1') : body;
      write(
        response,
        { ...reply, headers: { 'content-type': 'application/json', ...reply.headers }, body: text },
        request,
      );
    })(service.write);
  }),
  variant('identifier', 'the email', (service) => {
    service.find = (id) => service.users.find(({ email }) => email === id);
    service.created = (user) => ({ status: 201, body: { email: user.email, name: user.name } });
    shown(service, ({ email, name }) => ({ email, name }));
  }),
  variant('identifier', '_id', (service) => {
    shown(service, ({ id, ...rest }) => ({ _id: id, ...rest }));
    noLocation(service);
  }),
  variant('identifier', 'userId beside an internal number', (service) => {
    shown(service, ({ id, ...rest }) => ({ id: 7, version: 1, userId: id, ...rest }));
    noLocation(service);
  }),
  variant('identifier', 'short texts', (service) => {
    service.newId = () => `u${randomInt(1_000_000).toString(36)}`;
  }),
  variant('identifier', 'only in Location', (service) => {
    shown(service, ({ email, name }) => ({ email, name }));
    service.created = (user) => ({ status: 201, headers: { location: `/v1/users/${user.id}` } });
  }),
  variant('identifier', 'only in the list', (service) => {
    emptyCreate(service);
    service.item = (user) => user;
    shown(service, ({ email, name }) => ({ email, name }));
  }),
  variant('identifier', 'only in the list, which lags', (service) => {
    emptyCreate(service);
    lagging(60)(service);
    service.item = (user) => user;
  }),
  variant('identifier', 'a link to itself', (service) => {
    noLocation(service);
    shown(service, ({ id, ...rest }) => ({ ...rest, _links: { self: { href: `/v1/users/${id}` } } }));
  }),
  variant('create answer', 'empty, 204', (service) => {
    service.created = (user) => ({ status: 204, headers: { location: `/v1/users/${user.id}` } });
  }),
  variant('create answer', '200 and the identifier alone', (service) => {
    service.created = ({ id }) => ({ status: 200, body: { id } });
  }),
  variant('create answer', 'the identifier as the whole body', (service) => {
    service.created = ({ id }) => ({
      status: 201,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(id),
    });
  }),
  variant('create answer', '202, and the user appears later', (service) => {
    service.created = ({ id }) => ({ status: 202, body: { id } });
    const { store } = service;
    service.store = (user) => void setTimeout(() => store(user), 40);
  }),
  variant('envelope', 'data', (service) => {
    shown(service, (user) => ({ data: user }));
    service.item = (user) => user;
  }),
  variant('envelope', 'user, with who asked beside it', (service) => {
    shown(service, (user) => ({ user, meta: { requestedBy: { email: 'admin@example.com', name: 'Admin' } } }));
    service.item = (user) => user;
  }),
  variant('envelope', 'an array of one', (service) => {
    shown(service, (user) => ({ data: [user] }));
    service.item = (user) => user;
  }),
  variant('record', 'further members with other people inside', (service) => {
    const boss = { id: 1, email: 'boss@example.com', name: 'The Boss' };
    shown(service, (user) => ({
      ...user,
      manager: boss,
      createdBy: { email: 'a@example.com' },
      friends: [boss, boss],
    }));
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
  variant('constraints', 'no email twice', (service) => unique(service, 'email')),
  variant('constraints', 'no name twice', (service) => unique(service, 'name')),
  variant('constraints', 'names of ASCII letters, no + in addresses', (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      if ('error' in parsed) return parsed;
      const plain = /^[A-Za-z]+ [A-Za-z]+$/.test(parsed.name) && /^[a-z0-9.]+@example\.com$/.test(parsed.email);
      return plain && parsed.name.length <= 40 && parsed.email.length <= 76 ? parsed : { error: 'not allowed' };
    };
  }),
  variant('constraints', 'an email in lower case', (service) => {
    const { store } = service;
    service.store = (user) => store({ ...user, email: user.email.toLowerCase() });
  }),
  variant('constraints', 'other types become strings', (service) => {
    service.parse = ((parse) => (body) => {
      const parsed = parse(body);
      if (!('error' in parsed)) return parsed;
      try {
        const { email, name } = JSON.parse(body) ?? {};
        if (email === undefined || name === undefined) return parsed;
        return { email: String(email), name: String(name) };
      } catch {
        return parsed;
      }
    })(service.parse);
  }),
  variant('transport', 'gzip unasked', (service) => {
    afterwards(service, ({ status, headers = {}, body }) => {
      if (body === undefined) return { status, headers };
      const zipped = gzipSync(typeof body === 'string' ? body : JSON.stringify(body));
      return {
        status,
        headers: { 'content-type': 'application/json', ...headers, 'content-encoding': 'gzip' },
        body: zipped,
      };
    });
  }),
  variant('transport', 'Connection: close', (service) => {
    afterwards(service, (reply) => ({ ...reply, headers: { ...reply.headers, connection: 'close' } }));
  }),
  variant('transport', 'a vendor type', (service) => {
    afterwards(service, (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'application/vnd.users+json; charset=utf-8' },
    }));
  }),
  variant('lag', 'reads show a user 60 ms late', (service) => lagging(60)(service)),
  variant('lag', 'replicas: a user shows, vanishes and shows again', (service) => {
    const since = new Map<User, number>();
    const { store, find } = service;
    service.store = (user) => {
      since.set(user, performance.now());
      store(user);
    };
    let reads = 0;
    const behind = (user: User) => performance.now() - (since.get(user) ?? 0) < 40;
    service.find = (id) => {
      const user = find(id);
      reads += 1;
      return user && behind(user) && reads % 2 === 0 ? undefined : user;
    };
  }),
  variant('other writers', 'one user every 15 ms for a while', (service) => {
    service.background = () => {
      let made = 0;
      const timer = setInterval(() => {
        made += 1;
        service.users.push({ id: `other-${made}`, email: `other.${made}@example.org`, name: `Other ${made}` });
        if (made === 30) clearInterval(timer);
      }, 15);
      return () => clearInterval(timer);
    };
  }),
  variant('other writers', 'a burst of twenty, once', (service) => {
    service.background = () => {
      const timer = setTimeout(() => {
        for (let made = 0; made < 20; made += 1) {
          service.users.push({ id: `other-${made}`, email: `other.${made}@example.org`, name: `Other ${made}` });
        }
      }, 100);
      return () => clearTimeout(timer);
    };
  }),
  variant('429 and 503', '429 in bursts, with Retry-After: 0', (service) => {
    const { handle } = service;
    let asked = 0;
    service.handle = (request) => {
      asked += 1;
      return asked % 20 < 3 ? { status: 429, headers: { 'retry-after': '0' } } : handle(request);
    };
  }),
  variant('429 and 503', '503 without Retry-After, now and then', (service) => {
    const { handle } = service;
    let asked = 0;
    service.handle = (request) => {
      asked += 1;
      return asked % 40 === 0 ? { status: 503, body: 'busy' } : handle(request);
    };
  }),
  variant('errors', 'empty refusals', (service) => {
    service.refuse = () => ({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
    service.missing = () => ({ status: 404 });
    service.invalid = () => ({ status: 422 });
  }),
  variant('errors', 'refusals in HTML of 300 kB', (service) => {
    const page = (status: number): Reply => ({
      status,
      headers: { 'content-type': 'text/html', 'www-authenticate': 'Bearer' },
      body: `<h1>${status}</h1>${'<p>no</p>'.repeat(34_000)}`,
    });
    service.refuse = () => page(401);
    service.missing = () => page(404);
    service.invalid = () => page(400);
  }),
  variant('errors', 'refusals that claim to be JSON and name a contact', (service) => {
    const support = { email: 'support@example.com', name: 'Support Team' };
    service.refuse = () => ({ status: 403, body: { error: 'forbidden', support } });
    service.missing = () => ({ status: 404, body: { error: 'not found', support } });
    service.invalid = () => ({ status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":' });
  }),
  variant('errors', 'refusals that repeat what was sent', (service) => {
    service.refuse = ({ path, body }) => ({ status: 401, body: { error: 'unauthorized', path, body } });
    service.missing = (id) => ({ status: 404, body: { error: `no user ${id}` } });
  }),
  variant('errors', '404 for a wrong key and 200 with nothing for an unknown identifier', (service) => {
    service.refuse = () => ({ status: 404 });
    service.missing = () => ({ status: 200, body: { data: null } });
  }),
  variant('authentication', 'several spaces after the scheme, a new answer each time', (service) => {
    service.refuse = () => ({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="x"' },
      body: String(Math.random()),
    });
  }),
];

function lagging(milliseconds: number): Patch {
  return (service) => {
    const { store } = service;
    service.store = (user) => void setTimeout(() => store(user), milliseconds);
  };
}

function unique(service: Service, member: 'email' | 'name'): void {
  const { create, parse } = service;
  service.create = (request) => {
    const parsed = parse(request.body);
    const taken = !('error' in parsed) && service.users.some((user) => user[member] === parsed[member]);
    return taken ? { status: 409, body: { error: `${member} is taken` } } : create(request);
  };
}
