import { setFlagsFromString } from 'node:v8';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { MatrixReporter } from './judging/matrix-reporter.ts';

// Many runs at the same time leave many young objects behind. With more room for them V8 spends less time on garbage
// collection, while with very much each process takes longer to start. To compile less often, and later, saves more
// than it costs.
for (const flag of ['max-semi-space-size=32', 'min-semi-space-size=32', 'interrupt-budget=1000000'])
  setFlagsFromString(`--${flag}`);

/** Tests that start processes, or wait for an operating system, outside the folders of `system`. */
const SYSTEM = [
  'src/cli/watch.test.ts',
  'src/start/*.test.ts',
  'tests/docs/{ci,examples,from-typescript}.test.ts',
];

/** These take ten times as long as most files. */
const LONG = /judging\/((broken|variants)-\w+|cells|thorough)\.test/;
/** These wait for timeouts or processes. */
const WAITING =
  /(system\/(away|few-connections|hostile|lost)|command\/(start|strangers|staging|watch))\.test/;

/**
 * Starts the longest files first, also if no run before has measured them. Files that wait are spread between the
 * others, so that few workers wait at the same time.
 */
class Spread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const matching = (pattern: RegExp) => sorted.filter(({ moduleId }) => pattern.test(moduleId));
    const [long, waiting] = [matching(LONG), matching(WAITING)];
    const others = [...long, ...sorted.filter((file) => ![...long, ...waiting].includes(file))];
    const step = Math.ceil(others.length / (waiting.length + 2));
    return [
      ...waiting.flatMap((file, index) => [
        file,
        ...others.splice(0, index === 0 ? long.length : step),
      ]),
      ...others,
    ];
  }
}

function project(
  name: string,
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

/**
 * The tests of `npm test`: `judging` is the inner loop, `system` what only an operating system can show. MATRIX=1
 * prints, after them, which broken services each requirement has caught.
 */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    projects: [
      project('judging', {
        include: ['{schemas,specs,src}/**/*.test.ts', 'tests/{docs,judging}/*.test.ts'],
        exclude: SYSTEM,
        sequence: { groupOrder: 1 },
      }),
      project('system', {
        include: ['tests/{command,system}/*.test.ts', ...SYSTEM],
        sequence: { groupOrder: 2 },
      }),
    ],
    pool: 'threads',
    // One more than two cores: many tests wait for a process, or for a response that does not come.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: Spread },
    reporters: ['default', new MatrixReporter(process.env.MATRIX === '1')],
    // A few services are judged at once, because some wait. With more at once, garbage collection takes longer.
    maxConcurrency: 4,
    // Titles and differences are shown in full: `-t` finds any part of a title.
    chaiConfig: { truncateThreshold: 2000 },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
