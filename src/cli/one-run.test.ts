import v8 from 'node:v8';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchMemory } from './one-run.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a lack of memory is reported once, in one sentence', () => {
  const heap = {
    ...v8.getHeapStatistics(),
    used_heap_size: 2 ** 20,
    heap_size_limit: 100 * 2 ** 20,
  };
  vi.spyOn(v8, 'getHeapStatistics').mockReturnValue(heap);
  const messages: string[] = [];
  watchMemory(({ message }) => messages.push(message));
  vi.advanceTimersByTime(10_000);
  expect(messages).toEqual([]);
  heap.used_heap_size = 99 * 2 ** 20;
  vi.advanceTimersByTime(10_000);
  expect(messages).toEqual(['nearly all of the 100 MiB of memory that Node may use are taken.']);
});
