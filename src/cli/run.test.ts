import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchMemory } from './run.ts';

const heap = vi.hoisted(() => ({ used_heap_size: 2 ** 20, heap_size_limit: 100 * 2 ** 20 }));
vi.mock('node:v8', () => ({ getHeapStatistics: () => heap }));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('nearly all of the memory in use is told once, in one sentence', () => {
  const told: string[] = [];
  watchMemory(({ message }) => told.push(message));
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual([]);
  heap.used_heap_size = 99 * 2 ** 20;
  vi.advanceTimersByTime(10_000);
  expect(told).toEqual(['nearly all of the 100 MiB of memory that Node may use are taken.']);
});
