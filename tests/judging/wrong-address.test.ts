import { expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { type JudgedRun, judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import type { Patch, Reply, Request } from '../services/service.ts';

/** Judges a service at a base address that the user has set wrongly. */
async function judgeAt(
  changeBase: (base: string) => string,
  patches: Patch[] = [],
  settings = {},
): Promise<{ run: JudgedRun; right: string }> {
  const service = await startHere(...patches);
  const baseUrl = changeBase(service.baseUrl);
  const run = await judgeKept({ ...service, baseUrl }, settings).finally(service.close);
  return { run, right: service.baseUrl };
}

const verdictOf = ({ outcomes }: JudgedRun) =>
  decide(outcomes, { strict: false, knownFailures: [] }).verdict;

const at =
  (base: string): Patch =>
  (service) => {
    service.base = base;
  };

/** Redirects each request for `/users`, with the Location that `to` makes of its path and host. */
const redirecting =
  (to: (path: string, host: string) => string, status = 308): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = (request: Request): Reply | Promise<Reply> =>
      request.path.endsWith('/users')
        ? { status, headers: { location: to(request.path, `${request.headers.host}`) } }
        : handle(request);
  };

test.concurrent.for<[name: string, (right: string) => string, Patch[]]>([
  ['the list instead of the base address', (right) => `${right}/users`, []],
  ['the list, with a slash', (right) => `${right}/users/`, []],
  ['another path below the version', (right) => `${right}/docs`, []],
  ['no version', (right) => right.replace('/v1', ''), []],
  ['no version, below /api', (right) => right.replace('/v1', ''), [at('/api/v1')]],
  ['the list without the version', (right) => right.replace('/v1', '/users'), []],
  [
    'no version, and a gateway that answers unknown paths with 403',
    (right) => right.replace('/v1', ''),
    [
      (service) => {
        const { handle } = service;
        service.handle = (request) =>
          request.path.startsWith('/v1') ? handle(request) : { status: 403 };
      },
    ],
  ],
])('%s: no verdict, and the address that was meant', async ([, wrong, patches]) => {
  for (const settings of [{}, { readOnly: true }]) {
    const { run, right } = await judgeAt(wrong, patches, settings);
    expect(run.obstacle).toMatch(/^the service returns 40[34] for GET \/users/);
    expect(run.obstacle).toContain(`: did you mean ${right}?`);
    expect(run.slugs('failed')).toEqual([]);
    expect(verdictOf(run)).toBe('inconclusive');
  }
});

test.concurrent('no version and no list anywhere: no verdict', async () => {
  const nowhere: Patch = (service) => {
    service.handle = () => ({ status: 404 });
  };
  const { run } = await judgeAt((right) => right.replace('/v1', '/api'), [nowhere]);
  expect(run.obstacle).toMatch(/ at http.*\/api: is BASE_URL the right address\?$/);
  expect(verdictOf(run)).toBe('inconclusive');
});

const SIGN_ON = ': is BASE_URL the right address, and API_KEY a key that its sign-on accepts?';
const ANOTHER_SERVER = ', which is another server, and the suite follows no redirect';

test.concurrent.for<[name: string, Patch, ending: (right: string) => string]>([
  [
    'to https, with a user',
    redirecting((path, host) => `https://ada:pass@${host}${path}`, 301),
    (right) => {
      const { host } = new URL(right);
      return ` to https://ada:pass@${host}/v1/users: did you mean https://${host}/v1?`;
    },
  ],
  [
    'to another server',
    redirecting((path) => `https://users.example${path}`, 301),
    () => ` to https://users.example/v1/users${ANOTHER_SERVER}`,
  ],
  [
    'to another server, with the right one as the user',
    redirecting((path, host) => `https://${host}@users.example${path}`),
    (right) => ` to https://${new URL(right).host}@users.example/v1/users${ANOTHER_SERVER}`,
  ],
  [
    'to another folder',
    redirecting((path) => `/api${path}`),
    (right) => ` to /api/v1/users: did you mean ${right.replace('/v1', '/api/v1')}?`,
  ],
  [
    'to a login page',
    redirecting(() => '/login?next=%2Fv1%2Fusers', 302),
    () => ` to /login?next=%2Fv1%2Fusers${SIGN_ON}`,
  ],
  [
    'to a login page of another server',
    redirecting(() => 'https://login.example/authorize?client_id=users', 302),
    () => ` to https://login.example/authorize?client_id=users${SIGN_ON}`,
  ],
  [
    'to a login page, or a 403 for a creation',
    (service) => {
      redirecting(() => '/login', 302)(service);
      const { handle } = service;
      service.handle = (request) => (request.method === 'POST' ? { status: 403 } : handle(request));
    },
    () => ` to /login${SIGN_ON}`,
  ],
  [
    'to the same path with a query',
    redirecting((path) => `${path}?login=1`, 302),
    () => ` to /v1/users?login=1${SIGN_ON}`,
  ],
])('a redirect of every request %s: no verdict, and its Location', async ([, patch, ending]) => {
  const { run, right } = await judgeAt((base) => base, [patch]);
  expect(run.obstacle).toBe(`the service redirects GET /v1/users${ending(right)}`);
  expect(run.slugs('failed')).toEqual([]);
  expect(verdictOf(run)).toBe('inconclusive');
});

test.concurrent.for([240, 260, 280])(
  'a redirect whose Location has the key in hexadecimal after %d characters shows no part of it',
  async (length) => {
    const key = 'a-Key-4711-of-the-service';
    const hexadecimal = Buffer.from(key).toString('hex');
    const folder = `/${'x'.repeat(length)}${hexadecimal}`;
    const { run } = await judgeAt(
      (base) => base,
      [
        redirecting((path) => folder + path),
        (service) => {
          service.key = key;
        },
      ],
    );
    expect(run.obstacle).toContain('did you mean');
    expect(run.obstacle).not.toContain(hexadecimal.slice(0, 8));
  },
);

test.concurrent('a service at an address without the version fails', async () => {
  const { run } = await judgeAt((right) => right, [at('/api')]);
  expect(run.slugs('failed')).toEqual(['versioning.base-address']);
});

test.concurrent.for<[name: string, to: (path: string) => string, status: number]>([
  ['with a slash', (path) => `${path}/`, 307],
  ['with a slash, as an address', (path) => `${path}/`, 301],
])('a redirect of every request to the same path %s is a failure', async ([, to, status]) => {
  const { run } = await judgeAt((right) => right, [redirecting(to, status)]);
  expect(run.reasons('failed').join('\n')).toContain(
    `list.answers: expected a 2xx status, got ${status} to /v1/users/ (a redirect is not followed)`,
  );
  expect(verdictOf(run)).toBe('non-conformant');
});
