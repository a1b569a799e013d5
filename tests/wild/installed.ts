import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Implementation, implementations, whyNot } from './implementations.ts';
import { build } from './start.ts';

/** The times of a real run, as what is judged is a real server. */
export const SETTINGS = { timeoutMs: 10_000, settleMs: 2000 };

/**
 * Declares tests for each implementation whose packages are installed; the others are skipped, with the packages in
 * the title. `out` returns the folder of the compiled implementation.
 */
export function describeInstalled(
  declare: (implementation: Implementation, out: () => string) => void,
): void {
  for (const implementation of implementations) {
    const why = whyNot(implementation);
    describe.skipIf(why)(why ? `${implementation.name} (${why})` : implementation.name, () => {
      let out = '';
      beforeAll(() => {
        out = build(implementation);
      });
      afterAll(() => rmSync(out, { recursive: true, force: true }));
      declare(implementation, () => out);
    });
  }
}
