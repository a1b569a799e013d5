import { describe, expect, test } from 'vitest';
import { thorough } from '../../specs/thorough/index.ts';
import type { Case } from '../../src/requirement/case.ts';
import { judgeThoroughly } from '../run.ts';
import { alsoAuthorised } from '../services/broken/broken.ts';
import { startHere } from '../services/here.ts';
import { withPeople } from '../services/service.ts';
import { mergesPrototypes } from '../services/variants/in-the-wild.ts';
import { unique } from '../services/writers.ts';

/** Selects kinds of cases, without sequences. */
const onlyKinds = (...names: string[]) => ({
  kinds: thorough.kinds.filter(({ name }) => names.includes(name)),
  sequences: { slug: 'none', cases: [] as Case[], rows: [] as Case[], created: [] },
});

describe.concurrent('a thorough run', () => {
  test('email and name in a member __proto__ break a SHOULD', async () => {
    const service = await startHere(withPeople, mergesPrototypes);
    const kinds = onlyKinds('bodies with email or name in a member __proto__');
    const run = await judgeThoroughly(service, 1, { thorough: kinds }).finally(service.close);
    expect(run.slugs('failed')).toEqual(['create.invalid-status']);
  });

  test('a service that conforms conforms in depth, and the coverage says how deep', async () => {
    const service = await startHere(withPeople);
    // A busy machine may be slow.
    const bounds = { budgetMs: 240_000, maxRequests: 5000 };
    const run = await judgeThoroughly(service, 1, bounds).finally(service.close);
    expect(run.notPassed()).toEqual([]);
    expect(run.coverage).toMatchObject({
      seed: 1,
      bounds: { seconds: 240, requests: 5000, users: 300 },
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
      const bounds = { maxRounds: 1, budgetMs: 240_000 };
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
    const failed = runs.flatMap((run) => run.outcomes.flatMap(({ reason }) => reason));
    expect(failed.filter((reason) => /the (name|address) /.test(reason))).toEqual([]);
  });

  test('a failure is reported by the smallest case, with a path that shows it again', async () => {
    const acceptsSid = alsoAuthorised(({ query }, { key }) => query.get('sid') === key);
    const start = () => startHere(withPeople, acceptsSid);
    const only = ['authentication.key-in-query'];
    const kinds = onlyKinds('the key in the query');
    // The default run also sends the key under these names.
    const service = await start();
    const run = await judgeThoroughly(service, 1, { thorough: kinds }, {}, { only }).finally(
      service.close,
    );
    const results = run.history().results as { name: string }[];
    const [, name = '', path = ''] =
      results
        .map((result) => /^the key in the query as (.*) \(path (.*)\)$/.exec(result.name))
        .find((match) => match !== null) ?? [];
    // fast-check leaves one or two of several names.
    expect(name.split(', ')).toContain('sid');
    expect(name.split(', ').length).toBeLessThanOrEqual(2);
    const again = await start();
    const replayed = await judgeThoroughly(again, 1, { thorough: kinds, path }, {}, { only });
    await again.close();
    const names = (replayed.history().results as { name: string }[]).map((result) => result.name);
    expect(names).toContain(`the key in the query as ${name}`);
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
    const bounds = { budgetMs: 240_000, maxRequests: 2500 };
    const changes = { readOnly: true };
    const run = await judgeThoroughly(service, 1, bounds, changes).finally(service.close);
    expect(run.slugs('failed')).toEqual([]);
    const kinds = Object.values(run.coverage?.kinds ?? {});
    expect(kinds.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);
    expect(run.record.filter(({ request }) => request.method === 'POST')).toEqual([]);
    expect(users).toHaveLength(1);
  });
});
