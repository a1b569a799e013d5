import { existingUsers } from '../patches.ts';
import type { Patch, Service, User } from '../service.ts';
import { type Broken, changed, jsonOf, membersOf, reported } from './broken.ts';
import { isNumeric } from './reported-guard.ts';
import { UUID } from './reported-state.ts';
import { storesName } from './round-trip.ts';

/** The policy of an authorizer names one path, and is cached for the token. */
const keepsFirstPolicy: Patch = (service) => {
  const { handle } = service;
  let allowed: string | undefined;
  service.handle = (request) => {
    if (!service.authorised(request)) return handle(request);
    const resource = `${request.method} ${request.path}`;
    allowed ??= resource;
    return resource === allowed ? handle(request) : { status: 403 };
  };
};

/** Missing members and null become the zero value of a string. */
const decodesZeroValues: Patch = (service) => {
  service.parse = (body) => {
    const value = jsonOf({ body });
    if (value === null) return { email: '', name: '' };
    const { email, name } = membersOf(value) ?? { email: 0 };
    const canDecode = (member: unknown) => typeof (member ?? '') === 'string';
    if (!canDecode(email) || !canDecode(name)) return { error: 'json: cannot unmarshal' };
    return { email: `${email ?? ''}`, name: `${name ?? ''}` };
  };
};

/** Shows identifiers in another form. */
const showsId = (service: Service, toId: (id: User['id']) => unknown) => {
  service.record = ({ id, ...rest }) => ({ id: toId(id), ...rest });
  service.created = (user) => ({
    status: 201,
    headers: { location: `${service.base}/users/${toId(user.id)}` },
    body: service.record(user),
  });
};

/** Identifiers of 64 bits that the driver reads as doubles. */
const roundsIdentifiers: Patch = (service) => {
  let next = 207570943474794506n;
  service.newId = () => {
    next += 4_194_305n;
    return `${next}`;
  };
  showsId(service, Number);
};

/** Compares an integer column with text: MySQL reads text without digits as 0. */
const comparesAsInteger: Patch = (service) => {
  let next = 1;
  service.newId = () => next++;
  service.users.push({ id: 0, email: 'root@example.org', name: 'Root User' });
  service.find = (id) => {
    const [digits = '0'] = /^\s*[+-]?\d+/.exec(id) ?? [];
    return service.users.find((user) => BigInt(user.id) === BigInt(digits.trim()));
  };
};

const DATE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/;

/** A list that shows ten users, with another total. */
const pages =
  (count: number, total: (service: Service) => number): Patch =>
  (service) => {
    service.users.push(...existingUsers(count));
    service.listed = () => service.users.slice(0, 10);
    service.total = () => total(service);
  };

/** Statistics are refreshed after 50 changes and a tenth of the rows, as by autovacuum. */
const estimates: Patch = (service) => {
  let analyzed = 0;
  pages(400, ({ users }) => {
    if (users.length - analyzed > 50 + analyzed / 10) analyzed = users.length;
    return analyzed;
  })(service);
};

const FIREWALLED = /\/\/|;|%3b|%2f|%5c|%25|%00|%2e|\/\.\.?(\/|$)/i;

