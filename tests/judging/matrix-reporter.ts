import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { requirements } from '../../specs/index.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The slugs that failed on a broken service. */
    caught?: string[];
  }
}

/**
 * Prints how many tests passed and failed; if wanted, also the broken services that each
 * requirement caught.
 */
export class MatrixReporter implements Reporter {
  readonly #isWanted: boolean;

  constructor(isWanted: boolean) {
    this.#isWanted = isWanted;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const judged = tests.filter((test) => test.meta().caught !== undefined);
    if (this.#isWanted && judged.length > 0) print(`\n${matrix(judged)}`);
    const failed = tests.filter((test) => test.result().state === 'failed').length;
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    const broken = modules.flatMap((module) => module.errors()).length;
    print(`\n${passed} passed, ${failed + broken} failed`);
  }
}

function matrix(judged: TestCase[]): string {
  const rows = requirements.map(({ slug, level }) => {
    const names = judged
      .filter((test) => test.meta().caught?.includes(slug))
      .map(({ name }) => name.split(': ').at(-1));
    return `  ${level.padEnd(6)} ${slug.padEnd(42)} ${String(names.length).padStart(3)}  ${names.join('; ').slice(0, 110)}`;
  });
  return [
    `Requirements and the broken services that they catch (${judged.length} services)`,
    ...rows,
  ].join('\n');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
