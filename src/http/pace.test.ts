import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type MadeClock, madeClock } from '../../tests/made-clock.ts';
import { type Deadline, deadlineIn, Ended } from './deadline.ts';
import { CONCURRENCY, PATIENCE_MS, paceBy, RETRY_PAUSE_MS } from './pace.ts';

let clock: MadeClock;
let deadline: Deadline;
let pace: ReturnType<typeof paceBy>;

beforeEach(() => {
  clock = madeClock();
  deadline = deadlineIn(60_000, clock);
  pace = paceBy(deadline);
});
afterEach(() => {
  vi.useRealTimers();
});

/** How many requests the pace lets go out at the same time. */
async function atTheSameTime(): Promise<number> {
  let [underWay, most] = [0, 0];
  const send = async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
    underWay -= 1;
  };
  await Promise.all(Array.from({ length: 2 * CONCURRENCY }, () => pace.take(send)));
  return most;
}

test('many requests are under way at a time, in the order of the calls', async () => {
  const sent: number[] = [];
  await Promise.all(
    Array.from({ length: 100 }, (_, index) => pace.take(async () => sent.push(index))),
  );
  expect(sent).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(await atTheSameTime()).toBe(CONCURRENCY);
});

describe('where the target asks to wait', () => {
  test('all requests are held back until the pause is over', async () => {
    expect(pace.noteRefusal(undefined)).toBeUndefined();
    const [before, sentAt] = [clock.now(), pace.take(async () => clock.now())];
    expect(await sentAt).toBe(before + RETRY_PAUSE_MS);
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
    pace.noteRefusal(retryAfter);
    await pace.take(async () => {});
    expect(clock.pauses).toEqual([pause]);
  });

  test('Retry-After may be a date', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(new Date('2026-01-02T03:04:05Z'));
    pace.noteRefusal('Fri, 02 Jan 2026 03:04:09 GMT');
    await pace.take(async () => {});
    expect(clock.pauses).toEqual([4000]);
  });

  test('the pause grows with each refusal, and is short again after an answer', async () => {
    for (const factor of [1, 2, 4, 8]) {
      pace.noteRefusal('0');
      await pace.take(async () => {});
      expect(clock.pauses.at(-1)).toBe(factor * RETRY_PAUSE_MS);
    }
    pace.noteAnswer();
    pace.noteRefusal('0');
    await pace.take(async () => {});
    expect(clock.pauses.at(-1)).toBe(RETRY_PAUSE_MS);
  });

  test('one goes out at a time; then more again, and later so after each refusal', async () => {
    for (let together = 0; together < 10; together += 1) pace.noteRefusal('0');
    expect(await atTheSameTime()).toBe(1);
    for (let answers = 0; answers < 2; answers += 1) pace.noteAnswer();
    expect(await atTheSameTime()).toBe(2);
    pace.noteRefusal('0');
    expect(await atTheSameTime()).toBe(1);
    for (let answers = 0; answers < 4; answers += 1) pace.noteAnswer();
    expect(await atTheSameTime()).toBe(2);
    for (let answers = 0; answers < 1000; answers += 1) pace.noteAnswer();
    expect(await atTheSameTime()).toBe(CONCURRENCY);
  });

  test('at least one goes out, however often it is refused', async () => {
    for (let times = 0; times < 10; times += 1) {
      pace.noteRefusal('0');
      clock.advance(4000);
      pace.noteAnswer();
    }
    expect(await atTheSameTime()).toBeGreaterThanOrEqual(1);
  });
});

describe('there is no more hope', () => {
  test('where it asks for longer than the run may take', () => {
    expect(pace.noteRefusal('61')).toBe("asks to retry after 61 s, past the run's deadline");
  });

  test('where nothing else has come for long', async () => {
    let why: string | undefined;
    for (let times = 0; times < 100 && why === undefined; times += 1) {
      why = pace.noteRefusal('1');
      if (why === undefined) await pace.take(async () => {});
    }
    expect(why).toMatch(/^has returned nothing else for \d+ s$/);
    expect(clock.now()).toBeGreaterThanOrEqual(PATIENCE_MS);
  });
});

test('when the run is over nothing goes out', async () => {
  deadline.end('the run was interrupted');
  let sent = false;
  const send = async () => {
    sent = true;
  };
  await expect(pace.take(send)).rejects.toThrow(Ended);
  expect(sent).toBe(false);
});
