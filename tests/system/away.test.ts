import { expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { judgeAll } from '../run.ts';
import { jsonOf } from '../services/broken/broken.ts';
import { type Reply, type Request, start, withPeople } from '../services/service.ts';

/** The time until a supervisor has restarted a service. */
const AWAY_MS = 150;

/** Returns whether a service is still away at a request; the time begins with the first one. */
function makeAbsence(milliseconds: number): () => boolean {
  let backAt: number | undefined;
  return () => {
    backAt ??= performance.now() + milliseconds;
    return performance.now() < backAt;
  };
}

/**
 * Starts a service that is away for a moment after some requests. Meanwhile it resets connections.
 */
const startEndingAt = (isLast: (request: Request, reply: Reply) => boolean) =>
  start(withPeople, (service) => {
    const { handle, write } = service;
    let absence: (() => boolean) | undefined;
    service.handle = async (request) => {
      const reply = await handle(request);
      if (absence === undefined && isLast(request, reply)) absence = makeAbsence(AWAY_MS);
      return reply;
    };
    service.write = (response, reply, request) => {
      // The time begins with another request, so that a busy machine does not miss the absence.
      if (absence && (isLast(request, reply) || absence()))
        return response.socket?.resetAndDestroy();
      absence = undefined;
      return write(response, reply, request);
    };
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
    const service = await startEndingAt(isLast);
    const run = await judgeAll(service, { awayMs: 10_000 }).finally(service.close);
    expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
    const [failed] = run.outcomes.filter(({ outcome }) => outcome === 'failed');
    expect(failed?.exchanges.length).toBeGreaterThan(0);
  },
);

test.concurrent('a service that is silent to all for a while after truncated JSON fails for it', async () => {
  let isAway = () => false;
  const service = await start(withPeople, (patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      if (isAway()) await new Promise(() => {});
      const reply = await handle(request);
      const isTruncated = request.method === 'POST' && /^\{.*[^}]$/.test(request.body);
      if (isTruncated) isAway = makeAbsence(5 * AWAY_MS);
      return reply;
    };
  });
  const settings = { timeoutMs: 400, awayMs: 10_000 };
  const run = await judgeAll(service, settings).finally(service.close);
  expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
});

test.concurrent('a service that was away once, but not when the request is repeated, is conformant', async () => {
  let left = 1;
  const service = await startEndingAt((request) => isToken(request) && left-- === 1);
  const run = await judgeAll(service, { awayMs: 10_000 }).finally(service.close);
  expect(run.reasons('failed')).toEqual([]);
  expect(
    decide(run.outcomes, { strict: false, knownFailures: [] }).verdict,
    run.notPassed().join('\n'),
  ).toBe('conformant');
});

test.concurrent('a user who was created just before a service was away is not created twice', async () => {
  let left = 1;
  const service = await startEndingAt(
    (request, { status }) => status === 201 && /\+tag/.test(request.body) && left-- === 1,
  );
  const run = await judgeAll(service, { awayMs: 10_000 }).finally(service.close);
  expect(run.reasons('failed')).toEqual([]);
});

test.concurrent('a service that stays away after a request fails, and the reason names the request', async () => {
  const service = await start(withPeople, (patched) => {
    const { handle, write } = patched;
    let isAway = false;
    patched.handle = (request) => {
      isAway ||= request.body === 'null';
      return handle(request);
    };
    patched.write = (response, reply, request) =>
      isAway ? response.socket?.resetAndDestroy() : write(response, reply, request);
  });
  const run = await judgeAll(service).finally(service.close);
  expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
  expect(run.reasons('failed').join()).toMatch(/directly after POST \/v1\/users/);
});

test.concurrent('a service that never responds to invalid JSON is conformant, and the run goes on meanwhile', async () => {
  const service = await start(withPeople, (patched) => {
    const { create } = patched;
    patched.create = (request) =>
      jsonOf(request) === undefined ? new Promise(() => {}) : create(request);
  });
  const run = await judgeAll(service, { timeoutMs: 1000 }).finally(service.close);
  expect(run.slugs('failed')).toEqual(['create.answered']);
  expect(run.slugs('not-verified')).toEqual([]);
});
