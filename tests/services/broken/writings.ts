import { gzipSync } from 'node:zlib';
import type { Reply, Request } from '../service.ts';
import { type Broken, broken, changed, changedSuccess } from './broken.ts';
import { rejecting } from './http.ts';

/** An empty object, compressed. */
const EMPTY = gzipSync('{}');

const mediaTypeOf = ({ headers }: Request) => headers['content-type'] ?? '';

/** Headers that change nothing about the meaning of a request. */
const EQUIVALENT_HEADERS: [name: string, header: string, value: RegExp][] = [
  ['an Accept of any application type is 406', 'accept', /^application\/\*$/],
  ['an Accept in which XML comes first is 406', 'accept', /^application\/xml/],
  ['an Accept-Encoding of identity is 406', 'accept-encoding', /^identity$/],
  ['an Accept-Language of any is 406', 'accept-language', /^\*$/],
  ['an Accept-Language of any behind others is 406', 'accept-language', /, \*;q/],
  ['a cookie is refused', 'cookie', /./],
  ['a Prefer header is refused', 'prefer', /./],
  ['trailers are refused', 'te', /./],
  ['an If-None-Match is refused', 'if-none-match', /./],
  ['an X-Request-Id is refused', 'x-request-id', /./],
];

/** Equivalent requests that get other responses. */
export const brokenWritings: Broken[] = [
  ...EQUIVALENT_HEADERS.map(([name, header, value]) =>
    broken(
      'http.equivalent-requests',
      name,
      rejecting(
        ({ headers }) => headers[header] !== undefined && value.test(`${headers[header]}`),
        406,
      ),
    ),
  ),
  broken(
    'http.equivalent-requests',
    'the ETag of the list stays the same when users are created',
    changedSuccess((reply, { headers }) => {
      const etag = '"users"';
      return headers['if-none-match'] === etag
        ? { status: 304 }
        : { ...reply, headers: { ...reply.headers, etag } };
    }, 'list'),
  ),
  broken(
    'http.equivalent-requests',
    'a GET with a media type is refused',
    rejecting(
      ({ method, headers }) => method === 'GET' && headers['content-type'] !== undefined,
      415,
    ),
  ),
  broken(
    'http.equivalent-requests',
    'more than 32 lines of headers are refused',
    rejecting(({ headers }) => Object.keys(headers).length > 32, 431),
  ),
  broken('http.equivalent-requests', 'headers after the sixteenth are dropped', (service) => {
    const { authorised } = service;
    service.authorised = (request) =>
      authorised(request) && Object.keys(request.headers).indexOf('authorization') < 16;
  }),
  broken('http.equivalent-requests', 'members that are indented are an error', (service) => {
    const { parse } = service;
    service.parse = (body) =>
      /\n {2,}"/.test(body) ? { error: 'the body is no JSON' } : parse(body);
  }),
  broken('http.equivalent-requests', 'capital digits of an escape are an error', (service) => {
    const { parse } = service;
    service.parse = (body) =>
      /\\u00[0-9]?[A-F]/.test(body) ? { error: 'the body is no JSON' } : parse(body);
  }),
  broken('http.equivalent-requests', 'an escaped @ is an error', (service) => {
    const { parse } = service;
    service.parse = (body) =>
      /\\u0040/.test(body) ? { error: 'the body is no JSON' } : parse(body);
  }),
  broken(
    'http.equivalent-requests',
    'a list request with X-Requested-With is refused',
    (service) => {
      const { handle } = service;
      service.handle = (request) =>
        request.headers['x-requested-with'] &&
        request.method === 'GET' &&
        request.path === `${service.base}/users`
          ? { status: 403, body: {} }
          : handle(request);
    },
  ),
  broken(
    'http.equivalent-requests',
    'the list for several types of Accept lacks the six newest users',
    (service) => {
      const { list } = service;
      service.list = (request) => {
        if (!`${request.headers.accept}`.includes(',')) return list(request);
        const data = service.users.slice(0, -6);
        return { status: 200, body: { data, total: data.length } };
      };
    },
  ),
  broken(
    'http.equivalent-requests',
    'the list is cached for each Accept but that of JSON alone',
    (service) => {
      const { list } = service;
      const cache = new Map<string, Reply>();
      service.list = async (request) => {
        const { accept = '' } = request.headers;
        if (accept === 'application/json') return list(request);
        const reply = cache.get(accept) ?? (await list(request));
        cache.set(accept, structuredClone(reply));
        return reply;
      };
    },
  ),
  broken(
    'http.equivalent-requests',
    'Accept: */* is 406',
    rejecting(({ headers }) => headers.accept === '*/*', 406),
  ),
  broken(
    'http.media-type',
    'a media type in capital letters is 415',
    rejecting((request) => /[A-Z]/.test(mediaTypeOf(request).split(';')[0] ?? ''), 415),
  ),
  broken('http.equivalent-requests', 'header names are matched by their case', (service) => {
    const { write } = service;
    service.write = (response, reply, request) => {
      const isOdd = response.req.rawHeaders.includes('AUTHORIZATION');
      write(response, isOdd ? service.refuse(request) : reply, request);
    };
  }),
  broken('http.equivalent-requests', 'white space before the JSON is an error', (service) => {
    const { parse } = service;
    service.parse = (body) => (/^\s/.test(body) ? { error: 'the body is no JSON' } : parse(body));
  }),
  broken('http.equivalent-requests', 'a line break before the JSON is an error', (service) => {
    const { parse } = service;
    service.parse = (body) =>
      /^[\r\n]/.test(body) ? { error: 'the body is no JSON' } : parse(body);
  }),
  broken('http.equivalent-requests', 'escapes of JSON are not read', (service) => {
    const { parse } = service;
    service.parse = (body) =>
      body.includes('\\u00') ? { error: 'the body is no JSON' } : parse(body);
  }),
  broken(
    'http.json',
    'a response to Accept-Encoding: gzip is plain, with Content-Encoding: gzip',
    (service) => {
      const { handle } = service;
      service.handle = async (request) => {
        const reply = await handle(request);
        return /gzip/.test(`${request.headers['accept-encoding']}`)
          ? { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } }
          : reply;
      };
    },
    ['http.equivalent-requests'],
  ),
  broken(
    'http.equivalent-requests',
    'a response to Accept-Encoding: gzip is an empty object',
    (service) => {
      changedSuccess((reply, { headers }) =>
        headers['accept-encoding'] === undefined
          ? reply
          : {
              ...reply,
              headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
              body: EMPTY,
            },
      )(service);
    },
  ),
  broken(
    'http.equivalent-requests',
    'an Accept-Language other than English is 406',
    rejecting(({ headers }) => headers['accept-language'] !== undefined, 406),
  ),
  broken(
    'http.equivalent-requests',
    'a response to Accept-Language has an empty name',
    (service) => {
      changedSuccess(
        (reply, { headers }) =>
          headers['accept-language'] === undefined
            ? reply
            : { ...reply, body: { ...(reply.body as object), name: '' } },
        'retrieve',
      )(service);
    },
  ),
  broken(
    'http.equivalent-requests',
    'traceparent is 400',
    rejecting(({ headers }) => headers.traceparent !== undefined, 400),
  ),
  // These break a SHOULD, or respond wrongly to odd requests.
  broken(
    'http.no-server-error',
    'a name without letters is 500',
    changed(
      (reply, { body }) =>
        reply.status === 201 && /"name":"[-+.\d]+"/.test(body) ? { status: 500 } : reply,
      'create',
    ),
  ),
  broken(
    'http.no-server-error',
    'an empty name is 500',
    changed(
      (reply, { body }) =>
        reply.status === 201 && body.includes('"name":""') ? { status: 500 } : reply,
      'create',
    ),
    ['create.refused-creates-nothing'],
  ),
  broken(
    'http.no-server-error',
    'a number beyond 64 bits is 500',
    changed((reply, { body }) => (/:\d{20,}/.test(body) ? { status: 500 } : reply), 'create'),
    ['create.mistyped-status'],
  ),
  broken(
    'authentication.before-all-else',
    'a missing member is found before a wrong key',
    (service) => {
      const { refuse } = service;
      service.refuse = (request) =>
        request.body === '{}' ? service.invalid('email is required') : refuse(request);
    },
  ),
  broken('create.location', 'a Location that is the list', (service) => {
    const { created } = service;
    service.created = (user) => ({
      ...created(user),
      headers: { location: `${service.base}/users` },
    });
  }),
  broken('create.location', 'a Location that is right for the first user only', (service) => {
    const { created } = service;
    service.created = (user) => ({ ...created(service.users[0] ?? user), body: user });
  }),
  broken(
    'http.equivalent-requests',
    'a list of types without a wildcard is 406',
    rejecting(
      ({ method, headers }) => method === 'GET' && /^[^*]*,[^*]*$/.test(`${headers.accept}`),
      406,
    ),
  ),
  broken(
    'http.equivalent-requests',
    'an Accept-Encoding of br is 406',
    rejecting(({ headers }) => headers['accept-encoding'] === 'br', 406),
  ),
  broken(
    'retrieve.values',
    'Accept-Language: tr lowercases emails as in Turkish',
    (service) => {
      const { create } = service;
      service.create = (request) => {
        const isTurkish = request.headers['accept-language']?.startsWith('tr');
        return create(
          isTurkish
            ? { ...request, body: request.body.replace(/i(?=[^"]*@)/, 'i\u0307') }
            : request,
        );
      };
    },
    ['http.equivalent-requests'],
  ),
  broken(
    'http.equivalent-requests',
    'a creation with a traceparent that is not sampled is 201 and not stored',
    (service) => {
      const { create } = service;
      service.create = (request) =>
        `${request.headers.traceparent}`.endsWith('-00') ? { status: 201 } : create(request);
    },
    ['create.accepted-exists'],
  ),
];
