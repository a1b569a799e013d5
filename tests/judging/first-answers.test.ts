import { describe, expect, test } from 'vitest';
import { decide } from '../../src/verdict/verdict.ts';
import { type JudgedRun, judgeKept } from '../run.ts';
import { startHere } from '../services/here.ts';
import { brokenBy } from '../services/named.ts';
import type { Patch } from '../services/service.ts';

const verdictOf = ({ outcomes }: JudgedRun) =>
  decide(outcomes, { strict: false, knownFailures: [] }).verdict;

async function judged(patches: Patch[], settings = {}, apiKey?: string): Promise<JudgedRun> {
  const service = await startHere(...patches);
  return judgeKept({ ...service, ...(apiKey && { apiKey }) }, settings).finally(service.close);
}

/** The service checks the key in another place alone. */
const checksKey =
  (isRight: (headers: Record<string, unknown>, key: string) => boolean): Patch =>
  (service) => {
    service.authorised = ({ headers }) => isRight(headers, service.key);
  };

const hasNoPaths: Patch = (service) => {
  service.handle = () => ({ status: 404 });
};

describe.concurrent('a service that can not be judged at all has one reason', () => {
  test.for<[string, Patch[], string | undefined, string | RegExp]>([
    [
      'a wrong key',
      [],
      'a-wrong-key',
      'the service returns 401 for GET /users and POST /users with this API_KEY: is it the right key?',
    ],
    [
      'a wrong address',
      [hasNoPaths],
      undefined,
      /^the service returns 404 for GET \/users and POST \/users at http.*\/v1: is BASE_URL/,
    ],
  ])('%s', async ([, patches, key, reason]) => {
    const run = await judged(patches, {}, key);
    expect(run.obstacle).toMatch(reason);
    expect(
      run.notPassed().filter((line) => !line.endsWith(`: not-verified, ${run.obstacle}`)),
    ).toEqual([]);
    expect(run.slugs('passed')).toEqual(['versioning.base-address']);
    expect(verdictOf(run)).toBe('inconclusive');
    // The record has the requests that show the reason.
    expect(run.record.length).toBeGreaterThan(1);
    expect(run.record.length).toBeLessThan(13);
  });

  test('a wrong key, by reading alone', async () => {
    const run = await judged([], { readOnly: true }, 'a-wrong-key');
    expect(run.obstacle).toBe(
      'the service returns 401 for GET /users with this API_KEY: is it the right key?',
    );
    expect(run.slugs('failed')).toEqual([]);
    expect(new Set(run.record.map(({ request }) => request.method))).toEqual(new Set(['GET']));
  });
});

describe.concurrent('a fault of one operation is no such reason', () => {
  test.for<[string, Patch, string]>([
    [
      'GET /users is 404',
      (service) => {
        service.list = () => ({ status: 404 });
      },
      'list.answers: expected a 2xx status, got 404',
    ],
    [
      'GET /users is 401',
      (service) => {
        service.list = () => ({ status: 401 });
      },
      'list.answers: expected a 2xx status, got 401',
    ],
    [
      'POST /users is 403',
      (service) => {
        service.create = () => ({ status: 403 });
      },
      'create.answers: expected a 2xx status, got 403',
    ],
    [
      'GET /users is a web page',
      (service) => {
        service.list = () => ({
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: '<p>Users</p>',
        });
      },
      'http.json: expected a JSON body',
    ],
    [
      'the key must stand in X-API-Key',
      checksKey((headers, key) => headers['x-api-key'] === key),
      'list.answers: expected a 2xx status, got 401; 200 with the key in X-API-Key',
    ],
    [
      'the key must stand alone',
      checksKey(({ authorization }, key) => authorization === key),
      'got 401; 200 with the key and no scheme',
    ],
    [
      'only those without credentials get in',
      checksKey(({ authorization }) => authorization === undefined),
      'got 401; 200 without the Authorization header',
    ],
  ])('%s', async ([, patch, reason]) => {
    const run = await judged([patch]);
    expect(run.obstacle).toBeUndefined();
    expect(run.reasons('failed', 'MUST').join('\n')).toContain(reason);
    expect(verdictOf(run)).toBe('non-conformant');
  });

  test('a wrong key, which the list does not check', async () => {
    const run = await judged([brokenBy('the list is open')], {}, 'a-wrong-key');
    expect(run.slugs('failed')).toContain('authentication.list-needs-key');
    expect(verdictOf(run)).toBe('non-conformant');
  });
});
