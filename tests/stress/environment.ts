import { decide, type Verdict } from '../../src/verdict/verdict.ts';
import { judgeAll } from '../run.ts';
import type { Patch } from '../services/service.ts';
import { start, withPeople } from '../services/service.ts';

/** How often each service is judged; STRESS_RUNS sets another number. */
export const RUNS = Number(process.env.STRESS_RUNS ?? 50);

/** Somebody else creates so many users each time, with pauses that are this long in the mean: even, or by chance. */
export const writing =
  (pauseMs: number, { many = 1, isEven = false } = {}): Patch =>
  (service) => {
    service.background = () => {
      let [made, isOver] = [0, false];
      const again = () =>
        setTimeout(write, isEven ? pauseMs : -Math.log(1 - Math.random()) * pauseMs);
      const write = () => {
        for (let one = 0; one < many && !isOver; one += 1) {
          made += 1;
          service.users.push({
            id: `other-${made}`,
            email: `other.${made}@example.org`,
            name: `Other ${made}`,
          });
        }
        if (!isOver) again();
      };
      again();
      return () => {
        isOver = true;
      };
    };
  };

/** What came of one run: the verdict, and what failed or stayed open. */
export interface Came {
  verdict: Verdict;
  told: string;
}

/** Judges a service in several runs at the same time, with the default settings but for the settle time. */
export async function judgedAtOnce(runs: number, ...patches: Patch[]): Promise<Came[]> {
  const service = await start(withPeople, ...patches);
  const bounds = { settleMs: 500, deadlineMs: 300_000 };
  const all = await Promise.all(
    Array.from({ length: runs }, () => judgeAll(service, bounds)),
  ).finally(service.close);
  return all.map((run) => ({
    verdict: decide(run.outcomes, { strict: false, knownFailures: [] }).verdict,
    told: [...run.reasons('failed', 'MUST'), ...run.reasons('not-verified', 'MUST')].join('\n'),
  }));
}
