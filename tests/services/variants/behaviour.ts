import { gzipSync } from 'node:zlib';
import type { User } from '../service.ts';
import { afterwards, lagging, type Variant, variant } from './variant.ts';

/** Transport, time and other people. */
export const behaviourVariants: Variant[] = [
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
  variant('limits', '503 without Retry-After, now and then', (service) => {
    const { handle } = service;
    let asked = 0;
    service.handle = (request) => {
      asked += 1;
      return asked % 40 === 0 ? { status: 503, body: 'busy' } : handle(request);
    };
  }),
];
