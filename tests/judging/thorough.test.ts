import { describe, expect, test } from 'vitest';
import { thorough } from '../../specs/thorough/index.ts';
import { type JudgedRun, judgeThoroughly } from '../run.ts';
import { alsoAuthorised } from '../services/broken/broken.ts';
import { startHere } from '../services/here.ts';
import { type Patch, withPeople } from '../services/service.ts';
import { mergesPrototypes, readsPairs } from '../services/variants/in-the-wild.ts';
import { unique } from '../services/writers.ts';

/** Selects kinds of cases, without sequences. */
const onlyKinds = (...names: string[]) => ({
  cases: thorough.cases.filter(({ name }) => names.includes(name)),
  sequences: [],
  created: [],
});

const resultsOf = (run: JudgedRun) => run.history().results as { name: string; slugs: string[] }[];

describe.concurrent('a thorough run', () => {
  test.for<[body: string, patch: Patch, name: RegExp]>([
    ['email and name in a member __proto__', mergesPrototypes, /^the body .*"__proto__":/],
    ['an array of pairs', readsPairs, /^the body \[\["(email|name)"/],
  ])('a service that reads %s as a user breaks a SHOULD', async ([, patch, caseName]) => {
    const service = await startHere(withPeople, patch);
    const kinds = onlyKinds('bodies that some frameworks read as a user');
    const bounds = { thorough: kinds, maxRounds: 8 };
    const run = await judgeThoroughly(service, 1, bounds).finally(service.close);
    const failing = resultsOf(run).filter(({ name }) => caseName.test(name));
    expect(failing.map(({ slugs }) => slugs)).toContainEqual(['create.invalid-status']);
    expect(run.slugs('failed')).toContain('create.invalid-status');
  });

  test('a service that conforms conforms in depth, and the coverage says how deep', async () => {
    const service = await startHere(withPeople);
    // A busy machine may be slow.
    const bounds = { maxRequests: 5000 };
    const run = await judgeThoroughly(service, 1, bounds).finally(service.close);
    expect(run.notPassed()).toEqual([]);
    expect(run.coverage).toMatchObject({
      seed: 1,
      bounds: { requests: 5000, users: 300 },
    });
    expect(run.coverage?.users).toBeGreaterThanOrEqual(260);
    expect(run.coverage?.mostAtOnce).toBeGreaterThanOrEqual(40);
    expect(run.coverage?.widestPage).toBeGreaterThanOrEqual(260);
  });

  test('the same seed sends the same requests', async () => {
    const sent = async (seed: number) => {
      const service = await startHere((patched) => {
        let made = 0;
        patched.newId = () => {
          made += 1;
          return `00000000-0000-4000-8000-${made}`.padEnd(36, '7');
        };
      });
      const bounds = { maxRounds: 1 };
      const run = await judgeThoroughly(service, seed, bounds).finally(service.close);
      const requests = run.record.map(({ request }) => {
        const { authorization = 'none' } = request.headers;
        // Concurrent creations may get their identifiers in any order.
        const path = request.path.replace(/00000000-0000-4000-8000-\d+/g, 'id');
        return `${request.method} ${authorization} ${path}`;
      });
      return requests.sort();
    };
    const first = await sent(1);
    expect(await sent(1)).toEqual(first);
    expect(await sent(2)).not.toEqual(first);
  });

  test('users whom an earlier run has left fail nothing', async () => {
    const service = await startHere(withPeople, (patched) => unique(patched, 'email'));
    const kinds = onlyKinds('two-word names', 'one-word addresses');
    const explore = () =>
      judgeThoroughly(
        service,
        5,
        { thorough: kinds, maxRounds: 4 },
        {},
        { only: ['create.answers'] },
      );
    const runs = [await explore(), await explore()];
    await service.close();
    expect(runs.map((run) => run.coverage?.kinds['two-word names'])).toEqual([24, 24]);
    expect(runs.flatMap((run) => run.reasons('failed'))).toEqual([]);
  });

  test('a failure is reported by the smallest case, and the same seed finds it again', async () => {
    const acceptsSid = alsoAuthorised(({ query }, { key }) => query.get('sid') === key);
    const only = ['authentication.key-in-query'];
    const kinds = onlyKinds('the key in the query');
    const namesOfFailures = async () => {
      const service = await startHere(withPeople, acceptsSid);
      const bounds = { thorough: kinds, maxRounds: 6 };
      const run = await judgeThoroughly(service, 1, bounds, {}, { only }).finally(service.close);
      return resultsOf(run).map(({ name }) => name);
    };
    const names = await namesOfFailures();
    // fast-check leaves one or two of up to seven names.
    const smallest = /^the key in the query as ([^,]+, )?sid(, [^,]+)?$/;
    expect(names).toContainEqual(expect.stringMatching(smallest));
    expect(await namesOfFailures()).toEqual(names);
  });

  test('a failure in a sequence is reported with its requests', async () => {
    const service = await startHere(withPeople, (patched) => {
      const { handle } = patched;
      let isAfterLong = false;
      patched.handle = (request) => {
        const isForbidden = isAfterLong && request.method === 'POST';
        isAfterLong = request.path.length > 3000;
        return isForbidden ? { status: 403, body: {} } : handle(request);
      };
    });
    const sequences = thorough.sequences.filter(({ name }) => name === 'creations after cases');
    const only = ['http.survives-bad-requests'];
    const bounds = { thorough: { ...onlyKinds(), sequences }, maxRounds: 20, maxUsers: 1500 };
    const run = await judgeThoroughly(service, 1, bounds, {}, { only }).finally(service.close);
    const [reason] = run.reasons('failed');
    expect(reason).toContain('in the sequence: GET /users/:id with 4,000 letters, POST /users)');
  });

  test('sequences end although one request at a time is allowed', async () => {
    const service = await startHere(withPeople);
    const { sequences, created } = thorough;
    const bounds = { thorough: { cases: [], sequences, created }, maxRounds: 1 };
    const changes = { concurrency: 1 };
    const run = await judgeThoroughly(service, 1, bounds, changes).finally(service.close);
    expect(run.coverage).toMatchObject({ rounds: 1, ended: 'all rounds were done' });
    expect(run.slugs('failed')).toEqual([]);
  });

  test('a service that dies while it is explored is not conformant', async () => {
    let isExplored = false;
    let left = 100;
    const service = await startHere(withPeople, (patched) => {
      const { handle } = patched;
      patched.handle = (request) => {
        if (isExplored) left -= 1;
        return left < 0 ? new Promise(() => {}) : handle(request);
      };
    });
    const changes = { timeoutMs: 500 };
    const onProgress = () => {
      isExplored = true;
    };
    const bounds = { maxRequests: 3000, maxUsers: 300, onProgress };
    const run = await judgeThoroughly(service, 1, bounds, changes).finally(service.close);
    expect(run.slugs('not-verified', 'MUST')).toContain('retrieve.repeatable');
    expect(run.slugs('passed')).toContain('versioning.base-address');
  });

  test('in read-only mode it explores by reading alone', async () => {
    let users: unknown[] = [];
    const service = await startHere(withPeople, (patched) => {
      users = patched.users;
    });
    const bounds = { maxRequests: 2500 };
    const changes = { readOnly: true };
    const run = await judgeThoroughly(service, 1, bounds, changes).finally(service.close);
    expect(run.slugs('failed')).toEqual([]);
    const kinds = Object.values(run.coverage?.kinds ?? {});
    expect(kinds.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);
    expect(run.record.filter(({ request }) => request.method === 'POST')).toEqual([]);
    expect(users).toHaveLength(1);
  });
});
