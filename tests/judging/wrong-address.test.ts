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

const verdictOf = ({ outcomes, obstacle }: JudgedRun) =>
  decide(outcomes, { strict: false, knownFailures: [], obstacle }).verdict;

const at =
  (base: string): Patch =>
  (service) => {
    service.base = base;
  };

/** Redirects each request for `/users`, with the Location that `to` makes of its path. */
const redirecting =
  (to: (path: string) => string, status = 308): Patch =>
  (service) => {
    const { handle } = service;
    service.handle = (request: Request): Reply | Promise<Reply> =>
      request.path.endsWith('/users')
        ? { status, headers: { location: to(request.path) } }
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

test.concurrent.for<[name: string, Patch, ending: (right: string) => string]>([
  [
    'to https',
    redirecting((path) => `https://users.example${path}`, 301),
    () => ' to https://users.example/v1/users: did you mean https://users.example/v1?',
  ],
  [
    'to another folder',
    redirecting((path) => `/api${path}`),
    (right) => ` to /api/v1/users: did you mean ${right.replace('/v1', '/api/v1')}?`,
  ],
  [
    'to a trailing slash',
    redirecting((path) => `${path}/`, 307),
    () => ' to /v1/users/, and the suite follows no redirect: serve the path without the slash',
  ],
])('a redirect of every request %s: no verdict, and its Location', async ([, patch, ending]) => {
  const { run, right } = await judgeAt((base) => base, [patch]);
  expect(run.obstacle).toBe(`the service redirects GET /v1/users${ending(right)}`);
  expect(run.slugs('failed')).toEqual([]);
  expect(verdictOf(run)).toBe('inconclusive');
});

test.concurrent('a service at an address without the version fails', async () => {
  const { run } = await judgeAt((right) => right, [at('/api')]);
  expect(run.slugs('failed')).toEqual(['versioning.base-address']);
});

test.concurrent('a redirect to a login page is a failure', async () => {
  const { run } = await judgeAt((right) => right, [redirecting(() => '/login', 302)]);
  expect(run.slugs('failed')).toContain('list.answers');
  expect(verdictOf(run)).toBe('non-conformant');
});
