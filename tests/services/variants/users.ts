import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { jsonOf } from '../broken/broken.ts';
import { integers } from '../patches.ts';
import type { Patch, Service } from '../service.ts';
import { unique } from '../writers.ts';
import { lagging, noLocation, shows, type Variant, variant } from './variant.ts';

const emptyCreate: Patch = (service) => {
  service.created = () => ({ status: 201 });
};

/** Choices of identifiers, of records and of constraints on their values. */
export const userVariants: Variant[] = [
  variant('identifier', 'integers', integers),
  variant('identifier', 'integers from 0', (service) => {
    let next = 0;
    service.newId = () => next++;
  }),
  variant('identifier', 'integers beyond 2^53, as numbers', (service) => {
    let next = 9_007_199_254_740_993n;
    service.newId = () => String(next++);
    const { json } = service;
    service.json = (body) => json(body).replace(/"id":"(\d+)"/g, '"id":$1');
  }),
  variant(
    'identifier',
    'the email',
    (service) => {
      service.find = (id) => service.users.find(({ email }) => email === id);
      service.created = (user) => ({ status: 201, body: { email: user.email, name: user.name } });
      shows(service, ({ email, name }) => ({ email, name }));
      unique(service, 'email');
    },
    ['create.location'],
  ),
  variant(
    'identifier',
    '_id',
    (service) => {
      shows(service, ({ id, ...rest }) => ({ _id: id, ...rest }));
      noLocation(service);
    },
    ['create.location'],
  ),
  variant(
    'identifier',
    'userId beside an internal number',
    (service) => {
      shows(service, ({ id, ...rest }) => ({ id: 7, version: 1, userId: id, ...rest }));
      noLocation(service);
    },
    ['create.location'],
  ),
  variant('identifier', 'short texts', (service) => {
    // So short that two of a thousand users may get the same.
    service.newId = () => {
      const id = `u${randomInt(1_000_000).toString(36)}`;
      return service.find(id) ? service.newId() : id;
    };
  }),
  variant('identifier', 'only in Location', (service) => {
    shows(service, ({ email, name }) => ({ email, name }));
    service.created = (user) => ({ status: 201, headers: { location: `/v1/users/${user.id}` } });
  }),
  variant(
    'identifier',
    'only in the list',
    (service) => {
      emptyCreate(service);
      service.item = (user) => user;
      shows(service, ({ email, name }) => ({ email, name }));
    },
    ['create.location'],
  ),
  variant(
    'identifier',
    'only in the list, which lags',
    (service) => {
      emptyCreate(service);
      lagging(60)(service);
      service.item = (user) => user;
    },
    ['create.location'],
  ),
  variant(
    'identifier',
    'a link to itself',
    (service) => {
      noLocation(service);
      shows(service, ({ id, ...rest }) => ({
        ...rest,
        _links: { self: { href: `/v1/users/${id}` } },
      }));
    },
    ['create.location'],
  ),
  variant('record', 'further members with other people inside', (service) => {
    const boss = { id: 1, email: 'boss@example.com', name: 'The Boss' };
    shows(service, (user) => ({
      ...user,
      manager: boss,
      createdBy: { email: 'a@example.com' },
      friends: [boss, boss],
    }));
  }),
  variant('constraints', 'no email twice', (service) => unique(service, 'email')),
  variant('constraints', 'no name twice', (service) => unique(service, 'name')),
  ...(['email', 'name'] as const).map((member) =>
    variant('constraints', `no ${member} twice, and all usual ones are there`, (service) => {
      for (const text of ['admin', 'info', 'root', 'Union Select', 'Test User', 'Null Null']) {
        const user = { email: `${text.replace(' ', '.').toLowerCase()}@example.com`, name: text };
        service.store({ id: service.newId(), ...user });
      }
      unique(service, member);
    }),
  ),
  variant('constraints', 'names of ASCII letters, no + in addresses', (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      if ('error' in parsed) return parsed;
      const isPlain =
        /^[A-Za-z]+ [A-Za-z]+$/.test(parsed.name) && /^[a-z0-9.]+@example\.com$/.test(parsed.email);
      return isPlain && parsed.name.length <= 40 && parsed.email.length <= 76
        ? parsed
        : { error: 'not allowed' };
    };
  }),
  variant('constraints', 'an email in lower case', (service) => {
    const { store } = service;
    service.store = (user) => store({ ...user, email: user.email.toLowerCase() });
  }),
  variant(
    'constraints',
    'other types become strings',
    (service) => {
      const { parse } = service;
      service.parse = (body) => {
        const parsed = parse(body);
        if (!('error' in parsed)) return parsed;
        const { email, name } = Object(jsonOf({ body }));
        if (email === undefined || name === undefined) return parsed;
        return { email: String(email), name: String(name) };
      };
    },
    ['create.mistyped-status'],
  ),
  variant('identifier', 'text that needs percent-encoding', (service) => {
    let next = 0;
    service.newId = () => `user ${next++}/ä?#%`;
  }),
  variant(
    'identifier',
    'an address whose end looks like one, and no Location',
    (service) => {
      let next = 1;
      service.newId = () => `https://people.example/users/${next++}`;
      noLocation(service);
    },
    ['create.location'],
  ),
  variant(
    'identifier',
    'a path of its own: the end of an address that the record shows',
    (service) => {
      let next = 1;
      service.newId = () => next++;
      shows(service, ({ id, ...rest }) => ({
        ...rest,
        self: `https://people.example/users/${id}`,
      }));
    },
  ),
  variant('identifier', 'texts of 24 hexadecimal digits', (service) => {
    service.newId = () => randomBytes(12).toString('hex');
    shows(service, ({ id, ...rest }) => ({ _id: id, ...rest, __v: 0 }));
  }),
  variant(
    'identifier',
    'inside an object, as some databases show it',
    (service) => {
      shows(service, ({ id, ...rest }) => ({ _id: { $oid: id }, ...rest }));
      noLocation(service);
    },
    ['create.location'],
  ),
  variant('identifier', 'a prefix and a number', (service) => {
    let next = 1;
    service.newId = () => `usr_${next++}`;
  }),
  variant(
    'identifier',
    'the name',
    (service) => {
      service.find = (id) => service.users.find(({ name }) => name === id);
      shows(service, ({ email, name }) => ({ email, name }));
      service.created = () => ({ status: 201 });
      unique(service, 'name');
    },
    ['create.location'],
  ),
  variant('identifier', 'a guid in capital letters', (service) => {
    service.newId = () => randomUUID().toUpperCase();
    shows(service, ({ id, ...rest }) => ({ guid: id, ...rest }));
  }),
  variant('identifier', 'a number in the record, a text in the path', (service) => {
    let next = 1;
    service.newId = () => `u-${next++}`;
    shows(service, ({ id, ...rest }) => ({
      ...rest,
      no: Number(String(id).slice(2)),
      self: `/v1/users/${id}`,
    }));
  }),
  variant('record', 'timestamps, numbers and nulls', (service) => {
    shows(service, (user) => ({
      ...user,
      createdAt: new Date(0).toISOString(),
      age: null,
      logins: 0,
      tags: ['a', 'b'],
    }));
  }),
  variant('record', 'names of members that JavaScript knows', (service) => {
    shows(service, (user) => ({ ...user, constructor: 'x', toString: 1, length: 2, valueOf: {} }));
  }),
  variant('constraints', 'no letter outside ASCII', (service) =>
    rejectsNames(service, (name) => /^[\x20-\x7e]*$/.test(name)),
  ),
  variant('constraints', 'names of two to 40 characters', (service) =>
    rejectsNames(service, (name) => name.length >= 2 && name.length <= 40),
  ),
  variant('constraints', 'only addresses at example.com, without capitals', (service) => {
    const { parse } = service;
    service.parse = (body) => {
      const parsed = parse(body);
      return 'error' in parsed || /^[a-z0-9.+]+@example\.com$/.test(parsed.email)
        ? parsed
        : { error: 'no mail there' };
    };
  }),
];

/** Rejects the names for which `isGood` returns false. */
function rejectsNames(service: Service, isGood: (name: string) => boolean): void {
  const { parse } = service;
  service.parse = (body) => {
    const parsed = parse(body);
    return 'error' in parsed || isGood(parsed.name) ? parsed : { error: 'not such a name' };
  };
}
