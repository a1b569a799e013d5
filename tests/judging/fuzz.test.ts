import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requirements } from '../../specs/index.ts';
import { harFile, trace } from '../../src/reports/run-result.ts';
import { annotations, markdown } from '../../src/reports/summary.ts';
import { closing } from '../../src/reports/terminal.ts';
import { reportOf } from '../made-report.ts';
import { judgeKept } from '../run.ts';
import { isThorough } from '../services/sample.ts';
import { start, withPeople } from '../services/service.ts';
import { type Twisted, twistBy, twisted } from '../services/twisted.ts';

/** Another seed tries other services; the same one repeats them. */
const SEED = Number(process.env.FUZZ_SEED ?? 2026);

/** How many services are tried: by `npm run test:thorough`, and by hand, more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? (isThorough ? 64 : 2));

/** Runs go on at the same time because some of them mostly wait. */
const AT_ONCE = Math.min(8, RUNS);

const screen = { paint: (_: string, text: string) => text, width: Number.POSITIVE_INFINITY };

/** Judges a service with these twists, and makes every report of it that is made in this process. */
async function judgeTwisted(twists: Twisted[]): Promise<void> {
  const service = await start(withPeople, twistBy(twists));
  const bounds = { timeoutMs: 1000, settleMs: 20, deadlineMs: 4000 };
  const run = await judgeKept(service, bounds).finally(service.close);
  expect(run.faults).toEqual([]);
  expect(run.outcomes.map(({ slug }) => slug)).toEqual(requirements.map(({ slug }) => slug));
  expect(JSON.stringify(run)).not.toContain(service.apiKey);
  const report = reportOf(run.outcomes);
  const texts = [markdown(report), closing(report, 'reports', screen), ...annotations(report)];
  expect(
    `${[...harFile(trace(run.record, run.outcomes), report)].join('')}${JSON.stringify(texts)}`,
  ).not.toContain(service.apiKey);
}

/** What a run takes on a busy machine, and more. Milliseconds. */
const TIME = 20_000;

describe.concurrent(`whatever a service answers, each requirement has an outcome, seed ${SEED}`, () => {
  const numRuns = Math.ceil(RUNS / AT_ONCE);
  const parts = Array.from({ length: AT_ONCE }, (_, index) => index + 1);

  test.for(parts)(
    `${numRuns} services, part %i`,
    { timeout: 60_000 + numRuns * TIME },
    async (part) => {
      await fc.assert(fc.asyncProperty(twisted, judgeTwisted), { seed: SEED + part, numRuns });
    },
  );
});
