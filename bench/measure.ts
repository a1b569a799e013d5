import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const USAGE = new URL('./usage.mjs', import.meta.url).href;

/** A program to measure. */
export interface Benchmark {
  name: string;
  /** The limits to meet, such as `10 s, 130 MiB`. */
  atMost?: string;
  /** The program and its arguments, run in the root of the project. */
  command: string[];
  /** Variables of the environment besides the usual ones. */
  env?: Record<string, string>;
}

/** The resources that one process used. */
export interface Usage {
  /** Elapsed time in seconds. */
  wall: number;
  /** Time of all processors in seconds. */
  cpu: number;
  /** The most memory, in mebibytes. */
  peak: number;
}

/**
 * Runs all benchmarks in turn, in one warm-up round and then `rounds` times. Returns the usages by
 * name.
 */
export async function measure(
  benchmarks: Benchmark[],
  rounds: number,
): Promise<Map<string, Usage[]>> {
  const usages = new Map<string, Usage[]>(benchmarks.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const benchmark of benchmarks) {
      const usage = await run(benchmark);
      if (round > 0) usages.get(benchmark.name)?.push(usage);
      const label = round === 0 ? 'warm-up' : `${round}/${rounds}`;
      process.stderr.write(`${label} ${benchmark.name}: ${usage.wall.toFixed(2)} s\n`);
    }
  }
  return usages;
}

async function run({ command: [program = '', ...args], env = {} }: Benchmark): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(folder, 'usage.json');
  const variables = {
    PATH: process.env.PATH ?? '',
    HOME: process.env.HOME ?? folder,
    NODE_OPTIONS: `--import=${USAGE}`,
    BENCH_USAGE_FILE: file,
    CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
    ...env,
  };
  const started = performance.now();
  const child = spawn(program, args, { cwd: ROOT, env: variables, stdio: 'ignore' });
  await new Promise((ended) => child.once('close', ended));
  const wall = (performance.now() - started) / 1000;
  // npm starts several processes, and the file would show only the last one to end.
  const usage =
    program === process.execPath ? JSON.parse(readFileSync(file, 'utf8')) : { cpu: NaN, peak: NaN };
  rmSync(folder, { recursive: true, force: true });
  return { wall, ...usage };
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = Number.NaN, above = Number.NaN] = sorted.slice(middle - 1);
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : (below + above) / 2;
}
