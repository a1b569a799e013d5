import { expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { judgeAll } from '../run.ts';
import { type Reply, type Request, start, withPeople } from '../services/service.ts';

/** How long a service is away before a supervisor has started it again. */
const AWAY_MS = 150;

/** A service that is away for a moment after some requests: connections are reset meanwhile. */
const endingAt = (isLast: (request: Request, reply: Reply) => boolean) =>
  start(withPeople, (service) => {
    const { handle, write } = service;
    let backAt = 0;
    const isAway = () => performance.now() < backAt;
    service.handle = async (request) => {
      const reply = await handle(request);
      if (!isAway() && isLast(request, reply)) backAt = performance.now() + AWAY_MS;
      return reply;
    };
    service.write = (response, reply, request) =>
      isAway() ? response.socket?.resetAndDestroy() : write(response, reply, request);
  });

const isToken = ({ headers }: Request) => headers.authorization?.startsWith('Token ') ?? false;

const ENDINGS: [string, (request: Request) => boolean][] = [
  ['a body that is null', ({ method, body }: Request) => method === 'POST' && body === 'null'],
  ['another scheme', isToken],
  ['an identifier of 4,000 letters', ({ path }: Request) => path.length > 4000],
];

test.concurrent.for(ENDINGS)(
  'a service that %s ends each time fails for it, though it is back soon',
  async ([, isLast]) => {
    const service = await endingAt(isLast);
    const run = await judgeAll(service, { awayMs: 10_000 }).finally(service.close);
    expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
    const [failed] = run.outcomes.filter(({ outcome }) => outcome === 'failed');
    expect(failed?.exchanges.length).toBeGreaterThan(0);
  },
);

test.concurrent('a service that is silent to all for a while after truncated JSON fails for it', async () => {
  let backAt = 0;
  const service = await start(withPeople, (patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      if (performance.now() < backAt) await new Promise(() => {});
      const reply = await handle(request);
      const isTruncated = request.method === 'POST' && /^\{.*[^}]$/.test(request.body);
      if (isTruncated) backAt = performance.now() + 5 * AWAY_MS;
      return reply;
    };
  });
  const settings = { timeoutMs: 400, awayMs: 10_000 };
  const run = await judgeAll(service, settings).finally(service.close);
  expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
});

test.concurrent('a service that was away once, and is not when the same is sent again, is conformant', async () => {
  let left = 1;
  const service = await endingAt((request) => isToken(request) && left-- === 1);
  const run = await judgeAll(service, { awayMs: 10_000 }).finally(service.close);
  expect(run.reasons('failed')).toEqual([]);
  expect(
    decide(run.outcomes, { strict: false, knownFailures: [] }).verdict,
    run.notPassed().join('\n'),
  ).toBe('conformant');
});

test.concurrent('a user who was created just before a service was away is not created twice', async () => {
  let left = 1;
  const service = await endingAt(
    (request, { status }) => status === 201 && /\+tag/.test(request.body) && left-- === 1,
  );
  const run = await judgeAll(service, { awayMs: 10_000 }).finally(service.close);
  expect(run.reasons('failed')).toEqual([]);
});

test.concurrent('one that stays away after a request fails, and the request is named', async () => {
  const service = await start(withPeople, (one) => {
    const { handle, write } = one;
    let isAway = false;
    one.handle = (request) => {
      isAway ||= request.body === 'null';
      return handle(request);
    };
    one.write = (response, reply, request) =>
      isAway ? response.socket?.resetAndDestroy() : write(response, reply, request);
  });
  const run = await judgeAll(service).finally(service.close);
  expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
  expect(run.reasons('failed').join()).toMatch(/directly after POST \/v1\/users/);
});

test.concurrent('one that keeps silent on what is no JSON is conformant, and the run waits for it beside its other work', async () => {
  const service = await start(withPeople, (one) => {
    const { create } = one;
    one.create = (request) => {
      try {
        JSON.parse(request.body);
      } catch {
        return new Promise(() => {});
      }
      return create(request);
    };
  });
  const run = await judgeAll(service, { timeoutMs: 1000 }).finally(service.close);
  expect(run.slugs('failed')).toEqual(['create.answered']);
  expect(run.slugs('not-verified')).toEqual([]);
});
