import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, reportIn } from '../shell.ts';
import { attacks } from './attacks.ts';

const USAGE = new URL('../../bench/usage.mjs', import.meta.url).href;

/** Seconds for a run, and what the start of the process and the end of what is under way may take besides. */
const [DEADLINE, MORE] = [15, 5];

/** Mebibytes at the peak. */
const MEMORY = 500;

interface Usage {
  code: number | null;
  verdict: string | undefined;
  /** Seconds on the clock, and of all processors; mebibytes. */
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
  const began = performance.now();
  const child = spawn(process.execPath, [COMMAND], { cwd: folder, env, stdio: 'ignore' });
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  const wall = (performance.now() - began) / 1000;
  const { cpu, peak } = JSON.parse(readFileSync(file, 'utf8'));
  const verdict = reportIn(folder)?.verdict;
  rmSync(folder, { recursive: true, force: true });
  return { code, verdict, wall, cpu, peak };
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
