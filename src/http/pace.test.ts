import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type MadeClock, madeClock } from '../../tests/made-clock.ts';
import { type Deadline, Ended, makeDeadline } from './deadline.ts';
import { CONCURRENCY, makePace, PATIENCE_MS, type Pace, RETRY_PAUSE_MS } from './pace.ts';

let clock: MadeClock;
let deadline: Deadline;
let pace: Pace;

beforeEach(() => {
  clock = madeClock();
  deadline = makeDeadline(60_000, clock);
  pace = makePace(deadline);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns how many requests the pace sends concurrently. */
async function measureConcurrency(): Promise<number> {
  let inFlight = 0;
  let most = 0;
  const send = async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
    inFlight -= 1;
  };
  await Promise.all(Array.from({ length: 2 * CONCURRENCY }, () => pace.enqueue(send)));
  return most;
}

test('many requests are concurrent, in the order of the calls', async () => {
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  const sent: number[] = [];
  await Promise.all(numbers.map((number) => pace.enqueue(async () => sent.push(number))));
  expect(sent).toEqual(numbers);
  expect(await measureConcurrency()).toBe(CONCURRENCY);
});

describe('after a 429 or 503', () => {
  test('all requests wait until the pause is over', async () => {
    expect(pace.noteThrottled(429, undefined)).toBeUndefined();
    const before = clock.now();
    const sentAt = await pace.enqueue(async () => clock.now());
    expect(sentAt).toBe(before + RETRY_PAUSE_MS);
  });

  test.each([
    ['3', 3000],
    ['0', RETRY_PAUSE_MS],
    ['0.5', 500],
    ['soon', RETRY_PAUSE_MS],
    ['-1', RETRY_PAUSE_MS],
    ['Thu, 01 Jan 1970 00:00:00 GMT', RETRY_PAUSE_MS],
    [undefined, RETRY_PAUSE_MS],
  ])('Retry-After %s is a pause of %d ms', async (retryAfter, pause) => {
    pace.noteThrottled(429, retryAfter);
    await pace.enqueue(async () => {});
    expect(clock.pauses).toEqual([pause]);
  });

  test('Retry-After may be a date', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(new Date('2026-01-02T03:04:05Z'));
    pace.noteThrottled(429, 'Fri, 02 Jan 2026 03:04:09 GMT');
    await pace.enqueue(async () => {});
    expect(clock.pauses).toEqual([4000]);
  });

  test('the pause grows each time, and is short again after another response', async () => {
    for (const factor of [1, 2, 4, 8]) {
      pace.noteThrottled(429, '0');
      await pace.enqueue(async () => {});
      expect(clock.pauses.at(-1)).toBe(factor * RETRY_PAUSE_MS);
    }
    pace.noteResponse();
    pace.noteThrottled(429, '0');
    await pace.enqueue(async () => {});
    expect(clock.pauses.at(-1)).toBe(RETRY_PAUSE_MS);
  });

  test('one request is sent at a time; then more again, but later each time', async () => {
    for (let times = 0; times < 10; times += 1) pace.noteThrottled(429, '0');
    expect(await measureConcurrency()).toBe(1);
    for (let responses = 0; responses < 2; responses += 1) pace.noteResponse();
    expect(await measureConcurrency()).toBe(2);
    pace.noteThrottled(429, '0');
    expect(await measureConcurrency()).toBe(1);
    for (let responses = 0; responses < 4; responses += 1) pace.noteResponse();
    expect(await measureConcurrency()).toBe(2);
    for (let responses = 0; responses < 1000; responses += 1) pace.noteResponse();
    expect(await measureConcurrency()).toBe(CONCURRENCY);
  });

  test('at least one request is sent, after any number of them', async () => {
    pace = makePace(makeDeadline(600_000, clock));
    for (let times = 0; times < 10; times += 1) {
      pace.noteThrottled(429, '0');
      clock.advance(4000);
      pace.noteResponse();
    }
    expect(await measureConcurrency()).toBeGreaterThanOrEqual(1);
  });
});

describe('a limit on the rate', () => {
  /** Sends requests one at a time. Each takes 1 ms, and is sent again if it comes too early. */
  async function sendAll(count: number, isAccepted: (sinceLast: number) => boolean) {
    let last = -Infinity;
    let rejected = 0;
    for (let sent = 0; sent < count; ) {
      await pace.enqueue(async () => clock.advance(1));
      if (isAccepted(clock.now() - last)) {
        pace.noteResponse();
        last = clock.now();
        sent += 1;
      } else {
        pace.noteThrottled(503, undefined);
        rejected += 1;
      }
    }
    return rejected;
  }

  test.each([5, 10, 20, 50, 200])(
    'of %d a second costs at most three times its time',
    async (rate) => {
      pace = makePace(makeDeadline(600_000, clock));
      const interval = 1000 / rate;
      const rejected = await sendAll(300, (sinceLast) => sinceLast >= interval);
      expect(rejected).toBeLessThan(20);
      expect(clock.now()).toBeLessThan(3 * 300 * interval + 2000);
    },
  );

  test('is none if requests are rejected however slow they are', async () => {
    pace = makePace(makeDeadline(600_000, clock));
    let sent = 0;
    await sendAll(300, () => {
      sent += 1;
      return sent % 3 > 0;
    });
    const before = clock.now();
    await sendAll(100, () => true);
    expect(clock.now() - before).toBeLessThan(1000);
  });
});

describe('the target is given up', () => {
  test('if the retry is due after the deadline', () => {
    expect(pace.noteThrottled(429, '60')).toBe(
      "the target returned 429 and asks to retry after 60 s, past the run's deadline",
    );
  });

  test('at once if it asks for more than a minute, as after wrong keys', () => {
    pace = makePace(makeDeadline(600_000, clock));
    pace.noteResponse();
    const reason = 'the target returned 429 and locks the suite out for 61 s';
    expect(pace.noteThrottled(429, '61')).toBe(reason);
  });

  test.each([undefined, '60'])(
    'after seconds of nothing but 503, Retry-After: %s',
    async (after) => {
      pace = makePace(makeDeadline(600_000, clock));
      let reason: string | undefined;
      while (reason === undefined) {
        reason = pace.noteThrottled(503, after);
        if (reason === undefined) await pace.enqueue(async () => {});
      }
      expect(reason).toBe('the service answers 503 to everything: is it in maintenance?');
      expect(clock.now()).toBeLessThan(10_000);
    },
  );

  test('if there is no other response for long', async () => {
    let reason: string | undefined;
    for (let times = 0; times < 100 && reason === undefined; times += 1) {
      reason = pace.noteThrottled(429, '1');
      if (reason === undefined) await pace.enqueue(async () => {});
    }
    expect(reason).toMatch(/^the target returned 429 and has returned nothing else for \d+ s$/);
    expect(clock.now()).toBeGreaterThan(PATIENCE_MS / 2);
    expect(clock.now()).toBeLessThanOrEqual(PATIENCE_MS);
  });
});

test('when the run is over nothing is sent', async () => {
  deadline.end('the run was interrupted');
  let sent = false;
  const send = async () => {
    sent = true;
  };
  await expect(pace.enqueue(send)).rejects.toThrow(Ended);
  expect(sent).toBe(false);
});
