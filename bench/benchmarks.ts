import { join } from 'node:path';
import type { Benchmark } from './measure.ts';
import { large, longName, plain, slow, wide } from './services.ts';
import type { Tree } from './trees.ts';

const commandIn = ({ command }: Tree) => [process.execPath, command];

const vitestIn = ({ root }: Tree) => [
  process.execPath,
  join(root, 'node_modules/vitest/vitest.mjs'),
  'run',
];

/** The row with which the rows of large responses are compared. */
export const plainRun: Benchmark = {
  name: 'a plain service, no delay',
  commandIn,
  startService: plain,
};

/** The rows of large responses. A run should cost at most three times a plain one. */
export const largeRuns: Benchmark[] = [
  {
    name: '20,000 users in the list',
    commandIn,
    startService: () => large(20_000),
    atMost: { timesPlain: 3 },
  },
  { name: '100,000 users in the list', commandIn, startService: () => large(100_000) },
  { name: '300 further members of each user', commandIn, startService: () => wide(300) },
  {
    name: '1,000 further members of each user',
    commandIn,
    startService: () => wide(1000),
    atMost: { timesPlain: 3 },
  },
  {
    name: 'a user with a name of 16 MB',
    commandIn,
    startService: () => longName(16_000_000),
    atMost: { timesPlain: 3 },
  },
];

/** The rows of the table. */
export const benchmarks: Benchmark[] = [
  {
    name: 'the command, the embedded reference, all reports',
    commandIn,
    atMost: { peak: 130 },
  },
  { name: '`vitest run`, the same', commandIn: vitestIn },
  plainRun,
  {
    name: '100 ms for each response',
    commandIn,
    startService: () => slow(100),
    atMost: { wall: 12 },
  },
  {
    name: '300 ms for each response',
    commandIn,
    startService: () => slow(300),
    atMost: { wall: 36 },
  },
  ...largeRuns,
  {
    name: '`--list`',
    commandIn: (tree) => [...commandIn(tree), '--list'],
    atMost: { wall: 0.15 },
  },
];

/** A row that takes minutes. */
export const testRun: Benchmark = {
  name: '`npm test`',
  commandIn: () => ['npm', 'test'],
  atMost: { wall: 300 },
};
