import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const USAGE = new URL('./usage.mjs', import.meta.url).href;

/** A program to measure: what is started at the top of the project, with these variables beside the usual ones. */
export interface Case {
  name: string;
  /** What it is to take at most, for the table. */
  atMost?: string;
  command: string[];
  env?: Record<string, string>;
}

/** What one whole process took. */
export interface Usage {
  /** Seconds on the clock, and of all processors. */
  wall: number;
  cpu: number;
  /** Mebibytes. */
  peak: number;
}

/** Runs every case in turn, `rounds` times after one that does not count. Returns the usages of each case, by name. */
export async function measure(cases: Case[], rounds: number): Promise<Map<string, Usage[]>> {
  const usages = new Map<string, Usage[]>(cases.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const one of cases) {
      const usage = await run(one);
      if (round > 0) usages.get(one.name)?.push(usage);
      const which = round === 0 ? 'warm-up' : `${round}/${rounds}`;
      process.stderr.write(`${which} ${one.name}: ${usage.wall.toFixed(2)} s\n`);
    }
  }
  return usages;
}

async function run({ command: [program = '', ...args], env = {} }: Case): Promise<Usage> {
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
  // Of npm the file shows only the last process to end.
  const usage =
    program === process.execPath ? JSON.parse(readFileSync(file, 'utf8')) : { cpu: NaN, peak: NaN };
  rmSync(folder, { recursive: true, force: true });
  return { wall, ...usage };
}

/** The middle value. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = Number.NaN, above = Number.NaN] = sorted.slice(middle - 1);
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : (below + above) / 2;
}