/** Services with a fault of a public report: strings, identifiers, rejections and totals. */
export const brokenReported: Broken[] = [
  reported(
    'golang/go #27172',
    'create.members-required',
    'missing members and null become empty strings',
    decodesZeroValues,
    [
      'create.email-required',
      'create.mistyped-status',
      'create.name-required',
      'create.object-required',
    ],
  ),
  reported(
    'typeorm #2500',
    'retrieve.odd',
    'an identifier that is no UUID becomes undefined, which finds the first user',
    (service) => {
      const { find } = service;
      service.find = (id) => (UUID.test(id) ? find(id) : service.users[0]);
    },
    ['retrieve.odd-status'],
  ),
  reported(
    'rails #35336',
    'retrieve.unknown',
    'an identifier that is no number finds the user 0',
    comparesAsInteger,
  ),
  reported(
    'node-mysql2 #2811',
    'retrieve.created-user',
    'identifiers beyond 2^53 are rounded in every response',
    roundsIdentifiers,
  ),
  reported(
    'spring-boot #11105',
    'retrieve.created-user',
    'the end of an email in the path is taken for a file extension',
    (service) => {
      const { store } = service;
      service.store = (user) => store(Object.assign(user, { id: user.email }));
      service.find = (id) => service.users.find(({ email }) => email === id.replace(/\.\w+$/, ''));
    },
  ),
  reported(
    'django-uuidfield #46',
    'http.no-server-error',
    'an identifier that is no UUID is 500',
    (service) => {
      const { retrieve } = service;
      service.retrieve = (id, request) => (UUID.test(id) ? retrieve(id, request) : { status: 500 });
    },
    ['retrieve.odd-status'],
  ),
  reported(
    'spring-security #7568',
    'http.no-server-error',
    'a firewall rejects an odd path with 500',
    (service) => {
      const { handle } = service;
      service.handle = (request) =>
        FIREWALLED.test(request.path.replace(/^https?:\/\//, ''))
          ? { status: 500 }
          : handle(request);
    },
    ['retrieve.odd-status'],
  ),
  reported(
    'mozilla/fxa-profile-server #186',
    'round-trip.letters-beyond-ascii',
    'a name ends before its first character of four bytes',
    storesName((name) => name.replace(/[\u{10000}-\u{10ffff}].*$/su, '')),
    ['round-trip.other-strings'],
  ),
  reported(
    'JamesNK/Newtonsoft.Json #862',
    'round-trip.other-strings',
    'a name that reads like a date is written in another format',
    storesName((name) => name.replace(DATE, '$2/$3/$1 $4')),
  ),
  reported(
    'joindin-api #42',
    'list.users',
    'strings that read like numbers are written as numbers',
    (service) => {
      service.record = ({ name, ...rest }) => ({
        ...rest,
        name: isNumeric(name) ? Number(name) : name,
      });
    },
    ['round-trip.other-strings'],
  ),
  reported(
    'camunda #47902',
    'list.users',
    'Oracle stores an empty name as null',
    (service) => {
      service.record = ({ name, ...rest }) => ({ ...rest, name: name === '' ? null : name });
    },
    ['round-trip.other-strings'],
  ),
  reported('flask #6114', 'http.json', 'a mean of no values is NaN in the response', (service) => {
    const { json } = service;
    service.record = (user) => ({ ...user, rating: '<NaN>' });
    service.json = (body) => json(body).replaceAll('"<NaN>"', 'NaN');
  }),
  reported(
    'bestpractical/rt #419',
    'http.json',
    'Content-Length counts characters, and the client gets as many bytes',
    (service) => {
      changed((reply) => {
        if (reply.body === undefined) return reply;
        const text = JSON.stringify(reply.body);
        return {
          ...reply,
          headers: { 'content-type': 'application/json', ...reply.headers },
          body: Buffer.from(text).subarray(0, text.length),
        };
      })(service);
    },
  ),
  reported(
    'block/buzz #3116',
    'http.no-server-error',
    'a NUL in a name is 500, because PostgreSQL stores none',
    (service) => {
      const { create } = service;
      service.create = (request) => {
        const { name } = membersOf(jsonOf(request)) ?? {};
        return `${name}`.includes('\0') ? { status: 500 } : create(request);
      };
    },
  ),
  reported(
    'jwt-rsa-aws-custom-authorizer #8',
    'create.answers',
    'a gateway caches the policy of a token, which allows the first path alone',
    keepsFirstPolicy,
  ),
  reported(
    'rails #18676',
    'http.equivalent-requests',
    'an Accept of several types with */* is taken for a browser and gets 406',
    (service) => {
      const { handle } = service;
      service.handle = (request) =>
        service.authorised(request) && /,\s*\*\/\*|\*\/\*\s*,/.test(`${request.headers.accept}`)
          ? { status: 406 }
          : handle(request);
    },
  ),
  reported(
    'waitress #442',
    'create.location',
    'a doubled X-Forwarded-Proto ends up in the Location',
    (service) => {
      const { created } = service;
      service.created = (user) => ({
        ...created(user),
        headers: { location: `https, http://users.example.com/v1/users/${user.id}` },
      });
    },
  ),
  reported(
    'elasticsearch #67742',
    'list.total-counts-creations',
    'the total of a search index ends at 10,000',
    pages(10_000, ({ users }) => Math.min(users.length, 10_000)),
  ),
  reported(
    'supabase/postgres-meta #66',
    'list.total-counts-creations',
    'the total is an estimate of the database',
    estimates,
  ),
  reported(
    'sequelize #9481',
    'list.total-counts-creations',
    'the total counts the rows of a join with two roles for each user',
    (service) => {
      service.total = () => 2 * service.users.length;
    },
  ),
  reported(
    'parse-server #2161',
    'list.total-exact',
    'the total counts the orphaned documents of a shard',
    (service) => {
      service.users.push(...existingUsers(8));
      service.total = () => service.users.length + 7;
    },
  ),
];
