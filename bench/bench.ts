import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Running } from '../tests/services/listen.ts';
import { type Benchmark, measure, median, type Usage } from './measure.ts';
import { large, slow } from './services.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const VITEST = [process.execPath, path('../node_modules/vitest/vitest.mjs'), 'run'];
const COMMAND = [process.execPath, path('../bin/user-management-conformance.mjs')];

const BARE = 'a bare Vitest with an empty spec';
const USERS = 100_000;

/** Measures whole processes in turn and prints a table. */
export async function main(args: string[]): Promise<void> {
  const options = {
    rounds: { type: 'string', default: '5' },
    tests: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  const [near, far, many] = await Promise.all([slow(100), slow(300), large(USERS)]);
  const against = ({ baseUrl, apiKey }: Running) => ({
    command: COMMAND,
    env: { BASE_URL: baseUrl, API_KEY: apiKey },
  });
  const benchmarks: Benchmark[] = [
    { name: BARE, command: [...VITEST, '--config', 'bench/bare.config.ts'] },
    {
      name: 'the command, the embedded reference, all reports',
      atMost: '130 MiB',
      command: COMMAND,
    },
    { name: '`vitest run`, the same', command: VITEST },
    { name: '100 ms for each response', atMost: '10 s', ...against(near) },
    { name: '300 ms for each response', atMost: '30 s', ...against(far) },
    { name: `${USERS.toLocaleString('en')} users in the list`, ...against(many) },
    { name: '`--list`', atMost: '0.15 s', command: [...COMMAND, '--list'] },
    ...(values.tests
      ? [{ name: '`npm test`', atMost: '60 s, 110 s CPU', command: ['npm', 'test'] }]
      : []),
  ];
  const usages = await measure(benchmarks, Number(values.rounds)).finally(() =>
    Promise.all([near, far, many].map(({ close }) => close())),
  );
  process.stdout.write(`${table(benchmarks, usages, values.rounds)}\n`);
}

function table(benchmarks: Benchmark[], usages: Map<string, Usage[]>, rounds: string): string {
  const medianOf = (name: string, resource: keyof Usage) =>
    median((usages.get(name) as Usage[]).map((usage) => usage[resource]));
  const rows = benchmarks.map(({ name, atMost = '' }) => {
    const wall = medianOf(name, 'wall');
    const ratio = wall / medianOf(BARE, 'wall');
    const cpu = medianOf(name, 'cpu');
    const peak = medianOf(name, 'peak');
    const cells = [
      name,
      withUnit(wall, 2, 's'),
      withUnit(ratio, 2, '×'),
      withUnit(cpu, 2, 's'),
      withUnit(peak, 0, 'MiB'),
      markMissed(atMost, { s: wall, '×': ratio, 's CPU': cpu, MiB: peak }),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const [processor] = cpus();
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores (${processor?.model.trim()})`;
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} with ${machine}: medians of ${rounds} rounds in turn, after one that does not count. The load average was ${loadavg()[1]?.toFixed(1)} at the end; this benchmark alone makes about 2.`,
    '',
    '| process | wall | ratio | CPU | peak memory | aim, at most |',
    '| --- | ---: | ---: | ---: | ---: | --- |',
    ...rows,
  ].join('\n');
}

const withUnit = (value: number, digits: number, unit: string) =>
  Number.isNaN(value) ? '' : `${value.toFixed(digits)} ${unit}`;

/** Marks those of the limits, such as `1.4 ×, 1.0 s CPU`, that a measured value exceeds. */
function markMissed(atMost: string, measured: Record<string, number>): string {
  const limits = atMost.split(', ').map((limit) => {
    const [most = '', ...unit] = limit.split(' ');
    return (measured[unit.join(' ')] ?? 0) > Number(most) ? `${limit} (missed)` : limit;
  });
  return limits.join(', ');
}
