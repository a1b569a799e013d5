import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, reportIn } from '../shell.ts';
import { attacks } from './attacks.ts';

const USAGE = new URL('../../bench/usage.mjs', import.meta.url).href;

/** The deadline of a run, in seconds. */
const DEADLINE = 15;

/** Further seconds for requests in flight and for the reports. */
const EXTRA = 5;

/** The memory limit in MiB. A list of 16 MiB of empty objects needs most. */
const MEMORY = 1300;

interface Usage {
  code: number | null;
  verdict: string | undefined;
  /** Seconds of the run, without the start of the process. */
  wall: number;
  /** Seconds of CPU. */
  cpu: number;
  /** The peak of memory in MiB. */
  peak: number;
}

/** Judges a target by the command in another process, and measures that. */
async function measure(target: { baseUrl: string; apiKey: string }): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  const file = join(folder, 'usage.json');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    NODE_OPTIONS: `--import=${USAGE}`,
    BENCH_USAGE_FILE: file,
    BASE_URL: target.baseUrl,
    API_KEY: target.apiKey,
    CONFORMANCE_DEADLINE_MS: `${DEADLINE * 1000}`,
  };
  const child = spawn(process.execPath, [COMMAND], { cwd: folder, env, stdio: 'ignore' });
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  const { cpu, peak } = JSON.parse(readFileSync(file, 'utf8'));
  const { verdict, duration = Number.NaN } = reportIn(folder) ?? {};
  rmSync(folder, { recursive: true, force: true });
  return { code, verdict, wall: duration / 1000, cpu, peak };
}

test.for(attacks)('$name', async ({ patch }, { task }) => {
  const service = await start(patch);
  const { code, verdict, wall, cpu, peak } = await measure(service).finally(service.close);
  const figures = [
    `${Math.round(peak)} MiB`,
    `${wall.toFixed(1)} s`,
    `${cpu.toFixed(1)} s of CPU`,
    `${code} ${verdict}`,
  ];
  process.stdout.write(`${figures.join('\t')}\t${task.name}\n`);
  expect([0, 1, 3]).toContain(code);
  expect(peak).toBeLessThan(MEMORY);
  expect(wall).toBeLessThan(DEADLINE + EXTRA);
});

test('a list of 100,000 users is fetched less often than a short one, and costs a few times as much', async () => {
  const people = (count: number) =>
    Array.from({ length: count }, (_, id) => ({
      id: `p-${id}`,
      email: `p.${id}@example.org`,
      name: `Person ${id}`,
    }));
  const usageOf = async (count: number) => {
    let lists = 0;
    const service = await start((patched) => {
      patched.users.push(...people(count));
      const { list } = patched;
      patched.list = (request) => {
        lists += 1;
        return list(request);
      };
    });
    return { ...(await measure(service).finally(service.close)), lists };
  };
  const short = await usageOf(10);
  const long = await usageOf(100_000);
  process.stdout.write(`${JSON.stringify({ short, long })}\n`);
  expect(long.verdict).toBe('conformant');
  // Half of them are equivalent requests for the list.
  expect(long.lists).toBeLessThanOrEqual(30);
  // A busy machine needs more CPU for everything.
  expect(long.cpu / short.cpu).toBeLessThan(4);
  expect(long.peak).toBeLessThan(450);
});
