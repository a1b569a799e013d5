import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, parseCLI, type TestSpecification } from 'vitest/node';
import { MatrixReporter } from './judging/matrix-reporter.ts';

// Many runs at the same time leave much behind that is young: with more room for it V8 takes less time to clear it away. To
// compile less often, and later, saves more than it costs.
for (const flag of ['max-semi-space-size=128', 'min-semi-space-size=128', 'interrupt-budget=1000000'])
  setFlagsFromString(`--${flag}`);

/** They take ten times as long as most files, be it by waiting for what does not come. */
const LONG = /(judging\/(broken|variants|cells|away|started|few-connections)|command\/(start|strangers))\.test/;

/** What takes longest goes first, also where no run before has measured it: all workers end at about the same time. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Whether the command line names test files: then all is tried that the whole tries in part (tests/services/sample.ts). */
const { filter: named } = parseCLI(['vitest', ...process.argv.slice(2)]);

/** The suite's own tests. MATRIX=1 prints, after them, which broken services each requirement has caught. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['{schemas,specs,src,tests}/**/*.test.ts'],
    env: named.length > 0 ? { FILES_NAMED: '1' } : {},
    pool: 'threads',
    // One more than two cores: many a test waits for a process, or for an answer that does not come.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new MatrixReporter(process.env.MATRIX === '1')],
    // Many services are judged at the same time; a run of the whole command takes a few seconds of its own.
    maxConcurrency: 10,
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
