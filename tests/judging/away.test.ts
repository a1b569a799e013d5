import { expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { judgeAll } from '../run.ts';
import { oneOf } from '../services/sample.ts';
import { type Reply, type Request, start, withPeople } from '../services/service.ts';

/**
 * How often a service that was ended is looked for until it is there again: the suite looks twice, however slow the
 * machine is.
 */
const LOOKED_FOR = 1;

/** As the suite looks for a service that gave no answer: what it sends otherwise has an Accept. */
const isLookingFor = ({ method, path, headers }: Request) =>
  method === 'GET' && path.endsWith('/users') && headers.accept === undefined;

/** A service that is away for a moment after some requests: what is under way, or comes meanwhile, is reset. */
const endingAt = (isLast: (request: Request, reply: Reply) => boolean) =>
  start(withPeople, (service) => {
    const { handle, write } = service;
    let lookedFor = LOOKED_FOR;
    const isAway = () => lookedFor < LOOKED_FOR;
    service.handle = async (request) => {
      const reply = await handle(request);
      if (!isAway() && isLast(request, reply)) lookedFor = 0;
      return reply;
    };
    service.write = (response, reply, request) => {
      if (!isAway()) return write(response, reply, request);
      if (isLookingFor(request)) lookedFor += 1;
      response.socket?.resetAndDestroy();
    };
  });

const isToken = ({ headers }: Request) => headers.authorization?.startsWith('Token ') ?? false;

const ENDINGS: [string, (request: Request) => boolean][] = [
  ['a body that is null', ({ method, body }: Request) => method === 'POST' && body === 'null'],
  ['another scheme', isToken],
  ['an identifier of 4,000 letters', ({ path }: Request) => path.length > 4000],
];

test.concurrent.for(oneOf(2, ENDINGS))(
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
  const held: (() => void)[] = [];
  let lookedFor = LOOKED_FOR;
  const service = await start(withPeople, (one) => {
    const { handle } = one;
    one.handle = async (request) => {
      if (isLookingFor(request)) lookedFor += 1;
      if (lookedFor === LOOKED_FOR) for (const go of held.splice(0)) go();
      if (lookedFor < LOOKED_FOR) await new Promise<void>((go) => held.push(go));
      const reply = await handle(request);
      if (request.method === 'POST' && /^\{.*[^}]$/.test(request.body)) lookedFor = 0;
      return reply;
    };
  });
  const run = await judgeAll(service, { timeoutMs: 400, awayMs: 10_000 }).finally(service.close);
  expect(run.slugs('failed', 'MUST')).toEqual(['http.survives-bad-requests']);
  expect(run.told('failed').join()).toMatch(/no response in time, each time after POST/);
});

test.concurrent('a service that was away once, and is not when the same is sent again, is conformant', async () => {
  let left = 1;
  const service = await endingAt((request) => isToken(request) && left-- === 1);
  const run = await judgeAll(service, { awayMs: 10_000 }).finally(service.close);
  expect(run.told('failed')).toEqual([]);
  expect(decide(run.outcomes, { strict: false, knownFailures: [] }).verdict, run.notPassed().join('\n')).toBe(
    'conformant',
  );
});

test.concurrent('a user who was created just before a service was away is not created twice', async () => {
  let left = 1;
  const service = await endingAt((request, { status }) => status === 201 && /\+tag/.test(request.body) && left-- === 1);
  const run = await judgeAll(service, { awayMs: 10_000 }).finally(service.close);
  expect(run.told('failed')).toEqual([]);
});

test.concurrent('one that stays away is left open, and the last requests are named', async () => {
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
  expect(run.told('failed', 'MUST')).toEqual([]);
  expect(run.told('not-verified').join()).toMatch(/http.survives-bad-requests: .*the last requests before: /);
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
