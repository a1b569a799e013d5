import { describe, expect, test } from 'vitest';
import { topics } from '../../specs/thorough/index.ts';
import { judgeThoroughly } from '../run.ts';
import { startHere } from '../services/here.ts';
import { withPeople } from '../services/service.ts';

describe.concurrent('a thorough run', () => {
  test('a service that conforms conforms in depth, and the coverage says how deep', async () => {
    const service = await startHere(withPeople);
    // A busy machine takes its time.
    const run = await judgeThoroughly(service, 1, { budgetMs: 240_000 }).finally(service.close);
    expect(run.notPassed()).toEqual([]);
    expect(run.coverage).toMatchObject({ seed: 1, bounds: { seconds: 240, requests: 3000, users: 300 } });
    expect(run.coverage?.users).toBeGreaterThanOrEqual(260);
    expect(run.coverage?.mostAtOnce).toBeGreaterThanOrEqual(40);
    expect(run.coverage?.widestPage).toBeGreaterThanOrEqual(260);
  });

  test('what is drawn follows from the seed', async () => {
    const sent = async (seed: number) => {
      const service = await startHere(withPeople);
      const run = await judgeThoroughly(service, seed, { maxRequests: 450, maxUsers: 50 }).finally(service.close);
      const credentials = run.record.flatMap(({ request }) => request.headers.authorization ?? []);
      return credentials.filter((one) => one.includes('<API_KEY')).sort();
    };
    const [one, again, another] = [await sent(1), await sent(1), await sent(2)];
    expect(again).toEqual(one);
    expect(another).not.toEqual(one);
  });

  test('users whom an earlier run has left are not taken for those of this one', async () => {
    const service = await startHere(withPeople);
    const some = topics.filter(({ what }) => ['two-word names', 'one-word addresses'].includes(what));
    const explore = () => judgeThoroughly(service, 5, { topics: some, rounds: 4 });
    const runs = [await explore(), await explore()];
    await service.close();
    expect(runs.map((run) => run.notPassed())).toEqual([[], []]);
  });

  test('a service that dies while it is explored is not conformant', async () => {
    const service = await startHere(withPeople, (patched) => {
      const { handle } = patched;
      let count = 0;
      patched.handle = (request) => {
        count += 1;
        // The default run is over long before.
        return count > 450 ? new Promise(() => {}) : handle(request);
      };
    });
    const run = await judgeThoroughly(service, 1, { maxRequests: 800, maxUsers: 60 }, { timeoutMs: 500 }).finally(
      service.close,
    );
    expect(run.slugs('not-verified', 'MUST')).toContain('retrieve.repeatable');
    expect(run.slugs('passed')).toContain('versioning.base-address');
  });

  test('in read-only mode it explores by reading alone', async () => {
    let users: unknown[] = [];
    const service = await startHere(withPeople, (patched) => {
      users = patched.users;
    });
    const run = await judgeThoroughly(service, 1, { budgetMs: 240_000, maxRequests: 1500 }, { readOnly: true }).finally(
      service.close,
    );
    expect(run.slugs('failed')).toEqual([]);
    expect(run.slugs('not-verified')).toEqual([]);
    expect(Object.values(run.coverage?.kinds ?? {}).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(50);
    expect(run.record.filter(({ request }) => request.method === 'POST')).toEqual([]);
    expect(users).toHaveLength(1);
  });

  test('the deadline of the run is later by the budget', async () => {
    const service = await startHere(withPeople);
    const run = await judgeThoroughly(service, 1, { maxRequests: 300 }, { deadlineMs: 1 }).finally(service.close);
    expect(run.slugs('not-verified')).toEqual([]);
  });
});
