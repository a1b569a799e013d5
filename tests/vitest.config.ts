import { setFlagsFromString } from 'node:v8';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { MatrixReporter } from './judging/matrix-reporter.ts';
import { ProgressReporter } from './progress-reporter.ts';

// Concurrent runs allocate many short-lived objects. A larger young generation costs V8 less
// garbage collection, but a very large one makes each process start later. Less compilation saves
// more time than it costs.
for (const flag of ['max-semi-space-size=32', 'min-semi-space-size=32', 'interrupt-budget=1000000'])
  setFlagsFromString(`--${flag}`);

/**
 * Tests of the project `system` outside its folders: they start processes or wait for the operating
 * system.
 */
const SYSTEM = [
  'src/cli/watch.test.ts',
  'src/start/*.test.ts',
  'tests/docs/{ci,examples,from-typescript}.test.ts',
];

/** Files that take ten times as long as most. */
const LONG = /judging\/((broken|variants)-\w+|cells|thorough)\.test/;
/** Files that wait for timeouts or processes. */
const WAITING =
  /(system\/(away|few-connections|hostile|lost)|command\/(golden|start|strangers|staging|watch))\.test/;

/**
 * Starts the longest files first, even without measurements of an earlier run. Waiting files are
 * spread between the others, so that few workers wait at the same time.
 */
class Spread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const matching = (pattern: RegExp) => sorted.filter(({ moduleId }) => pattern.test(moduleId));
    const long = matching(LONG);
    const waiting = matching(WAITING);
    const short = sorted.filter((file) => !long.includes(file) && !waiting.includes(file));
    const others = [...long, ...short];
    const step = Math.ceil(others.length / (waiting.length + 2));
    const spread = waiting.flatMap((file, index) => {
      const count = index === 0 ? long.length : step;
      return [file, ...others.splice(0, count)];
    });
    return [...spread, ...others];
  }
}

function project(
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

/**
 * The tests of `npm test`. The project `judging` is the inner loop; `system` tests need the
 * operating system. With MATRIX=1 the output ends with the broken services that each requirement
 * caught.
 */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    projects: [
      project('judging', {
        include: ['{schemas,specs,src}/**/*.test.ts', 'tests/{docs,judging}/*.test.ts'],
        exclude: SYSTEM,
      }),
      project('system', {
        include: ['tests/{command,system}/*.test.ts', ...SYSTEM],
      }),
    ],
    pool: 'threads',
    // Twice as many as two cores: many tests wait for a process, or for a response that never comes.
    maxWorkers: 4,
    isolate: false,
    sequence: { sequencer: Spread },
    reporters: ['default', new MatrixReporter(process.env.MATRIX === '1'), new ProgressReporter()],
    // A few services are judged concurrently, because some wait. More would only cost garbage
    // collection.
    maxConcurrency: 4,
    // Titles and differences are shown in full: `-t` finds any part of a title.
    chaiConfig: { truncateThreshold: 2000 },
    // ProgressReporter finds a hang. A busy machine reaches any time limit.
    testTimeout: 0,
    hookTimeout: 0,
  },
});
