import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, reportIn } from '../shell.ts';
import { attacks } from './attacks.ts';

const USAGE = new URL('../../bench/usage.mjs', import.meta.url).href;

/** Seconds for a run, and what the end of what is under way and the reports may take besides. */
const [DEADLINE, MORE] = [15, 5];

/** Mebibytes at the peak: a list of 16 MiB may be of empty objects alone. */
const MEMORY = 1300;

interface Usage {
  code: number | null;
  verdict: string | undefined;
  /** Seconds of the run on the clock, without the start of the process, and of all processors; mebibytes. */
  wall: number;
  cpu: number;
  peak: number;
}

/** Judges a target by the command in a process of its own, and measures that. */
async function measured(target: { baseUrl: string; apiKey: string }): Promise<Usage> {
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
  const { code, verdict, wall, cpu, peak } = await measured(service).finally(service.close);
  const figures = [
    `${Math.round(peak)} MiB`,
    `${wall.toFixed(1)} s`,
    `${cpu.toFixed(1)} s of CPU`,
    `${code} ${verdict}`,
  ];
  process.stdout.write(`${figures.join('\t')}\t${task.name}\n`);
  expect([0, 1, 3]).toContain(code);
  expect(peak).toBeLessThan(MEMORY);
  expect(wall).toBeLessThan(DEADLINE + MORE);
});

test('a list of 100,000 users costs five fetches, and little more than a short one', async () => {
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
    return { ...(await measured(service).finally(service.close)), lists };
  };
  const [short, long] = [await usageOf(10), await usageOf(100_000)];
  process.stdout.write(`${JSON.stringify({ short, long })}\n`);
  expect(long.verdict).toBe('conformant');
  // One is answered to another writing of the credentials, and not read to its end.
  expect(long.lists).toBeLessThanOrEqual(5);
  // Seconds; on a busy machine everything costs more.
  expect(long.cpu - short.cpu).toBeLessThan(1.5);
  expect(long.peak).toBeLessThan(350);
});
