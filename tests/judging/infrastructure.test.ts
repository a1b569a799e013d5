import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { type JudgedRun, judgeAll } from '../run.ts';
import { isThorough, oneOf } from '../services/sample.ts';
import { type Patch, start, withPeople } from '../services/service.ts';

const BAD_GATEWAY = '<html><h1>Bad Gateway</h1></html>';

/** What comes in the place of an answer; the request is carried out only where it says so. */
interface Event {
  what: string;
  happens: (response: ServerResponse) => void;
  isCarriedOut?: boolean;
}

const status = (code: number, body?: string) => (response: ServerResponse) =>
  void response.writeHead(code).end(body);
const events: Event[] = [
  { what: 'a reset', happens: (response) => void response.socket?.resetAndDestroy() },
  {
    what: 'a reset after it was carried out',
    happens: (response) => void response.socket?.destroy(),
    isCarriedOut: true,
  },
  { what: 'a 502', happens: status(502, BAD_GATEWAY) },
  { what: 'a 504 after it was carried out', happens: status(504, BAD_GATEWAY), isCarriedOut: true },
  { what: 'a 503', happens: status(503) },
  { what: 'a 503 after it was carried out', happens: status(503), isCarriedOut: true },
  { what: 'half an answer', happens: halfAnAnswer, isCarriedOut: true },
];

function halfAnAnswer(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"da', () => response.socket?.destroy());
}

/** It happens to the requests of these numbers. */
const at =
  (isHit: (number: number) => boolean, { happens, isCarriedOut = false }: Event): Patch =>
  (service) => {
    const { handle, write } = service;
    const hit = new WeakSet<object>();
    let asked = 0;
    service.handle = (request) => {
      asked += 1;
      if (!isHit(asked)) return handle(request);
      hit.add(request);
      return isCarriedOut ? handle(request) : { status: 200, body: {} };
    };
    service.write = (response, reply, request) =>
      hit.has(request) ? happens(response) : write(response, reply, request);
  };

async function judged(...patches: Patch[]): Promise<JudgedRun> {
  const service = await start(withPeople, ...patches);
  return judgeAll(service).finally(service.close);
}

const verdictOf = (run: JudgedRun) =>
  decide(run.outcomes, { strict: false, knownFailures: [] }).verdict;

/**
 * Every so many requests of a run, others for each event: in `npm run test:thorough`. Else it is one, of the event that
 * lost.test.ts has not.
 */
const STEP = 45;
const hits = events
  .flatMap((event, index) =>
    Array.from({ length: 5 }, (_, step) => ({ ...event, number: 1 + 6 * index + STEP * step })),
  )
  .filter(
    ({ happens, number }) =>
      isThorough || (happens === halfAnAnswer && number > 2 * STEP && number < 3 * STEP),
  );

describe.concurrent('an infrastructure that fails once is not the service, whichever request it hits', () => {
  test.for(hits)('$what, request $number', async ({ number, ...event }) => {
    const run = await judged(at((asked) => asked === number, event));
    expect(run.reasons('failed', 'MUST')).toEqual([]);
  });

  test.for(oneOf(3, events))('$what, for every fortieth', async (event) => {
    const run = await judged(at((asked) => asked % 40 === 17, event));
    expect(run.reasons('failed', 'MUST')).toEqual([]);
  });

  test('a kept connection is reset at its second request', async () => {
    const run = await judged((service) => {
      const { write } = service;
      const requests = new WeakMap<object, number>();
      service.write = (response, reply, request) => {
        const number = (requests.get(request.connection) ?? 0) + 1;
        requests.set(request.connection, number);
        if (number === 2) response.socket?.destroy();
        else write(response, reply, request);
      };
    });
    expect(verdictOf(run), run.notPassed().join('\n')).toBe('conformant');
  });
});

test.concurrent('an unsolicited interim response 100 is explained, and fails nothing', async () => {
  const run = await judged((service) => {
    const { write } = service;
    service.write = (response, reply, request) => {
      response.writeContinue();
      write(response, reply, request);
    };
  });
  expect(run.slugs('failed')).toEqual([]);
  expect(run.reasons('not-verified').join('\n')).toContain('unsolicited 100 (Continue)');
});

test('a user whose retrievals are all cut off at first is not said to be lost among others', async () => {
  const run = await judged((service) => {
    const { write } = service;
    let cut = 0;
    service.write = (response, reply, request) => {
      const fifth = service.users[5];
      if (cut === 3 || fifth === undefined || !request.path.endsWith(`/${fifth.id}`))
        return write(response, reply, request);
      cut += 1;
      response.destroy();
    };
  });
  expect(run.reasons('failed')).toEqual([]);
  expect(run.slugs('not-verified')).toEqual(['create.accepted-exists']);
});

describe.concurrent('what belongs to a connection', () => {
  test('what is left over of a malformed body is read as the next request on it', async () => {
    const run = await judged((service) => {
      const { handle } = service;
      const upset = new WeakSet<object>();
      service.handle = async (request) => {
        if (upset.delete(request.connection))
          return { status: 400, body: { error: 'no such method' } };
        const reply = await handle(request);
        if (request.method === 'POST' && reply.status === 400) upset.add(request.connection);
        return reply;
      };
    });
    expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
  });

  test('after a refused request the next retrieval on its connection is 401', async () => {
    const run = await judged((service) => {
      const { handle } = service;
      const upset = new WeakSet<object>();
      service.handle = async (request) => {
        const reply = await handle(request);
        const isRetrieved = reply.status === 200 && /users\/./.test(request.path);
        if (isRetrieved && upset.delete(request.connection)) return service.refuse(request);
        if (reply.status === 401) upset.add(request.connection);
        return reply;
      };
    });
    expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
  });

  test('a connection that carried the key needs none any more', async () => {
    const run = await judged((service) => {
      const { authorised } = service;
      const proven = new WeakSet<object>();
      service.authorised = (request) => {
        if (authorised(request)) proven.add(request.connection);
        return proven.has(request.connection);
      };
    });
    const failed = run.slugs('failed', 'MUST');
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.filter((slug) => !/^(authentication|guard)\./.test(slug))).toEqual([]);
  });
});
