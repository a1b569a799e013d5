import { expect, test } from 'vitest';
import type { StartedService } from '../../src/run/away.ts';
import { judgeAll, judgedTwice, judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { type Request, type Service, start } from '../services/service.ts';

const running: StartedService = {
  ended: () => undefined,
  restart: async () => {},
};

/**
 * Judges a service whose process ends at the requests for which `isLast` returns true. It restarts
 * without users.
 */
async function judgeEnding(
  isLast: (request: Request, service: Service, end: () => void) => boolean,
  onRestart: (end: () => void) => unknown = () => {},
  signal?: AbortSignal,
) {
  let isDown = false;
  let starts = 0;
  // Ends a process; without effect if another one has replaced it.
  const endOf = (process: number) => () => {
    isDown ||= process === starts;
  };
  let patched: Service | undefined;
  const target = await start((service) => {
    const { handle, write } = service;
    patched = service;
    service.handle = (request) => {
      isDown ||= isLast(request, service, endOf(starts));
      return handle(request);
    };
    service.write = (response, reply, request) =>
      isDown ? response.destroy() : write(response, reply, request);
  });
  const service: StartedService = {
    ...running,
    ended: () => (isDown ? { code: 1, signal: null } : undefined),
    restart: async () => {
      starts += 1;
      await onRestart(endOf(starts));
      isDown = false;
      if (patched) patched.users = [];
    },
  };
  const run = await judgeAll(target, {}, { service, ...(signal && { signal }) }).finally(
    target.close,
  );
  const [first, again] = judgedTwice(run);
  expect(again, 'judged again').toEqual(first);
  return run;
}

const isDuplicate = ({ method, body }: Request, { users }: Service) =>
  method === 'POST' && users.some(({ email }) => body.includes(`"${email}"`));

const ENDINGS: [string, (request: Request, service: Service) => boolean][] = [
  [
    'truncated JSON',
    ({ method, body }: Request) => method === 'POST' && body.startsWith('{') && !body.endsWith('}'),
  ],
  ['a second user of the same email', isDuplicate],
  [
    'a wrong key',
    ({ headers }: Request) =>
      headers.authorization?.startsWith('Bearer k3y-Of.the~Service_081') === false,
  ],
];

test.for(ENDINGS)(
  'a started service fails if %s ends it, and again after a restart',
  async ([, isLast]) => {
    const { slugs, reasons } = await judgeEnding(isLast);
    expect(slugs('failed')).toEqual(['http.survives-bad-requests']);
    expect(reasons('failed')).toEqual([
      expect.stringMatching(
        /none: the service ended with exit code 1, each time after (GET|POST) /,
      ),
    ]);
    const open = new Set(reasons('not-verified').map((reason) => reason.replace(/^\S+ /, '')));
    expect([...open]).toEqual(['needs: http.survives-bad-requests']);
  },
);

const COMEBACKS: [string, (end: () => void) => void][] = [
  ['ends by itself, once', () => {}],
  ['ends by itself, soon after each start', (end: () => void) => void setTimeout(end, 50)],
  [
    'does not start again',
    () => {
      throw new Error('it does not start');
    },
  ],
];

test.for(COMEBACKS)(
  'a service that %s stays unverified, and the reason names the last requests',
  async ([, onRestart]) => {
    let left = 40;
    const { slugs, reasons } = await judgeEnding(() => left-- === 0, onRestart);
    expect(slugs('failed')).toEqual([]);
    const open = new Set(reasons('not-verified').map((reason) => reason.replace(/^\S+ /, '')));
    expect([...open]).toContainEqual(
      expect.stringMatching(
        /^the service ended with exit code 1.*; the last requests before: (GET|POST) \/v1\/users/,
      ),
    );
  },
);

test('a service that a request ends during other requests fails', async () => {
  const isBasic = ({ headers }: Request) => headers.authorization?.startsWith('Basic ') === true;
  const { slugs, reasons } = await judgeEnding(isBasic);
  expect(slugs('failed')).toEqual(['http.survives-bad-requests']);
  expect(reasons('failed').join()).toMatch(/each time after (GET|POST) /);
});

test('a service that ends some requests after another one stays unverified', async () => {
  let since = Number.NaN;
  const { slugs } = await judgeEnding(
    ({ headers }) => {
      if (headers.authorization?.startsWith('Basic ') && Number.isNaN(since)) since = 0;
      else since += 1;
      return since === 10;
    },
    () => {
      since = Number.NaN;
    },
  );
  expect(slugs('failed')).toEqual([]);
  expect(slugs('not-verified')).toContain('http.survives-bad-requests');
});

test('an interrupt does not wait for a service that does not restart', async () => {
  const interrupt = new AbortController();
  const hang = () => {
    interrupt.abort();
    return new Promise<void>(() => {});
  };
  const { slugs, reasons } = await judgeEnding(
    ({ body }) => body === 'null',
    hang,
    interrupt.signal,
  );
  expect(slugs('failed')).toEqual([]);
  expect(reasons('not-verified').join()).toContain('the service ended with exit code 1');
});

test('requests without a response are no end of the service', async () => {
  const target = await startHere((service) => {
    const { handle } = service;
    service.handle = (request) =>
      request.body === 'null' ? new Promise(() => {}) : handle(request);
  });
  const { reasons } = await judgeKept(target, { timeoutMs: 300 }, { service: running }).finally(
    target.close,
  );
  expect(reasons('failed').join()).not.toContain('ended');
});

test.for([
  ['that the run started', 'the service ended with exit code 1, and '],
  ['that somebody else started', ''],
])('a service %s and that is gone is described with the same words', async ([, addition]) => {
  let left = 40;
  let closed: Promise<void> | undefined;
  const target = await start((service) => {
    const { handle } = service;
    service.handle = (request) => {
      left -= 1;
      if (left === 0) closed = target.close();
      return handle(request);
    };
  });
  const service: StartedService = {
    ended: () => closed && { code: 1, signal: null },
    restart: () => Promise.reject(new Error('it does not start')),
  };
  const run = await judgeAll(target, { awayMs: 0 }, addition ? { service } : {});
  await closed;
  const { origin } = new URL(target.baseUrl);
  const gone = `${addition}the service no longer responds: connections are refused (${origin})`;
  expect(run.reasons('not-verified').join('\n')).toContain(`${gone}; the last requests before: `);
});
