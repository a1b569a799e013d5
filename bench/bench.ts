import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Running } from '../tests/services/listen.ts';
import { type Case, measure, median, type Usage } from './measure.ts';
import { large, slow } from './services.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const VITEST = [process.execPath, path('../node_modules/vitest/vitest.mjs'), 'run'];
const COMMAND = [process.execPath, path('../bin/user-management-conformance.mjs')];

const LATENCIES = [100, 300];
const LISTS = [0, 25_000, 50_000, 100_000];

const BARE = 'an empty spec, a bare Vitest';
const REFERENCE = 'vitest run, the embedded reference';
const BY_COMMAND = 'the command, the embedded reference';
const SHORT = ['--version', '--help', '--list'];
const byNode = (flag: string) => `node bin/user-management-conformance.mjs ${flag}`;
const NPX_VERSION = 'npx user-management-conformance --version';
const TESTS = 'npm test';
const atLatency = (milliseconds: number) => `${milliseconds} ms for each answer`;
const withUsers = (users: number) => `${users.toLocaleString('en')} users in the list`;

const against = ({ baseUrl, apiKey }: Running) => ({ BASE_URL: baseUrl, API_KEY: apiKey });

/** `npm run bench`: measures whole processes, prints the tables and, with --write, puts them into docs/performance.md. */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      tests: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  const delayed = await Promise.all(LATENCIES.map(slow));
  const lists = await Promise.all(LISTS.map(large));
  const cases: Case[] = [
    { name: BARE, command: [...VITEST, '--config', 'bench/bare.config.ts'] },
    { name: REFERENCE, command: VITEST },
    { name: BY_COMMAND, command: COMMAND },
    ...delayed.map((target, index) => ({
      name: atLatency(LATENCIES[index] as number),
      command: COMMAND,
      env: against(target),
    })),
    ...lists.map((target, index) => ({
      name: withUsers(LISTS[index] as number),
      command: COMMAND,
      env: against(target),
    })),
    ...SHORT.map((flag) => ({ name: byNode(flag), command: [...COMMAND, flag] })),
    { name: NPX_VERSION, command: ['npx', 'user-management-conformance', '--version'] },
    ...(values.tests ? [{ name: TESTS, command: ['npm', 'test'] }] : []),
  ];
  const usages = await measure(cases, rounds).finally(() =>
    Promise.all([...delayed, ...lists].map(({ close }) => close())),
  );
  const fetches = Math.max(...lists.map((list) => list.lists() / (rounds + 1)));
  const text = tables(usages, rounds, fetches);
  process.stdout.write(`${text}\n`);
  if (values.write) writeBetweenMarks(path('../docs/performance.md'), text);
}

function tables(usages: Map<string, Usage[]>, rounds: number, fetches: number): string {
  const of = (name: string, value: (usage: Usage) => number) => median((usages.get(name) as Usage[]).map(value));
  const seconds = (name: string) => of(name, ({ wall }) => wall);
  const cpu = (name: string) => of(name, (usage) => usage.cpu);
  const number = (value: number, digits: number, unit: string) =>
    Number.isNaN(value) ? '' : `${value.toFixed(digits)} ${unit}`;
  const rows = [...usages.keys()].map((name) =>
    [
      name,
      number(seconds(name), 2, 's'),
      number(seconds(name) / seconds(BARE), 2, '×'),
      number(cpu(name), 2, 's'),
      number(
        of(name, ({ peak }) => peak),
        0,
        'MiB',
      ),
    ].join(' | '),
  );
  const most = withUsers(LISTS.at(-1) as number);
  const { requests = 0, users } = usages.get(REFERENCE)?.[0]?.report ?? {};
  const aims: [string, string, string][] = [
    [
      'a run against the embedded reference',
      `${(seconds(BY_COMMAND) / seconds(BARE)).toFixed(2)} ×`,
      '2.0 × an empty spec under a bare Vitest',
    ],
    ...LATENCIES.map((latency, index): [string, string, string] => [
      `a run at ${atLatency(latency)}`,
      number(seconds(atLatency(latency)), 2, 's'),
      number([2, 4][index] as number, 1, 's'),
    ]),
    [`fetches of a list of ${most.replace(' in the list', '')}`, `${Number(fetches.toFixed(1))}`, '4'],
    ['CPU for it, more than for an empty list', number(cpu(most) - cpu(withUsers(0)), 2, 's'), '1.0 s'],
    [
      'its peak memory',
      number(
        of(most, ({ peak }) => peak),
        0,
        'MiB',
      ),
      '350 MiB',
    ],
    ['requests of a default run', `${requests}`, '200'],
    ['users created by it', `${users?.created ?? 0}`, '30'],
    ...(usages.has(TESTS) ? [['`npm test`', number(seconds(TESTS), 1, 's'), '45 s'] as [string, string, string]] : []),
    ...SHORT.map((flag): [string, string, string] => [
      `\`${flag}\` by node`,
      number(seconds(byNode(flag)), 2, 's'),
      '0.15 s',
    ]),
  ];
  const [processor] = cpus();
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}, ${availableParallelism()} cores (${processor?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB: medians of ${rounds} rounds in turn, after one that does not count. ${busy()}`,
    '',
    '| what | measured | at most |',
    '| --- | ---: | ---: |',
    ...aims.map((aim) => `| ${aim.join(' | ')} |`),
    '',
    '| process | wall | ratio | CPU | peak memory |',
    '| --- | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
}

/** How much else the machine had to do: on a busy one every time is longer, and most of all those of several threads. */
function busy(): string {
  return `The load average was ${loadavg()[1]?.toFixed(1)} at the end; this benchmark alone makes about ${availableParallelism()}.`;
}

function writeBetweenMarks(file: string, text: string): void {
  const [before, rest = ''] = readFileSync(file, 'utf8').split('<!-- bench -->\n');
  const [, after = ''] = rest.split('<!-- /bench -->\n');
  writeFileSync(file, `${before}<!-- bench -->\n${text}\n<!-- /bench -->\n${after}`);
}
