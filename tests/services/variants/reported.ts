import type { ServerResponse } from 'node:http';
import { jsonOf } from '../broken/broken.ts';
import type { Patch, Reply } from '../service.ts';
import { listedAfter, type Variant, variant } from './variant.ts';

/** Declares the service of a public report: tests/wild/REPORTS.md lists all of them. */
const reported = (
  report: string,
  choice: string,
  name: string,
  patch: Patch,
  breaks: string[] = [],
): Variant => variant(choice, `reported as ${report}: ${name}`, patch, breaks);

/** A collation that ignores case, accents and trailing spaces. */
const collated = (id: string) =>
  id
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/ +$/, '');

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Identifiers of mixed case, none of which is another one in another case. */
const ignoresCase: Patch = (service) => {
  let next = 0;
  service.newId = () => {
    next += 1;
    return `${ALPHABET.charAt(next % ALPHABET.length)}user-${1000 + next}`;
  };
  service.find = (id) => service.users.find((user) => collated(`${user.id}`) === collated(id));
};

/** Global identifiers: a type and a number in base64url. The decoder ignores unused bits. */
const decodesGlobalIds: Patch = (service) => {
  let next = 10_000_002;
  service.newId = () => {
    next += 1;
    return Buffer.from(`User:${next}`).toString('base64url');
  };
  service.find = (id) => {
    const text = Buffer.from(id, 'base64url').toString();
    return service.users.find((user) => Buffer.from(`${user.id}`, 'base64url').toString() === text);
  };
};

/** Row numbers of 64 bits, written as JSON numbers with all digits. */
const writesWholeDigits: Patch = (service) => {
  let next = 235191684988928001n;
  service.newId = () => {
    next += 32_769n;
    return `${next}`;
  };
  const { json } = service;
  service.json = (body) => json(body).replaceAll(/"id":"(\d+)"/g, '"id":$1');
};

/** Returns the text of the first JSON object; the whole text if there is none. */
function firstObject(text: string): string {
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', end + 1)) {
    const object = text.slice(0, end + 1);
    if (jsonOf({ body: object }) !== undefined) return object;
  }
  return text;
}

const readsFirstValue: Patch = (service) => {
  const { parse } = service;
  service.parse = (body) => parse(firstObject(body));
};

const challenge = { 'www-authenticate': 'Bearer' };

/** Missing or malformed credentials are 403, a wrong token is 401. */
const forbidsMissingCredentials: Patch = (service) => {
  service.refuse = ({ headers }) =>
    /^bearer \S/i.test(`${headers.authorization}`)
      ? { status: 401, headers: challenge, body: { detail: 'Invalid token' } }
      : { status: 403, body: { detail: 'Not authenticated' } };
};

/** A gateway that renames WWW-Authenticate, and rejects all other paths. */
const remapsHeaders: Patch = (service) => {
  service.refuse = () => ({
    status: 401,
    headers: { 'x-amzn-remapped-www-authenticate': 'Bearer' },
    body: { message: 'Unauthorized' },
  });
  service.elsewhere = () => ({ status: 403, body: { message: 'Missing Authentication Token' } });
};

const redirectsSlashes: Patch = (service) => {
  const { handle } = service;
  service.handle = (request) => {
    const { path, headers } = request;
    if (!path.endsWith('/')) return handle(request);
    const location = `http://${headers.host}${path.replace(/\/+$/, '')}`;
    return { status: 307, headers: { location } };
  };
};

/** Rejects certain characters in every path, before it checks the key. */
const rejectsCharacters: Patch = (service) => {
  const { handle } = service;
  service.handle = (request) =>
    /[<>*:&\\]|%(2[56a]|3[ace]|5c|00)/i.test(request.path.replace(/^https?:\/\/[^/]*/, ''))
      ? {
          status: 400,
          headers: { 'content-type': 'text/html' },
          body: '<h2>A potentially dangerous Request.Path value was detected</h2>',
        }
      : handle(request);
};

function bytesOf({ body }: Reply, json: (body: unknown) => string): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : json(body));
}

/** Writes each response to the socket with another status line, and closes the connection. */
const writesStatusLine =
  (line: (status: number) => string): Patch =>
  (service) => {
    service.write = (response: ServerResponse, reply: Reply) => {
      const bytes = bytesOf(reply, service.json);
      const headers = {
        'content-type': 'application/json',
        'content-length': `${bytes.length}`,
        connection: 'close',
        ...reply.headers,
      };
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      response.socket?.write(`${line(reply.status)}\r\n${lines.join('')}\r\n`);
      response.socket?.end(bytes);
    };
  };

