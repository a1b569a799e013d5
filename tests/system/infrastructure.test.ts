import { describe, expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { type JudgedRun, judgeAll } from '../run.ts';
import { type Patch, start, withPeople } from '../services/service.ts';

async function judged(...patches: Patch[]): Promise<JudgedRun> {
  const service = await start(withPeople, ...patches);
  return judgeAll(service).finally(service.close);
}

const verdictOf = (run: JudgedRun) =>
  decide(run.outcomes, { strict: false, knownFailures: [] }).verdict;

describe.concurrent('an infrastructure that fails is not the service', () => {
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

test('a user whose retrievals get no response is not reported as lost', async () => {
  const run = await judged((service) => {
    const { write } = service;
    service.write = (response, reply, request) => {
      const sixth = service.users[5];
      if (sixth && request.path.endsWith(`/${sixth.id}`)) response.destroy();
      else write(response, reply, request);
    };
  });
  expect(run.reasons('failed', 'MUST')).toEqual([]);
  expect(run.slugs('not-verified')).toContain('create.accepted-exists');
});

describe.concurrent('faults of a connection', () => {
  test('the rest of a malformed body is read as the next request', async () => {
    const run = await judged((service) => {
      const { handle } = service;
      const affected = new WeakSet<object>();
      service.handle = async (request) => {
        if (affected.delete(request.connection))
          return { status: 400, body: { error: 'no such method' } };
        const reply = await handle(request);
        if (request.method === 'POST' && reply.status === 400) affected.add(request.connection);
        return reply;
      };
    });
    expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
  });

  test('after a 401 the next retrieval on its connection is 401', async () => {
    const run = await judged((service) => {
      const { handle } = service;
      const affected = new WeakSet<object>();
      service.handle = async (request) => {
        const reply = await handle(request);
        const isRetrieved = reply.status === 200 && /users\/./.test(request.path);
        if (isRetrieved && affected.delete(request.connection)) return service.refuse(request);
        if (reply.status === 401) affected.add(request.connection);
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
