import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { annotations } from '../../src/reports/github.ts';
import { harFile } from '../../src/reports/har.ts';
import { trace } from '../../src/reports/run-result.ts';
import { markdown } from '../../src/reports/summary.ts';
import { closingText } from '../../src/reports/terminal.ts';
import { reportOf } from '../made-report.ts';
import { judgeKept } from '../run.ts';
import { start, withPeople } from '../services/service.ts';
import { type Twisted, twistBy, twisted } from '../services/twisted.ts';

/** The seed of the drawn services. */
const SEED = Number(process.env.FUZZ_SEED ?? 2026);

const screen = { paint: (_: string, text: string) => text, width: Number.POSITIVE_INFINITY };

/** Judges a service with these twists, and makes the reports that need no files. */
async function judgeTwisted(twists: Twisted[]): Promise<void> {
  const service = await start(withPeople, twistBy(twists));
  const bounds = { timeoutMs: 1000, settleMs: 20, deadlineMs: 4000 };
  const run = await judgeKept(service, bounds).finally(service.close);
  expect(run.faults).toEqual([]);
  expect(run.outcomes.map(({ slug }) => slug)).toEqual(requirements.map(({ slug }) => slug));
  expect(JSON.stringify(run)).not.toContain(service.apiKey);
  const report = reportOf(run.outcomes);
  const texts = [markdown(report), closingText(report, 'reports', screen), ...annotations(report)];
  const archive = [...harFile(trace(run.record, run.outcomes), report)].join('');
  expect(archive).not.toContain(service.apiKey);
  expect(JSON.stringify(texts)).not.toContain(service.apiKey);
}

/** Concurrent runs, some of which mostly wait. */
const AT_ONCE = 8;

/** Judges services whose responses are odd or broken. FUZZ_RUNS sets another number of services. */
export function testFuzz(services: number): void {
  const runs = Number(process.env.FUZZ_RUNS ?? services);
  const atOnce = Math.min(AT_ONCE, runs);
  const numRuns = Math.ceil(runs / atOnce);
  const parts = Array.from({ length: atOnce }, (_, index) => index + 1);

  describe.concurrent(`whatever a service answers, each requirement has an outcome, seed ${SEED}`, () => {
    test.for(parts)(`${numRuns} services, part %i`, async (part) => {
      await fc.assert(fc.asyncProperty(twisted, judgeTwisted), { seed: SEED + part, numRuns });
    });
  });
}
