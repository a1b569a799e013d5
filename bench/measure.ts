import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Running } from '../tests/services/listen.ts';
import type { Tree } from './trees.ts';

const USAGE = new URL('./usage.mjs', import.meta.url).href;

/** A program to measure. */
export interface Benchmark {
  name: string;
  /** Returns the program of a tree and its arguments, run in the root of the tree. */
  commandIn: (tree: Tree) => string[];
  /** Starts the service to judge, if the program does not start one itself. */
  startService?: () => Promise<Running>;
  /** The limits to meet in this tree. */
  atMost?: Limits;
}

/** The most that a benchmark may use, in the units of `Usage`. */
export interface Limits extends Partial<Usage> {
  /** Its CPU time divided by that of a plain run. */
  timesPlain?: number;
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

/** One measured process. */
export interface Sample {
  benchmark: Benchmark;
  tree: Tree;
  usage: Usage;
  /** The exit code; null after a signal. */
  exitCode: number | null;
}

interface Settings {
  /** The trees to measure in turn. */
  trees: Tree[];
  rounds: number;
  /** The temporary folder of the reports. */
  folder: string;
  /** Ends the measurement early. */
  signal: AbortSignal;
}

/**
 * Runs each benchmark in each tree in turn, in one warm-up round and then `rounds` times. Returns a
 * sample of each process, except those of the warm-up.
 */
export async function measure(benchmarks: Benchmark[], settings: Settings): Promise<Sample[]> {
  const { trees, rounds } = settings;
  const samples: Sample[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const label = round === 0 ? 'warm-up' : `${round}/${rounds}`;
    for (const benchmark of benchmarks) {
      for (const tree of trees) {
        const sample = await takeSample(benchmark, tree, settings);
        if (round > 0) samples.push(sample);
        const wall = sample.usage.wall.toFixed(2);
        process.stderr.write(`${label} ${benchmark.name}, ${tree.name}: ${wall} s\n`);
      }
    }
  }
  return samples;
}

/**
 * Runs a benchmark once. Each run has a service of its own: one that is reused has more users each
 * time.
 */
async function takeSample(
  benchmark: Benchmark,
  tree: Tree,
  { folder, signal }: Settings,
): Promise<Sample> {
  const runFolder = mkdtempSync(join(folder, 'run-'));
  const service = await benchmark.startService?.();
  try {
    const [program = '', ...args] = benchmark.commandIn(tree);
    const env = variablesFor(runFolder, service);
    const started = performance.now();
    const exitCode = await exitCodeOf(
      spawn(program, args, { cwd: tree.root, env, stdio: 'ignore', signal }),
    );
    const wall = (performance.now() - started) / 1000;
    signal.throwIfAborted();
    // npm starts several processes, and the file would show only the last one to end.
    const usage = program === 'npm' ? UNKNOWN : readUsage(runFolder);
    return { benchmark, tree, exitCode, usage: { wall, ...usage } };
  } finally {
    await service?.close();
    rmSync(runFolder, { recursive: true, force: true });
  }
}

function variablesFor(folder: string, service: Running | undefined): NodeJS.ProcessEnv {
  const variables = {
    PATH: process.env.PATH,
    HOME: process.env.HOME ?? folder,
    NODE_OPTIONS: `--import=${USAGE}`,
    BENCH_USAGE_FILE: usageFile(folder),
    CONFORMANCE_REPORT_DIR: join(folder, 'reports'),
  };
  if (service === undefined) return variables;
  return { ...variables, BASE_URL: service.baseUrl, API_KEY: service.apiKey };
}

function exitCodeOf(child: ChildProcess): Promise<number | null> {
  // An interrupted process has an error, which would end this one. It is closed afterwards.
  child.on('error', () => {});
  return new Promise((ended) => child.once('close', ended));
}

const usageFile = (folder: string) => join(folder, 'usage.json');

/** Returns what the process wrote at its end. It writes nothing if a signal ends it. */
function readUsage(folder: string): typeof UNKNOWN {
  const file = usageFile(folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : UNKNOWN;
}

const UNKNOWN = { cpu: Number.NaN, peak: Number.NaN };