const hintsEarly: Patch = (service) => {
  const { write } = service;
  service.write = (response, reply, request) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' });
    write(response, reply, request);
  };
};

const sendsTrailers: Patch = (service) => {
  service.write = (response, reply) => {
    const bytes = bytesOf(reply, service.json);
    response.writeHead(reply.status, {
      'content-type': 'application/json',
      ...reply.headers,
      trailer: 'ETag',
    });
    response.write(bytes.length > 0 ? bytes : '{}');
    response.addTrailers({ etag: '"/users 1"' });
    response.end();
  };
};

/** The idle timeout of a connection. */
const IDLE_MS = 50;

const closesIdleConnections: Patch = (service) => {
  const { write } = service;
  service.write = (response, reply, request) => {
    const { socket } = response;
    response.once('finish', () => socket?.setTimeout(IDLE_MS));
    write(response, reply, request);
  };
};

/** Folds case, and removes dots and tags from addresses of one provider. */
const normalizesEmails: Patch = (service) => {
  const { store } = service;
  service.store = (user) => {
    const [local = '', domain] = user.email.toLowerCase().split('@');
    const isGmail = domain === 'gmail.com';
    user.email = `${isGmail ? local.replace(/\+.*$|\./g, '') : local}@${domain}`;
    store(user);
  };
};

/** The refresh interval of a search index. */
const REFRESH_MS = 1000;

/** The list comes from a search index, and a user from the database. */
const refreshesLists: Patch = (service) => {
  listedAfter(REFRESH_MS)(service);
  service.total = () => service.listed().length;
};

/** Conforming services that behave as a public report says. */
export const reportedVariants: Variant[] = [
  reported(
    'accordproject/apap #162',
    'identifier',
    'an identifier may have text behind its digits',
    (service) => {
      let next = 0;
      service.newId = () => {
        next += 1;
        return next;
      };
      service.find = (id) => service.users.find((user) => user.id === Number.parseInt(id, 10));
    },
  ),
  reported(
    'nextcloud/server #20050',
    'identifier',
    'a collation ignores case, accents and trailing spaces of identifiers',
    ignoresCase,
  ),
  reported(
    'graphql-java #925',
    'identifier',
    'identifiers are unpadded base64url, which is decoded leniently',
    decodesGlobalIds,
  ),
  reported(
    'cockroach #15721',
    'identifier',
    'identifiers are JSON numbers beyond 2^53',
    writesWholeDigits,
  ),
  reported(
    'golang/go #36225',
    'create-request',
    'text behind the JSON of a user is ignored',
    readsFirstValue,
  ),
  reported('fastapi #10177', 'errors', 'missing credentials are 403', forbidsMissingCredentials, [
    'authentication.status-without-credentials',
  ]),
  reported(
    'serverless-offline #236',
    'errors',
    'a gateway renames WWW-Authenticate, and any other path is 403',
    remapsHeaders,
    ['authentication.challenge'],
  ),
  reported(
    'HTBox/crisischeckin #362',
    'errors',
    'some characters in a path are 400 before the key is checked',
    rejectsCharacters,
  ),
  reported(
    'fastapi #2060',
    'transport',
    'a trailing slash is redirected before the key is checked',
    redirectsSlashes,
  ),
  reported(
    'spring-boot #6548',
    'transport',
    'status lines have no reason phrase',
    writesStatusLine((status) => `HTTP/1.1 ${status} `),
  ),
  reported(
    'ida-pro-mcp #513',
    'transport',
    'responses are HTTP/1.0',
    writesStatusLine((status) => `HTTP/1.0 ${status} Status`),
  ),
  reported(
    'snoyberg/http-client #521',
    'transport',
    'a 103 comes before each response',
    hintsEarly,
  ),
  reported('http-kit #523', 'transport', 'chunked responses end with trailers', sendsTrailers),
  reported(
    'nodejs/node #20256',
    'transport',
    'idle connections are closed after 50 ms',
    closesIdleConnections,
  ),
  reported('express-validator #946', 'constraints', 'emails are normalized', normalizesEmails),
  {
    ...reported(
      'elasticsearch-js #231',
      'lag',
      'the list shows a user after a second, though the user can be retrieved at once',
      refreshesLists,
    ),
    settings: { settleMs: 4000 },
  },
];
