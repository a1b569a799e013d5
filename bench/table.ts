import { availableParallelism, cpus, loadavg } from 'node:os';
import { largeRuns, plainRun } from './benchmarks.ts';
import type { Benchmark, Limits, Sample, Usage } from './measure.ts';
import { type Tree, thisTree } from './trees.ts';

interface Layout {
  rounds: number;
  /** The tree with which this one is compared, if any. */
  other: Tree | undefined;
}

/** The units of the figures, as the limits show them. */
const UNITS = { wall: 's', cpu: 's CPU', peak: 'MiB', timesPlain: '× plain' } as const;

/** The resources of the columns that compare two trees. */
const RESOURCES = { wall: 'wall', cpu: 'CPU', peak: 'memory' } as const;

/** Returns the medians of the samples as a Markdown table, with a sentence about the machine. */
export function table(benchmarks: Benchmark[], samples: Sample[], layout: Layout): string {
  const titles = ['process', 'wall', 'CPU', 'peak memory', 'CPU / plain'];
  if (layout.other !== undefined)
    for (const title of Object.values(RESOURCES)) titles.push(`${title} / ${layout.other.name}`);
  titles.push('at most');
  const alignments = titles.map((_, index) =>
    index === 0 || index === titles.length - 1 ? '---' : '---:',
  );
  const rows = benchmarks.map((benchmark) => cellsOf(benchmark, samples, layout));
  return [
    heading(layout),
    '',
    ...[titles, alignments, ...rows].map((cells) => `| ${cells.join(' | ')} |`),
    ...failures(samples),
  ].join('\n');
}

function heading({ rounds, other }: Layout): string {
  const [processor] = cpus();
  const sentences = [
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}, ${availableParallelism()} cores (${processor?.model.trim()}): medians of ${rounds} rounds in turn, after one that does not count.`,
    `The load average was ${loadavg()[1]?.toFixed(1)} at the end; this benchmark alone makes about 2.`,
  ];
  if (other !== undefined)
    sentences.push(`The columns "/ ${other.name}" divide these medians by those of that commit.`);
  return sentences.join(' ');
}

function cellsOf(benchmark: Benchmark, samples: Sample[], { other }: Layout): string[] {
  const usage = mediansOf(samples, benchmark, thisTree);
  const isLarge = largeRuns.includes(benchmark);
  const timesPlain = isLarge ? usage.cpu / mediansOf(samples, plainRun, thisTree).cpu : Number.NaN;
  return [
    benchmark.name,
    withUnit(usage.wall, 2, 's'),
    withUnit(usage.cpu, 2, 's'),
    withUnit(usage.peak, 0, 'MiB'),
    withUnit(timesPlain, 1, '×'),
    ...(other === undefined ? [] : ratios(usage, mediansOf(samples, benchmark, other))),
    limitsText(benchmark.atMost ?? {}, { ...usage, timesPlain }),
  ];
}

function mediansOf(samples: Sample[], benchmark: Benchmark, tree: Tree): Usage {
  const usages = samples
    .filter((sample) => sample.benchmark === benchmark && sample.tree === tree)
    .map(({ usage }) => usage);
  return {
    wall: median(usages.map(({ wall }) => wall)),
    cpu: median(usages.map(({ cpu }) => cpu)),
    peak: median(usages.map(({ peak }) => peak)),
  };
}

const ratios = (usage: Usage, other: Usage) =>
  namesIn(RESOURCES).map((resource) => withUnit(usage[resource] / other[resource], 2, '×'));

const withUnit = (value: number, digits: number, unit: string) =>
  Number.isNaN(value) ? '' : `${value.toFixed(digits)} ${unit}`;

/** Returns the limits of a row. Those that a figure exceeds are marked. */
function limitsText(limits: Limits, figures: Required<Limits>): string {
  const texts = namesIn(UNITS).flatMap((name) => {
    const limit = limits[name];
    if (limit === undefined) return [];
    const mark = figures[name] > limit ? ' (missed)' : '';
    return [`${limit} ${UNITS[name]}${mark}`];
  });
  return texts.join(', ');
}

/** Returns a line for each process that failed, since it may have measured only half a run. */
function failures(samples: Sample[]): string[] {
  const lines = samples
    .filter(({ exitCode }) => exitCode !== 0)
    .map(({ benchmark, tree, exitCode }) => {
      const end = exitCode === null ? 'a signal' : `exit code ${exitCode}`;
      return `- ${benchmark.name}, ${tree.name}: ${end}`;
    });
  return lines.length === 0 ? [] : ['', 'Some processes failed:', '', ...new Set(lines)];
}

const namesIn = <T extends object>(object: T) => Object.keys(object) as (keyof T)[];

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = Number.NaN, above = Number.NaN] = sorted.slice(middle - 1);
  return sorted.length % 2 === 1 ? (sorted[middle] as number) : (below + above) / 2;
}
