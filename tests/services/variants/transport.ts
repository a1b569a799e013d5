import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { Reply, Request } from '../service.ts';
import { afterwards, type Variant, variant } from './variant.ts';

/** Choices of HTTP: headers, content codings, limits, and the framing of responses. */
export const transportVariants: Variant[] = [
  variant('transport', 'gzip unasked', (service) => {
    afterwards(service, compressed('gzip', gzipSync));
  }),
  variant('transport', 'Connection: close', (service) => {
    afterwards(service, (reply) => ({
      ...reply,
      headers: { ...reply.headers, connection: 'close' },
    }));
  }),
  variant('transport', 'more than 60 lines of headers end the connection', (service) => {
    const { write } = service;
    service.write = (response, reply, request) => {
      if (Object.keys(request.headers).length > 60) response.destroy();
      else write(response, reply, request);
    };
  }),
  variant('transport', 'a media type to be accepted is read as it is written', (service) => {
    const { handle } = service;
    service.handle = (request) =>
      /JSON/.test(`${request.headers.accept}`) ? { status: 406 } : handle(request);
  }),
  variant('transport', 'a vendor type', (service) => {
    afterwards(service, (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'content-type': 'application/vnd.users+json; charset=utf-8' },
    }));
  }),
  variant(
    'transport',
    'gzip in the header of every answer, empty ones too',
    (service) => {
      afterwards(service, (reply) =>
        reply.body === undefined
          ? { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } }
          : compressed('gzip', gzipSync)(reply),
      );
      service.created = () => ({ status: 201 });
      service.refuse = () => ({ status: 401, headers: { 'www-authenticate': 'Bearer' } });
      service.missing = () => ({ status: 404 });
    },
    ['create.location'],
  ),
  ...[400, 411, 422].map((status) =>
    variant(
      'transport',
      `a body in chunks is read as empty, and refused with ${status}`,
      (service) => {
        const { create } = service;
        service.create = (request) => {
          if (!request.headers['transfer-encoding']) return create(request);
          return { status, body: { error: 'no body' } };
        };
      },
      status === 411 ? [] : ['http.chunked-body'],
    ),
  ),
  variant(
    'transport',
    'a media type is matched as it is written',
    (service) => {
      const { create } = service;
      service.create = (request) =>
        request.headers['content-type'] === 'application/json'
          ? create(request)
          : { status: 415, body: { error: 'no' } };
    },
    ['http.media-type'],
  ),
  ...[34, 35, 36, 37, 38, 39].map((length) =>
    variant('list', `pages of ${length} users, which is about as many as there are`, (service) => {
      service.listed = () => service.users.slice(0, length);
    }),
  ),
  variant('list', 'pages of so many bytes, the newest first', (service) => {
    const limit = 3000;
    service.listed = () => {
      let bytes = 0;
      return service.users.toReversed().filter((user) => {
        bytes += JSON.stringify(user).length;
        return bytes <= limit;
      });
    };
  }),
  variant('list', 'a query that nobody documented is 400', (service) => {
    const { handle } = service;
    service.handle = (request) =>
      [...request.query].length > 0 && service.authorised(request)
        ? service.invalid('unknown query')
        : handle(request);
  }),
  variant('transport', 'bodies of more than 126 bytes are too large', (service) => {
    const { create } = service;
    service.create = (request) =>
      Buffer.byteLength(request.body) > 126
        ? { status: 413, body: { error: 'too large' } }
        : create(request);
  }),
  variant('transport', 'br unasked', (service) => {
    afterwards(
      service,
      compressed('br', (text) =>
        brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      ),
    );
  }),
  variant('transport', 'deflate unasked', (service) => {
    afterwards(service, compressed('deflate', deflateSync));
  }),
  // HAProxy responds with 503 without a default backend, and nginx not at all with `return 444`.
  ...['503', 'no response'].map((what) =>
    variant('transport', `${what} at each path and host but those of the interface`, (service) => {
      const { handle, write } = service;
      let ownHost: unknown;
      const isKnown = ({ path, headers }: Request) => {
        ownHost ??= headers.host;
        const isBelow =
          path.startsWith(service.base) &&
          /^\/users(\/[^/;]+)?$/.test(path.slice(service.base.length));
        return isBelow && headers.host === ownHost;
      };
      service.handle = (request) => (isKnown(request) ? handle(request) : { status: 503 });
      service.write = (response, reply, request) => {
        if (what === '503' || isKnown(request)) write(response, reply, request);
        else response.destroy();
      };
    }),
  ),
  // RFC 9111, section 5.2.1.7: a cache without a stored response sends 504.
  variant('transport', 'a cache that has nothing stored, as Squid', (service) => {
    const { handle } = service;
    service.handle = (request) =>
      request.headers['cache-control'] === 'only-if-cached' ? { status: 504 } : handle(request);
  }),
  variant('transport', 'zstd where it is asked for', (service) => {
    const { handle } = service;
    service.handle = async (request) => {
      const reply = await handle(request);
      const isWanted = /zstd|, \*(?!;q=0)/.test(`${request.headers['accept-encoding']}`);
      return isWanted ? compressed('zstd', () => Buffer.of(0x28, 0xb5, 0x2f, 0xfd))(reply) : reply;
    };
  }),
  variant('transport', 'interim answers before each', (service) => {
    const { write } = service;
    service.write = (response, reply, request) => {
      response.writeProcessing();
      write(response, reply, request);
    };
  }),
  variant('transport', 'a byte at a time', (service) => {
    service.write = (response, { status, headers, body }) => {
      response.writeHead(status, { 'Content-Type': 'Application/JSON; Charset=utf-8', ...headers });
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const bytes = Buffer.from(text ?? '');
      for (const byte of bytes.subarray(0, 100)) response.write(Buffer.of(byte));
      response.end(bytes.subarray(100));
    };
  }),
  variant('transport', 'further headers, twice and in odd case', (service) => {
    afterwards(service, (reply) => ({
      ...reply,
      headers: {
        ...reply.headers,
        'X-ODD-case': 'a',
        Vary: 'Accept, Accept-Encoding',
        'Set-Cookie': 'session=1',
      },
    }));
  }),
];

/** Returns a function that compresses responses in a content coding. */
function compressed(
  coding: string,
  compress: (text: string | Buffer) => Buffer,
): (reply: Reply) => Reply {
  return ({ status, headers = {}, body }) => {
    if (body === undefined) return { status, headers };
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const type = { 'content-type': 'application/json' };
    return {
      status,
      headers: { ...type, ...headers, 'content-encoding': coding },
      body: compress(text),
    };
  };
}
