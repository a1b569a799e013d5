import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe } from 'vitest';
import { type Implementation, implementations, obstacleOf } from './implementations.ts';
import { build } from './start.ts';

/** The default times, because the targets are real servers. */
export const SETTINGS = { timeoutMs: 10_000, settleMs: 2000 };

/**
 * Declares tests for each implementation. Those without their packages are skipped; their title
 * names the packages. `out` returns the folder of the compiled implementation.
 */
export function describeInstalled(
  declare: (implementation: Implementation, out: () => string) => void,
): void {
  for (const implementation of implementations) {
    const obstacle = obstacleOf(implementation);
    const title = obstacle ? `${implementation.name} (${obstacle})` : implementation.name;
    describe.skipIf(obstacle)(title, () => {
      let out = '';
      beforeAll(() => {
        out = build(implementation);
      });
      afterAll(() => rmSync(out, { recursive: true, force: true }));
      declare(implementation, () => out);
    });
  }
}
