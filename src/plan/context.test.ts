import { describe, expect, test } from 'vitest';
import type { Client } from '../http/client.ts';
import { Context, SETTLE_PAUSE_MS } from './context.ts';
import { Missing } from './evidence.ts';

/** A run on a clock of its own: pauses take no time, looks as long as they say. */
function onAClock({ settleMs = 100, readOnly = false } = {}) {
  let now = 0;
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
    now += milliseconds;
  };
  const client = { now: () => now, deadline: { pause } } as unknown as Client;
  const run = new Context(client, 'http://127.0.0.1/v1', { settleMs, readOnly, emailDomain: 'example.com' });
  const begun: number[] = [];
  /** Counts the looks; each takes so long. */
  const look = (takes = 0) => {
    return async () => {
      begun.push(now);
      now += takes;
      return begun.length;
    };
  };
  return { run, look, pauses, begun };
}

describe('waiting until something is there', () => {
  test('takes one look where it is there', async () => {
    const { run, look, pauses } = onAClock();
    expect(await run.until(look(), () => true)).toBe(1);
    expect(pauses).toEqual([]);
  });

  test('looks again with a growing pause, and no more once it is there', async () => {
    const { run, look, pauses } = onAClock({ settleMs: 1000 });
    expect(await run.until(look(), (value) => value === 4)).toBe(4);
    expect(pauses).toEqual([SETTLE_PAUSE_MS, 2 * SETTLE_PAUSE_MS, 4 * SETTLE_PAUSE_MS]);
  });

  test('gives what it sees when the settle time has passed, and the last look begins after that', async () => {
    const { run, look, begun } = onAClock({ settleMs: 100 });
    await run.until(look(), () => false);
    expect(begun.at(-1)).toBeGreaterThanOrEqual(100);
    expect(begun.at(-2)).toBeLessThan(100);
  });

  test('takes the last look after the settle time also where each takes longer than that', async () => {
    const { run, look, begun } = onAClock({ settleMs: 100 });
    await run.until(look(5000), () => false);
    expect(begun).toHaveLength(2);
    expect(begun.at(-1)).toBeGreaterThanOrEqual(100);
  });

  test('counts from when the cause was over: what is old enough is looked at once', async () => {
    const { run, look, begun, pauses } = onAClock({ settleMs: 100 });
    await run.until(look(), () => false, -100);
    expect(begun).toHaveLength(1);
    expect(pauses).toEqual([]);
  });

  test('waits not at all where nothing may lag', async () => {
    const { run, look, begun } = onAClock({ settleMs: 0 });
    await run.until(look(), () => false);
    expect(begun).toHaveLength(1);
  });

  test('ends with what a look throws', async () => {
    const { run } = onAClock();
    const failing = () => Promise.reject(new Missing('no response'));
    await expect(run.until(failing, () => false)).rejects.toThrow('no response');
  });
});

test('a read-only run enters and sends no creation', async () => {
  const { run } = onAClock({ readOnly: true });
  const user = { email: 'a@example.com', name: 'Ada Lovelace' };
  const creation = { what: 'a user', fate: 'must' as const, inCompany: false, user, traces: user };
  await expect(run.create(creation, run.listing())).rejects.toMatchObject({ excluded: true });
  expect(run.ledger.creations).toEqual([]);
});
