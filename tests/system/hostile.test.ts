import { describe, expect, test } from 'vitest';
import { RECORD_LIMIT } from '../../src/http/response.ts';
import { decide } from '../../src/verdict/verdict.ts';
import { judgeAll, NEVER_MS } from '../run.ts';
import { hostileTargets } from '../services/hostile.ts';
import { existingUsers } from '../services/patches.ts';
import { start, withPeople } from '../services/service.ts';

describe.concurrent('targets in every state', () => {
  test.for(hostileTargets)('$name: $verdict', async ({ start, verdict, says }) => {
    const target = await start();
    // Targets that never respond need a short timeout.
    const timeoutMs = says.source.includes('no complete response') ? 1500 : NEVER_MS;
    const bounds = { timeoutMs, settleMs: 50, bodyLimit: 4 * 1024 * 1024 };
    const run = await judgeAll(target, bounds).finally(target.close);
    const decision = decide(run.outcomes, { strict: false, knownFailures: [] });
    const reasons = run.notPassed().join('\n');
    expect([verdict].flat(), reasons).toContain(decision.verdict);
    expect(reasons, reasons.slice(0, 600)).toMatch(says);
    expect(JSON.stringify(run)).not.toContain(target.apiKey);
  });
});

test.concurrent('a target that allows 100 requests a second is judged conformant, by slowing down', async () => {
  const service = await start(withPeople, (patched) => {
    const { handle } = patched;
    let second = 0;
    let count = 0;
    patched.handle = (request) => {
      const now = Math.floor(Date.now() / 1000);
      count = now === second ? count + 1 : 1;
      second = now;
      return count > 100 ? { status: 429, headers: { 'retry-after': '1' } } : handle(request);
    };
  });
  const run = await judgeAll(service).finally(service.close);
  expect(run.notPassed()).toEqual([]);
});

test.concurrent('5,000 users are judged without fetching the list again and again', async () => {
  let lists = 0;
  const service = await start((patched) => {
    patched.users.push(...existingUsers(5000));
    const { list } = patched;
    patched.list = (request) => {
      lists += 1;
      return list(request);
    };
  });
  const run = await judgeAll(service).finally(service.close);
  expect(run.notPassed()).toEqual([]);
  expect(lists).toBeLessThan(40);
});

test.concurrent('a user from before the run whose record is longer than other records is retrieved', async () => {
  const service = await start((patched) => {
    const name = `Ää ${'x'.repeat(2 * RECORD_LIMIT)}`;
    patched.users.push({ id: 'long', email: 'long@example.org', name });
  });
  const only = { only: ['retrieve.existing-users'] };
  const run = await judgeAll(service, {}, only);
  expect(run.notPassed()).toEqual([]);
  const limited = await judgeAll(service, { bodyLimit: RECORD_LIMIT }, only).finally(service.close);
  expect(limited.slugs('failed')).toEqual([]);
  expect(limited.slugs('not-verified')).toEqual(['retrieve.existing-users']);
});

test.concurrent('a total beyond 2^53 is not counted with, and said so', async () => {
  const service = await start((patched) => {
    patched.list = () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: `{"data":${JSON.stringify(patched.users.slice(0, 3))},"total":${2n ** 60n + BigInt(patched.users.length)}}`,
    });
    patched.users.push({ id: 'old', email: 'old@example.org', name: 'Old' });
  });
  const run = await judgeAll(service).finally(service.close);
  expect(run.slugs('failed', 'MUST')).toEqual([]);
  const outcome = run.outcomes.find(({ slug }) => slug === 'list.total-counts-creations');
  expect(outcome).toMatchObject({
    outcome: 'not-verified',
    reason: expect.stringContaining('too large to count with'),
  });
});

test.concurrent('the deadline ends a run that would take longer', async () => {
  const service = await start((patched) => {
    const { handle } = patched;
    patched.handle = async (request) => {
      await new Promise((later) => setTimeout(later, 200));
      return handle(request);
    };
  });
  const run = await judgeAll(service, { deadlineMs: 1000 }).finally(service.close);
  expect(run.reasons('failed')).toEqual([]);
  expect(decide(run.outcomes, { strict: false, knownFailures: [] }).verdict).toBe('inconclusive');
  expect(run.outcomes.map(({ reason }) => reason)).toContain('the deadline of the run has passed');
});

test.concurrent('a creation is sent again after 429 and 503 only, never after a lost connection', async () => {
  const attempts = new Map<string, number>();
  const service = await start((patched) => {
    const { write } = patched;
    patched.write = (response, reply, request) => {
      if (request.method !== 'POST' || reply.status !== 201) return write(response, reply, request);
      attempts.set(request.body, (attempts.get(request.body) ?? 0) + 1);
      response.destroy();
    };
  });
  await judgeAll(service).finally(service.close);
  expect(Math.max(...attempts.values())).toBe(1);
});
