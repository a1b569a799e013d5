import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { start } from '../services/service.ts';
import { COMMAND, reportIn } from '../shell.ts';
import { attacks } from './attacks.ts';

const USAGE = new URL('../../bench/usage.mjs', import.meta.url).href;
const DEADLINE = 15;

async function judged(target: { baseUrl: string; apiKey: string }) {
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
  const code = await new Promise((ended) => child.once('close', ended));
  const wall = (performance.now() - began) / 1000;
  const usage = JSON.parse(readFileSync(file, 'utf8'));
  const report = reportIn(folder);
  rmSync(folder, { recursive: true, force: true });
  return { code, wall, ...usage, verdict: report?.verdict };
}

describe('bounds', () => {
  for (const { name, patch } of attacks) {
    test(name, async () => {
      const service = await start(patch);
      const { code, wall, cpu, peak, verdict } = await judged(service).finally(service.close);
      process.stdout.write(
        `${peak.toFixed(0).padStart(5)} MiB ${wall.toFixed(1).padStart(5)} s ${cpu.toFixed(1).padStart(5)} s CPU  ${code} ${verdict}  ${name}\n`,
      );
      expect([0, 1, 3]).toContain(code);
      expect(peak).toBeLessThan(500);
      expect(wall).toBeLessThan(DEADLINE + 5);
    });
  }
});
