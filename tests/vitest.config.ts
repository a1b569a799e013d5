import { setFlagsFromString } from 'node:v8';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { MatrixReporter } from './judging/matrix-reporter.ts';

// Many runs at the same time leave much behind that is young: with more room for it V8 takes less time to clear it
// away, while with very much each process takes longer to start. To compile less often, and later, saves more than it
// costs.
for (const flag of ['max-semi-space-size=32', 'min-semi-space-size=32', 'interrupt-budget=1000000'])
  setFlagsFromString(`--${flag}`);

/** They take ten times as long as most files. */
const LONG = /judging\/(broken|variants|cells)\.test/;
/** They wait for what does not come, or for processes. */
const WAITING =
  /(judging\/(away|started|few-connections|infrastructure)|command\/(start|strangers|staging|watch))\.test/;

/**
 * What takes longest goes first, also where no run before has measured it; what waits is spread between, so that few
 * workers do so at the same time.
 */
class Spread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const some = (pattern: RegExp) => sorted.filter(({ moduleId }) => pattern.test(moduleId));
    const [long, waiting] = [some(LONG), some(WAITING)];
    const others = [...long, ...sorted.filter((one) => ![...long, ...waiting].includes(one))];
    const step = Math.ceil(others.length / (waiting.length + 2));
    return [
      ...waiting.flatMap((one, index) => [
        one,
        ...others.splice(0, index === 0 ? long.length : step),
      ]),
      ...others,
    ];
  }
}

/** The suite's own tests. MATRIX=1 prints, after them, which broken services each requirement has caught. */
export default defineConfig({
  root: `${import.meta.dirname}/..`,
  test: {
    include: ['{schemas,specs,src,tests}/**/*.test.ts'],
    pool: 'threads',
    // One more than two cores: many a test waits for a process, or for an answer that does not come.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: Spread },
    reporters: ['default', new MatrixReporter(process.env.MATRIX === '1')],
    // A few services are judged at once, because some wait. With more at once, garbage collection takes longer.
    maxConcurrency: 4,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
