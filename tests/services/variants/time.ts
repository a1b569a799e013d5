import { setImmediate } from 'node:timers/promises';
import { integers } from '../patches.ts';
import type { Patch, User } from '../service.ts';
import { otherUser } from '../writers.ts';
import { agesOf, lagging, listedLate, type Variant, variant } from './variant.ts';

/** Lag, limits and other writers. */
export const timeVariants: Variant[] = [
  variant('lag', 'reads show a user 60 ms late', lagging(60)),
  variant('lag', 'replicas: a user shows, vanishes and shows again', (service) => {
    const { find } = service;
    const ageOf = agesOf(service);
    let reads = 0;
    service.find = (id) => {
      const user = find(id);
      reads += 1;
      return user && ageOf(user) < 40 && reads % 2 === 0 ? undefined : user;
    };
  }),
  variant('lag', 'three replicas that lag each for itself', (service) => {
    const { find } = service;
    const ageOf = agesOf(service);
    const lags = [0, 40, 80];
    let replica = 0;
    const isCopied = (user: User) => ageOf(user) > (lags[replica] ?? 0);
    const switchReplica = () => {
      replica = (replica + 1) % lags.length;
    };
    service.find = (id) => {
      switchReplica();
      const user = find(id);
      return user && isCopied(user) ? user : undefined;
    };
    const shown = () => service.users.filter(isCopied);
    service.listed = () => {
      switchReplica();
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
      let requests = 0;
      service.find = (id) => {
        reads.set(id, (reads.get(id) ?? 0) + 1);
        return (reads.get(id) ?? 0) > 3 ? find(id) : undefined;
      };
      service.missing = (id) => {
        requests += 1;
        return find(id)
          ? { status: [400, 403, 404, 410][requests % 4] ?? 404, body: { error: 'not yet' } }
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
        service.users.push(otherUser(made));
        if (made === 30) clearInterval(timer);
      }, 15);
      return () => clearInterval(timer);
    };
  }),
  variant('writers', 'a burst of twenty, once', (service) => {
    service.background = () => {
      const timer = setTimeout(() => {
        for (let made = 0; made < 20; made += 1) service.users.push(otherUser(made));
      }, 100);
      return () => clearTimeout(timer);
    };
  }),
  variant('limits', '429 in bursts, with Retry-After: 0', (service) => {
    const { handle } = service;
    let requests = 0;
    service.handle = (request) => {
      requests += 1;
      return requests % 20 < 3 ? { status: 429, headers: { 'retry-after': '0' } } : handle(request);
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
    let requests = 0;
    let began = 0;
    service.handle = (request) => {
      requests += 1;
      if (requests === 30) began = performance.now();
      const isBusy = requests >= 30 && performance.now() - began < 2000;
      return isBusy ? { status: 503 } : handle(request);
    };
  }),
  variant('limits', '503 without Retry-After, now and then', (service) => {
    const { handle } = service;
    let requests = 0;
    service.handle = (request) => {
      requests += 1;
      return requests % 40 === 0 ? { status: 503, body: 'busy' } : handle(request);
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
    let requests = 0;
    service.handle = (request) => {
      requests += 1;
      const headers = { 'retry-after': new Date(Date.now() - 1000).toUTCString() };
      return requests % 50 === 0 ? { status: 429, headers } : handle(request);
    };
  }),
  variant('limits', '503 at first', (service) => {
    const { handle } = service;
    let requests = 0;
    service.handle = (request) => {
      requests += 1;
      return requests < 3 ? { status: 503, headers: { 'retry-after': '0' } } : handle(request);
    };
  }),
  variant('limits', 'at most six requests at a time', (service) => {
    const { handle } = service;
    let inFlight = 0;
    service.handle = async (request) => {
      inFlight += 1;
      await new Promise((later) => setTimeout(later, 1));
      const isCrowded = inFlight > 6;
      const reply = isCrowded
        ? { status: 429, headers: { 'retry-after': '0' } }
        : await handle(request);
      inFlight -= 1;
      return reply;
    };
  }),
  variant('writers', 'bursts of five, now and then', (service) => {
    service.background = () => {
      let made = 0;
      const timer = setInterval(() => {
        for (let left = 5; left > 0; left -= 1) {
          made += 1;
          service.users.push(otherUser(made));
        }
        if (made >= 40) clearInterval(timer);
      }, 70);
      return () => clearInterval(timer);
    };
  }),
];

/** Limits concurrent requests, or those with a method. Further requests get a 503. */
function atMost(most: number, method?: string): Patch {
  return (service) => {
    const { handle } = service;
    let inFlight = 0;
    service.handle = async (request) => {
      if (method !== undefined && request.method !== method) return handle(request);
      if (inFlight >= most) return { status: 503 };
      inFlight += 1;
      try {
        await setImmediate();
        return await handle(request);
      } finally {
        inFlight -= 1;
      }
    };
  };
}
