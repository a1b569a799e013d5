import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { Patch, Reply, User } from '../service.ts';
import { afterwards, lagging, type Variant, variant } from './variant.ts';

/** Transport, time and other people. */
export const behaviourVariants: Variant[] = [
  variant('transport', 'gzip unasked', (service) => {
    afterwards(service, compressed('gzip', gzipSync));
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
  variant('lag', 'three replicas that lag each for itself', (service) => {
    const since = new Map<User, number>();
    const { store, find } = service;
    service.store = (user) => {
      since.set(user, performance.now());
      store(user);
    };
    let asked = 0;
    const isCopied = (user: User) => performance.now() - (since.get(user) ?? 0) > ([0, 40, 80][asked % 3] ?? 0);
    const next = () => {
      asked += 1;
    };
    service.find = (id) => {
      next();
      const user = find(id);
      return user && isCopied(user) ? user : undefined;
    };
    const shown = () => service.users.filter(isCopied);
    service.listed = () => {
      next();
      return shown();
    };
    service.total = () => shown().length;
  }),
  {
    ...variant('lag', 'the first three reads of a user are 400, 403, 404 or 410', (service) => {
      const reads = new Map<string, number>();
      const { find, missing } = service;
      let asked = 0;
      service.find = (id) => {
        reads.set(id, (reads.get(id) ?? 0) + 1);
        return (reads.get(id) ?? 0) > 3 ? find(id) : undefined;
      };
      service.missing = (id) => {
        asked += 1;
        return find(id) ? { status: [400, 403, 404, 410][asked % 4] ?? 404, body: { error: 'not yet' } } : missing(id);
      };
    }),
    settings: { settleMs: 20_000 },
  },
  variant('writers', 'one user every 15 ms for a while', (service) => {
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
  variant('writers', 'a burst of twenty, once', (service) => {
    service.background = () => {
      const timer = setTimeout(() => {
        for (let made = 0; made < 20; made += 1) {
          service.users.push({ id: `other-${made}`, email: `other.${made}@example.org`, name: `Other ${made}` });
        }
      }, 100);
      return () => clearTimeout(timer);
    };
  }),
  variant('limits', '429 in bursts, with Retry-After: 0', (service) => {
    const { handle } = service;
    let asked = 0;
    service.handle = (request) => {
      asked += 1;
      return asked % 20 < 3 ? { status: 429, headers: { 'retry-after': '0' } } : handle(request);
    };
  }),
  variant('limits', 'two requests at once, and 503 without Retry-After for the others', atMost(2)),
  variant('limits', 'one request at once, and 503 without Retry-After for the others', atMost(1)),
  variant('limits', 'two creations at once, and 503 without Retry-After for the others', atMost(2, 'POST')),
  variant('limits', 'two seconds of 503 in the middle', (service) => {
    const { handle } = service;
    let [asked, began] = [0, 0];
    service.handle = (request) => {
      asked += 1;
      if (asked === 30) began = performance.now();
      return asked >= 30 && performance.now() - began < 2000 ? { status: 503 } : handle(request);
    };
  }),
  variant('limits', '503 without Retry-After, now and then', (service) => {
    const { handle } = service;
    let asked = 0;
    service.handle = (request) => {
      asked += 1;
      return asked % 40 === 0 ? { status: 503, body: 'busy' } : handle(request);
    };
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
  ...[26, 27, 28, 29, 30, 31].map((length) =>
    variant('list', `pages of ${length} users, which is about as many as there are`, (service) => {
      service.listed = () => service.users.slice(0, length);
    }),
  ),
  variant('list', 'a query that nobody documented is 400', (service) => {
    const { handle } = service;
    service.handle = (request) =>
      [...request.query].length > 0 && service.authorised(request) ? service.invalid('unknown query') : handle(request);
  }),
  variant('transport', 'bodies of more than 126 bytes are too large', (service) => {
    const { create } = service;
    service.create = (request) =>
      Buffer.byteLength(request.body) > 126 ? { status: 413, body: { error: 'too large' } } : create(request);
  }),
  variant('transport', 'br unasked', (service) => {
    afterwards(
      service,
      compressed('br', (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
    );
  }),
  variant('transport', 'deflate unasked', (service) => {
    afterwards(service, compressed('deflate', deflateSync));
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
      const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
      for (const byte of bytes.subarray(0, 100)) response.write(Buffer.of(byte));
      response.end(bytes.subarray(100));
    };
  }),
  variant('transport', 'further headers, twice and in odd case', (service) => {
    afterwards(service, (reply) => ({
      ...reply,
      headers: { ...reply.headers, 'X-ODD-case': 'a', Vary: 'Accept, Accept-Encoding', 'Set-Cookie': 'session=1' },
    }));
  }),
  variant('lag', 'the list shows a user 60 ms late, retrieving at once', (service) => {
    const since = new Map<User, number>();
    const { store } = service;
    service.store = (user) => {
      since.set(user, performance.now());
      store(user);
    };
    const shown = () => service.users.filter((user) => performance.now() - (since.get(user) ?? 0) > 60);
    service.listed = shown;
    service.total = () => shown().length;
  }),
  variant('lag', 'the total is 60 ms ahead of the users shown', (service) => {
    const since = new Map<User, number>();
    const { store } = service;
    service.store = (user) => {
      since.set(user, performance.now());
      store(user);
    };
    service.listed = () => service.users.filter((user) => performance.now() - (since.get(user) ?? 0) > 60);
  }),
  variant('limits', '429 until a date', (service) => {
    const { handle } = service;
    let asked = 0;
    service.handle = (request) => {
      asked += 1;
      const headers = { 'retry-after': new Date(Date.now() - 1000).toUTCString() };
      return asked % 50 === 0 ? { status: 429, headers } : handle(request);
    };
  }),
  variant('limits', '503 at first', (service) => {
    const { handle } = service;
    let asked = 0;
    service.handle = (request) => {
      asked += 1;
      return asked < 3 ? { status: 503, headers: { 'retry-after': '0' } } : handle(request);
    };
  }),
  variant('limits', 'at most six requests at a time', (service) => {
    const { handle } = service;
    let underWay = 0;
    service.handle = async (request) => {
      underWay += 1;
      await new Promise((later) => setTimeout(later, 1));
      const crowded = underWay > 6;
      const reply = crowded ? { status: 429, headers: { 'retry-after': '0' } } : await handle(request);
      underWay -= 1;
      return reply;
    };
  }),
  variant('writers', 'bursts of five, now and then', (service) => {
    service.background = () => {
      let made = 0;
      const timer = setInterval(() => {
        for (let one = 0; one < 5; one += 1) {
          made += 1;
          service.users.push({ id: `other-${made}`, email: `other.${made}@example.org`, name: `Other ${made}` });
        }
        if (made >= 40) clearInterval(timer);
      }, 70);
      return () => clearInterval(timer);
    };
  }),
];

/** Answers in a content coding. */
function compressed(coding: string, compress: (text: string | Buffer) => Buffer): (reply: Reply) => Reply {
  return ({ status, headers = {}, body }) => {
    if (body === undefined) return { status, headers };
    const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const type = { 'content-type': 'application/json' };
    return { status, headers: { ...type, ...headers, 'content-encoding': coding }, body: compress(text) };
  };
}

/** Carries out so many requests at once, or so many of a method; others are asked to wait. */
function atMost(most: number, method?: string): Patch {
  return (service) => {
    const { handle } = service;
    let underWay = 0;
    service.handle = async (request) => {
      if (method !== undefined && request.method !== method) return handle(request);
      if (underWay >= most) return { status: 503 };
      underWay += 1;
      try {
        await setImmediate();
        return await handle(request);
      } finally {
        underWay -= 1;
      }
    };
  };
}
