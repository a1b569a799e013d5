import { setTimeout } from 'node:timers/promises';
import { jsonOf } from '../broken/broken.ts';
import { type NewUser, type Patch, type User, withPeople } from '../service.ts';
import { afterwards, type Variant, variant } from './variant.ts';

/** Sends a Content-Encoding with a body that is not encoded. */
const claimsCoding =
  (name: string): Patch =>
  (service) =>
    afterwards(service, ({ headers, ...reply }) => ({
      ...reply,
      headers: { ...headers, 'content-encoding': name },
    }));

/** Handles each request after some milliseconds. */
const taking =
  (milliseconds: number): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      await setTimeout(milliseconds);
      return handle(request);
    };
  };

/** Reads members out of `__proto__`, as a framework does that merges parameters. */
export const mergesPrototypes: Patch = (service) => {
  const { parse } = service;
  service.parse = (body) => {
    const value = jsonOf({ body }) as Record<string, unknown> | undefined;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject || !Object.hasOwn(value, '__proto__')) return parse(body);
    const inherited = Object.getOwnPropertyDescriptor(value, '__proto__')?.value as object;
    return parse(JSON.stringify({ ...inherited, ...value }));
  };
};

/** A model reads an array of pairs as an object, as pydantic 1 does. */
export const readsPairs: Patch = (service) => {
  const { parse } = service;
  const isPair = (item: unknown) => Array.isArray(item) && item.length === 2;
  service.parse = (body) => {
    const value = jsonOf({ body });
    const arePairs = Array.isArray(value) && value.length > 0 && value.every(isPair);
    return parse(arePairs ? JSON.stringify(Object.fromEntries(value)) : body);
  };
};

/** Reads bodies only if the media type has its usual spelling. */
const readsUsualTypes: Patch = (service) => {
  const { create } = service;
  service.create = (request) =>
    /^application\/json(; charset=utf-8)?$/.test(`${request.headers['content-type']}`)
      ? create(request)
      : create({ ...request, body: '{}' });
};

/** Conforming services after public reports: tests/wild/REPORTS.md names these. */
export const variantsInTheWild: Variant[] = [
  ...['UTF-8', 'utf8', 'none', 'binary', 'aws-chunked'].map((name) =>
    variant('transport', `Content-Encoding: ${name} on plain JSON`, claimsCoding(name), [
      'http.content-coding',
    ]),
  ),
  variant('transport', 'Content-Encoding: identity', claimsCoding('identity')),
  variant('transport', 'every response takes 40 ms', taking(40)),
  variant('transport', 'the first responses take 400 ms', (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      if (service.users.length === 0) await setTimeout(400);
      return handle(request);
    };
  }),
  {
    ...variant('create-request', 'email and name in a member __proto__ are read', mergesPrototypes),
    breaksInDepth: ['create.invalid-status'],
  },
  {
    ...variant('create-request', 'an array of names and values is read as an object', readsPairs),
    breaksInDepth: ['create.invalid-status'],
  },
  variant('transport', 'media types are matched as they are usually written', readsUsualTypes, [
    'http.media-type',
  ]),
  variant(
    'keys',
    'the last character of a JWT is decoded before it is compared',
    (service) => {
      service.key = JWT;
      service.authorised = ({ headers }) => {
        const [, token = ''] = /^bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
        return partsOf(token) === partsOf(JWT);
      };
    },
    ['authentication.header-syntax'],
  ),
  variant(
    'limits',
    'every second creation is carried out and gets a 503; no name or email twice',
    (service) => {
      const { create, parse } = service;
      let created = 0;
      service.parse = (body) => {
        const user = parse(body);
        const isTaken = service.users.some((other) => 'email' in user && isAlike(other, user));
        return isTaken ? { error: 'the email or the name is taken' } : user;
      };
      service.create = async (request) => {
        const reply = await create(request);
        if (reply.status !== 201) return reply;
        created += 1;
        return created % 2 === 0 ? { status: 503, headers: { 'retry-after': '0' } } : reply;
      };
    },
  ),
  variant('limits', 'every fortieth request is carried out and gets a 503', (service) => {
    const { handle } = service;
    let requests = 0;
    service.handle = async (request) => {
      requests += 1;
      const reply = await handle(request);
      return requests % 40 === 0 ? { status: 503, body: 'busy' } : reply;
    };
  }),
  variant('transport', 'an offer of h2c is accepted', (service) => {
    const { write } = service;
    service.write = (response, reply, request) => {
      if (request.headers.upgrade !== 'h2c') write(response, reply, request);
      else response.writeHead(101, { connection: 'Upgrade', upgrade: 'h2c' }).end();
    };
  }),
  variant('list', 'the rows are in a cache that is empty for the first list', (service) => {
    withPeople(service);
    const { list } = service;
    let lists = 0;
    service.list = (request) => {
      lists += 1;
      const { length } = service.users;
      return lists > 1 ? list(request) : { status: 200, body: { data: [], total: length } };
    };
  }),
  variant('list', 'pages of twenty, the newest first', (service) => {
    service.listed = () => newestFirst(service.users).slice(0, 20);
  }),
];

/** A JWT whose signature has 32 bytes: no decoder reads the last two bits of its last character. */
export const JWT = [
  '{"alg":"HS256","typ":"JWT"}',
  '{"sub":"conformance","iat":1700000000}',
  Buffer.from(Array.from({ length: 32 }, (_, at) => (at * 37 + 11) % 256)),
]
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

/** Returns the texts of a JWT and the bytes of its signature. */
function partsOf(token: string): string {
  const [head, payload, signature = '', ...more] = token.split('.');
  return [head, payload, Buffer.from(signature, 'base64').toString('hex'), ...more].join('.');
}

const isAlike = (first: NewUser, second: NewUser): boolean =>
  first.email.toLowerCase() === second.email.toLowerCase() ||
  first.name.toLowerCase() === second.name.toLowerCase();

const newestFirst = (users: readonly User[]): User[] => users.toReversed();
