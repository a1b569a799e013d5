import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ViteUserConfig } from 'vitest/config';
import type { ConformanceReporter } from '../vitest/reporter.ts';

/**
 * Makes one run, and another each time the user presses Enter, until the input ends, Ctrl-C is pressed or a line says
 * q. What takes long to load stays. Returns the exit code of the last run.
 */
export async function watch(configuration: ViteUserConfig, reporter: ConformanceReporter): Promise<number> {
  const { createVitest } = await import('vitest/node');
  const created = createVitest('test', { config: false, watch: false }, configuration);
  // Once more: Vitest listens by now, too, and would end the process without any report.
  reporter.endOnInterrupt();
  const vitest = await created;
  await vitest.start();
  while (await wantsAnother(reporter))
    await vitest.rerunTestSpecifications(await vitest.globTestSpecifications(), true);
  await vitest.close();
  return reporter.exitCode;
}

/** Shows what came of a run and waits for Enter. False at the end of the input, at an interrupt and at a q. */
async function wantsAnother(reporter: ConformanceReporter): Promise<boolean> {
  reporter.printClosing();
  process.stdout.write('\nEnter runs again, q or Ctrl-C ends.\n');
  const lines = createInterface({ input: process.stdin });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.removeAllListeners(signal).once(signal, () => lines.close());
  const ended = once(lines, 'close').then(() => 'q');
  const line = await Promise.race([once(lines, 'line').then(([text]) => String(text)), ended]);
  lines.close();
  return line.trim() !== 'q';
}
