import { describe, expect, test } from 'vitest';
import { decide } from '../src/verdict.ts';
import { judgeAll } from './run.ts';
import { hostileTargets } from './services/hostile.ts';

describe.concurrent('targets in every state', () => {
  test.for(hostileTargets)('$name: $verdict', async ({ start, verdict, says }) => {
    const target = await start();
    const bounds = { timeoutMs: 1500, settleMs: 50, deadlineMs: 10_000 };
    const run = await judgeAll(target, bounds).finally(target.close);
    const decision = decide(run.outcomes as never, { strict: false, knownFailures: [] });
    const reasons = run.outcomes
      .filter(({ outcome }) => outcome !== 'passed')
      .map(({ slug, reason }) => `${slug}: ${reason}`);
    expect(decision.verdict, reasons.join('\n')).toBe(verdict);
    expect(reasons.join('\n')).toMatch(says);
    expect(JSON.stringify(run)).not.toContain(target.apiKey);
  });
});
