import type { Reply } from '../service.ts';
import { type Variant, variant } from './variant.ts';

/** Choices of rejections, keys, and paths besides the three operations. */
export const refusalVariants: Variant[] = [
  {
    ...variant(
      'errors',
      'a body that is no JSON is never answered',
      (service) => {
        const { create } = service;
        service.create = (request) =>
          isJson(request.body) ? create(request) : new Promise(() => {});
      },
      ['create.answered'],
    ),
    settings: { timeoutMs: 2500 },
  },
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
  variant(
    'errors',
    'refusals that claim to be JSON and name a contact',
    (service) => {
      const support = { email: 'support@example.com', name: 'Support Team' };
      service.refuse = () => ({ status: 403, body: { error: 'forbidden', support } });
      service.missing = () => ({ status: 404, body: { error: 'not found', support } });
      service.invalid = () => ({
        status: 400,
        headers: { 'content-type': 'application/json' },
        body: '{"error":',
      });
    },
    ['authentication.status-without-credentials'],
  ),
  variant(
    'errors',
    'refusals that repeat what was sent',
    (service) => {
      service.refuse = ({ path, body }) => ({
        status: 401,
        body: { error: 'unauthorized', path, body },
      });
      service.missing = (id) => ({ status: 404, body: { error: `no user ${id}` } });
    },
    ['authentication.challenge'],
  ),
  variant(
    'errors',
    '404 for a wrong key and 200 with nothing for an unknown identifier',
    (service) => {
      service.refuse = () => ({ status: 404 });
      service.missing = () => ({ status: 200, body: { data: null } });
    },
    [
      'authentication.status-malformed',
      'authentication.status-without-credentials',
      'authentication.status-wrong-key',
      'retrieve.odd-status',
      'retrieve.unknown-status',
    ],
  ),
  variant('errors', 'an Accept that allows no JSON gets a page that says so', (service) => {
    const { list } = service;
    service.list = (request) =>
      request.headers.accept === 'text/html'
        ? { status: 406, headers: { 'content-type': 'text/html' }, body: '<h1>JSON only</h1>' }
        : list(request);
  }),
  variant(
    'errors',
    'what is too long, or has a letter outside ASCII in a header, is cut off without an answer',
    (service) => {
      const { write } = service;
      service.write = (response, reply, request) => {
        const isOdd =
          request.body.length > 100_000 || /[^ -~]/.test(`${request.headers.authorization ?? ''}`);
        if (isOdd) response.destroy();
        else write(response, reply, request);
      };
    },
  ),
  variant(
    'errors',
    'a query that nobody knows, and many headers, get 400 before the key is looked at',
    (service) => {
      const { handle } = service;
      service.handle = (request) =>
        request.query.size > 0 || Object.keys(request.headers).length > 40
          ? service.invalid('what is this?')
          : handle(request);
    },
  ),
  variant('errors', 'refusals that name the token that they got', (service) => {
    service.refuse = ({ headers }) => {
      const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
      return {
        status: 401,
        headers: { 'www-authenticate': 'Bearer' },
        body: { error: `unknown token ${token}` },
      };
    };
  }),
  variant(
    'keys',
    'what follows the first space, up to the next, is the key',
    (service) => {
      service.authorised = ({ headers }) => {
        const [scheme, token] = (headers.authorization ?? '').split(' ');
        return scheme?.toLowerCase() === 'bearer' && token === service.key;
      };
    },
    ['authentication.header-syntax'],
  ),
  variant(
    'keys',
    'percent signs in header values are decoded below the service',
    (service) => {
      const { authorised } = service;
      service.authorised = (request) => {
        const { authorization = '' } = request.headers;
        // The library leaves an incomplete escape as it is.
        const decoded = authorization.replace(/%([0-9a-f]{2})/gi, (_, code) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        );
        return authorised({ ...request, headers: { ...request.headers, authorization: decoded } });
      };
    },
    ['authentication.header-syntax'],
  ),
  variant('keys', 'several spaces after the scheme, a new answer each time', (service) => {
    service.refuse = () => ({
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="x"' },
      body: String(Math.random()),
    });
  }),
  variant('operations', 'deleting, counting and searching exist as well', (service) => {
    const { handle } = service;
    service.handle = (request) =>
      ['DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'].includes(request.method)
        ? { status: 204 }
        : handle(request);
    service.elsewhere = ({ path }) =>
      path === '/v1/users/' ? { status: 200, body: { found: [] } } : { status: 404 };
  }),
  variant('events', 'answers name a feed of events', (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      const reply = await handle(request);
      return { ...reply, headers: { ...reply.headers, link: '</v1/events>; rel="monitor"' } };
    };
  }),
  variant('versions', 'v2 exists beside v1 and answers alike', (service) => {
    service.elsewhere = (request) => {
      if (!request.path.startsWith('/v2/')) return { status: 410, body: { error: 'gone' } };
      return service.authorised(request) ? service.list(request) : service.refuse(request);
    };
  }),
  variant(
    'errors',
    '404 for everything that is refused',
    (service) => {
      service.refuse = () => ({ status: 404, body: 'Not Found' });
      service.invalid = () => ({ status: 404, body: 'Not Found' });
    },
    [
      'authentication.status-malformed',
      'authentication.status-without-credentials',
      'authentication.status-wrong-key',
    ],
  ),
  variant(
    'errors',
    'a redirect to a login page',
    (service) => {
      service.refuse = () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/login' } });
    },
    [
      'authentication.status-malformed',
      'authentication.status-without-credentials',
      'authentication.status-wrong-key',
    ],
  ),
  variant(
    'errors',
    'an unknown identifier is 410, an invalid body 409',
    (service) => {
      service.missing = () => ({ status: 410, body: [] });
      service.invalid = () => ({ status: 409, body: [{ code: 1 }] });
    },
    ['retrieve.unknown-status'],
  ),
  variant('keys', 'a key of every character that RFC 6750 allows', (service) => {
    service.key = 'AZaz09-._~+/0123456789abcdefghijklmnopqrstuvwxyzABCDEF==';
  }),
  variant('keys', 'a key of digits', (service) => {
    service.key = '4815162342108';
  }),
  variant('keys', 'a key of 500 characters', (service) => {
    service.key = 'aB3'.repeat(166);
  }),
  variant('versions', 'the base has segments before v1', (service) => {
    service.base = '/tenants/7/api/v1';
  }),
];

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
