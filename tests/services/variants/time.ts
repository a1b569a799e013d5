import { setImmediate } from 'node:timers/promises';
import type { Patch, User } from '../service.ts';
import { integers } from './identifier-places.ts';
import { lagging, listedLate, type Variant, variant } from './variant.ts';

/** Lag, limits and other people. */
export const timeVariants: Variant[] = [
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
    const isCopied = (user: User) =>
      performance.now() - (since.get(user) ?? 0) > ([0, 40, 80][asked % 3] ?? 0);
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
    ...variant('lag', 'integers, and the first three reads of a user are 403', (service) => {
      integers(service);
      const reads = new Map<string, number>();
      const { retrieve } = service;
      service.retrieve = (id, request) => {
        reads.set(id, (reads.get(id) ?? 0) + 1);
        const isEarly = service.find(id) && (reads.get(id) ?? 0) <= 3;
        return isEarly ? { status: 403, body: { error: 'not yet' } } : retrieve(id, request);
      };
    }),
    settings: { settleMs: 60_000 },
  },
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
        return find(id)
          ? { status: [400, 403, 404, 410][asked % 4] ?? 404, body: { error: 'not yet' } }
          : missing(id);
      };
    }),
    settings: { settleMs: 60_000 },
  },
  variant('writers', 'one user every 15 ms for a while', (service) => {
    service.background = () => {
      let made = 0;
      const timer = setInterval(() => {
        made += 1;
        service.users.push({
          id: `other-${made}`,
          email: `other.${made}@example.org`,
          name: `Other ${made}`,
        });
        if (made === 30) clearInterval(timer);
      }, 15);
      return () => clearInterval(timer);
    };
  }),
  variant('writers', 'a burst of twenty, once', (service) => {
    service.background = () => {
      const timer = setTimeout(() => {
        for (let made = 0; made < 20; made += 1) {
          service.users.push({
            id: `other-${made}`,
            email: `other.${made}@example.org`,
            name: `Other ${made}`,
          });
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
  variant(
    'limits',
    'two creations at once, and 503 without Retry-After for the others',
    atMost(2, 'POST'),
  ),
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
  variant('lag', 'the list shows a user 60 ms late, retrieving at once', (service) => {
    listedLate(service);
    const { listed } = service;
    service.total = () => listed().length;
  }),
  variant('lag', 'the total is 60 ms ahead of the users shown', listedLate),
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
      const reply = crowded
        ? { status: 429, headers: { 'retry-after': '0' } }
        : await handle(request);
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
          service.users.push({
            id: `other-${made}`,
            email: `other.${made}@example.org`,
            name: `Other ${made}`,
          });
        }
        if (made >= 40) clearInterval(timer);
      }, 70);
      return () => clearInterval(timer);
    };
  }),
];

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
